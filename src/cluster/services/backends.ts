import { buildFieldPath } from '../../core/manifest/field-path';
import type { FieldPath, PathPart } from '../../core/manifest/field-path';
import { getListAt, getValueAt, isFields, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';

/** A Service to which a route sends requests. */
export interface Backend {
  readonly namespace: string;
  readonly name: string;
  /** Number or name of the port of the Service. @default - the route names none */
  readonly port?: number | string;
  /** Percentage of the requests of its rule. */
  readonly percent: number;
  readonly path: FieldPath;
}

/** A backend as a rule of a route lists it. */
type WrittenBackend = Omit<Backend, 'percent'> & { readonly weight: number };

function toPort(value: unknown): Pick<Backend, 'port'> {
  return typeof value === 'number' || typeof value === 'string' ? { port: value } : {};
}

/** Turns the weights of the backends of one rule into percentages. Only a backend without requests has 0. */
function toPercentages(backends: readonly WrittenBackend[]): Backend[] {
  const total = backends.reduce((sum, { weight }) => sum + weight, 0);
  return backends.map(({ weight, ...backend }) => ({
    ...backend,
    percent: weight === 0 ? 0 : Math.max(1, Math.round((100 * weight) / total)),
  }));
}

function weightOf(value: unknown, fallback: number): number {
  const weight = getValueAt(value, 'weight');
  return typeof weight === 'number' && weight >= 0 ? weight : fallback;
}

/** Lists the backends of a route of the Gateway API. A backend without a weight has the weight 1. */
function listGatewayBackends(route: Manifest): Backend[] {
  return getListAt(route, 'spec', 'rules').flatMap((rule, ruleIndex) =>
    toPercentages(
      getListAt(rule, 'backendRefs').flatMap((backend, index): WrittenBackend[] => {
        const { name, namespace = namespaceOf(route) ?? '', kind = 'Service', group = '', port } = isFields(backend) ? backend : {};
        if (kind !== 'Service' || group !== '' || typeof name !== 'string' || typeof namespace !== 'string') return [];
        const path = buildFieldPath('spec', 'rules', ruleIndex, 'backendRefs', index);
        return [{ namespace, name, ...toPort(port), weight: weightOf(backend, 1), path }];
      }),
    ),
  );
}

function toIngressBackend(backend: unknown, namespace: string, parts: readonly PathPart[]): Backend[] {
  const name = getValueAt(backend, 'service', 'name');
  if (typeof name !== 'string') return [];
  const port = getValueAt(backend, 'service', 'port', 'number') ?? getValueAt(backend, 'service', 'port', 'name');
  return [{ namespace, name, ...toPort(port), percent: 100, path: buildFieldPath(...parts, 'service') }];
}

function listIngressBackends(ingress: Manifest): Backend[] {
  const namespace = namespaceOf(ingress) ?? '';
  const ofRules = getListAt(ingress, 'spec', 'rules').flatMap((rule, ruleIndex) =>
    getListAt(rule, 'http', 'paths').flatMap((path, index) =>
      toIngressBackend(getValueAt(path, 'backend'), namespace, ['spec', 'rules', ruleIndex, 'http', 'paths', index, 'backend']),
    ),
  );
  return [...toIngressBackend(getValueAt(ingress, 'spec', 'defaultBackend'), namespace, ['spec', 'defaultBackend']), ...ofRules];
}

/** Parses a host of a VirtualService: `api`, `api.shop`, `api.shop.svc.cluster.local`. Returns undefined for a host that is no Service. */
function parseHost(host: string, namespace: string): Pick<Backend, 'namespace' | 'name'> | undefined {
  const [name = '', own = namespace, service, ...domain] = host.split('.');
  if (service !== undefined && (service !== 'svc' || !['', 'cluster.local'].includes(domain.join('.')))) return undefined;
  return { name, namespace: own };
}

/** Lists the destinations of a VirtualService. A single destination gets all requests of its rule. */
function listVirtualServiceBackends(service: Manifest): Backend[] {
  const namespace = namespaceOf(service) ?? '';
  return ['http', 'tcp', 'tls'].flatMap((protocol) =>
    getListAt(service, 'spec', protocol).flatMap((rule, ruleIndex) => {
      const routes = getListAt(rule, 'route');
      return toPercentages(
        routes.flatMap((route, index): WrittenBackend[] => {
          const host = getValueAt(route, 'destination', 'host');
          const parsed = typeof host === 'string' ? parseHost(host, namespace) : undefined;
          if (!parsed) return [];
          const path = buildFieldPath('spec', protocol, ruleIndex, 'route', index, 'destination');
          const port = getValueAt(route, 'destination', 'port', 'number');
          return [{ ...parsed, ...toPort(port), weight: weightOf(route, routes.length === 1 ? 1 : 0), path }];
        }),
      );
    }),
  );
}

const LISTERS: Readonly<Record<string, (route: Manifest) => Backend[]>> = {
  HTTPRoute: listGatewayBackends,
  GRPCRoute: listGatewayBackends,
  TCPRoute: listGatewayBackends,
  TLSRoute: listGatewayBackends,
  UDPRoute: listGatewayBackends,
  Ingress: listIngressBackends,
  VirtualService: listVirtualServiceBackends,
};

/** Lists the Services to which a route sends requests. */
export function listBackends(route: Manifest): readonly Backend[] {
  return (Object.hasOwn(LISTERS, route.kind) && LISTERS[route.kind]?.(route)) || [];
}
