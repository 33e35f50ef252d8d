import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding, Source } from '../../../core/findings/finding';
import { describeObject, getListAt, getValueAt } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import type { Backend } from '../backends';

interface BackendData {
  /** The route: `HTTPRoute shop/web`. */
  readonly route: string;
  /** Kind of the route. */
  readonly kind: string;
  /** The Service: `Service shop/api`. */
  readonly service: string;
  /** Percentage of the requests of the rule. */
  readonly percent: number;
  /** Object whose controller creates the Service, and deletes it with the object: `InferenceService shop/iris`. @default - the input has the Service */
  readonly owner?: string;
}

interface PortData extends BackendData {
  /** Name or number of the port. */
  readonly port: number | string;
}

/** What a client gets, by kind of the route. */
const CONSEQUENCES: Readonly<Record<string, string>> = {
  HTTPRoute: 'Those requests get status 500.',
  GRPCRoute: 'Those requests fail with status Unavailable.',
  TCPRoute: 'Those connections are refused.',
  TLSRoute: 'Those connections are refused.',
  UDPRoute: 'Those packets are dropped.',
  VirtualService: 'Those requests get status 503.',
};

/** The controllers of Ingresses differ. */
const INGRESS_CONSEQUENCE = 'Those requests get status 503 from most controllers.';

function describeRoute({ route, service, percent }: BackendData): string {
  return percent === 100 ? `${route} sends requests to ${service}` : `${route} sends ${percent}% of the requests of a rule to ${service}`;
}

function describeConsequence({ kind }: BackendData): string {
  return Object.hasOwn(CONSEQUENCES, kind) ? CONSEQUENCES[kind]! : INGRESS_CONSEQUENCE;
}

const SAMPLE: BackendData = { route: 'HTTPRoute shop/web', kind: 'HTTPRoute', service: 'Service shop/api', percent: 20 };

function buildExample(newPort: number): string {
  const manifests = (port: number) => `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: web
spec:
  parentRefs: [{ name: gateway }]
  rules:
    - backendRefs: [{ name: api, port: 80 }]
---
apiVersion: v1
kind: Service
metadata:
  name: api
spec:
  selector: { app: api }
  ports: [{ port: ${port}, targetPort: 8080 }]
`;
  return `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${manifests(80)}# new.yaml
${manifests(newPort)}`;
}

/** Reports routes that name a Service, or a port of it, that the change takes away or that does not exist. */
export const backendMissing = defineRule({
  code: 'change/backend-missing',
  since: '0.1.0',
  severity: 'error',
  fires:
    'A route of the Gateway API, an Ingress or a VirtualService sends requests to a Service that the change deletes, to a port that it removes, or after the change to a port that its Service does not have.',
  why:
    'A route refers to a Service by its name, and to a port by its number or name. Nothing checks the reference when the Service changes. ' +
    'Gateways answer the share of a missing backend with an error, and the other backends of the rule do not take it over. ' +
    'A reference by number survives a new name of the port.',
  fix: 'Change the route in an apply before, or together with the Service, or keep the Service and the port until no route names them.',
  example: buildExample(8080),
  fixedExample: buildExample(80),
  messages: {
    service: defineMessage<BackendData>({
      text: (data) =>
        `${describeRoute(data)}, ${data.owner === undefined ? 'which this change deletes' : `which is deleted with ${data.owner}`}. ${describeConsequence(data)}`,
      help: ({ service }) => `Let the route name another Service, or keep ${service} until it does.`,
      sample: SAMPLE,
      variants: [
        { ...SAMPLE, percent: 100 },
        { ...SAMPLE, route: 'Ingress shop/web', kind: 'Ingress', percent: 100 },
        { ...SAMPLE, service: 'Service shop/iris-predictor', owner: 'InferenceService shop/iris' },
      ],
    }),
    port: defineMessage<PortData>({
      text: (data) => `${describeRoute(data)}, whose port ${data.port} this change removes. ${describeConsequence(data)}`,
      help: ({ port }) => `Let the route name another port, or keep port ${port} until it does.`,
      sample: { ...SAMPLE, port: 8080 },
    }),
    'no-port': defineMessage<PortData>({
      text: (data) => `${describeRoute(data)}, which has no port ${data.port}. ${describeConsequence(data)}`,
      help: ({ service }) => `Write a port of ${service}.`,
      sample: { ...SAMPLE, port: 8080 },
    }),
  },
});

/** Reports whether a Service has a port, by number or name. */
function hasPort(service: Manifest, port: number | string): boolean {
  return getListAt(service, 'spec', 'ports').some((one) => getValueAt(one, typeof port === 'number' ? 'port' : 'name') === port);
}

/**
 * Reports the backend of a route if its Service, or the port, exists before the apply only.
 *
 * @param next the Service after the apply; undefined if it is deleted
 * @param owner the object whose controller creates the Service, if the input does not have it
 */
export function checkBackendMissing(
  route: Manifest,
  { path, port, percent }: Backend,
  { old, next, owner }: { readonly old: Manifest; readonly next: Manifest | undefined; readonly owner?: Manifest },
  locate: (object: object, path: string) => Source | undefined,
): Finding[] {
  if (percent === 0) return [];
  const source = locate(route, path);
  const occurrence = { path, ...(source && { source }) };
  const data = {
    route: describeObject(route),
    kind: route.kind,
    service: describeObject(old),
    percent,
    ...(owner && { owner: describeObject(owner) }),
  };
  if (!next) return [backendMissing.createFinding('service', { ...occurrence, data })];
  if (port === undefined || hasPort(next, port) || !hasPort(old, port)) return [];
  return [backendMissing.createFinding('port', { ...occurrence, data: { ...data, port } })];
}

/** Reports the backend of a route that the change writes if its Service has no such port. An alias of another host has none of its own. */
export function checkBackendPort(
  route: Manifest,
  { path, port, percent }: Backend,
  service: Manifest,
  locate: (object: object, path: string) => Source | undefined,
): Finding[] {
  const isAlias = getValueAt(service, 'spec', 'type') === 'ExternalName';
  if (percent === 0 || port === undefined || isAlias || hasPort(service, port)) return [];
  const source = locate(route, path);
  const data = { route: describeObject(route), kind: route.kind, service: describeObject(service), percent, port };
  return [backendMissing.createFinding('no-port', { path, ...(source && { source }), data })];
}
