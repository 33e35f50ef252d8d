import type { Manifest } from '../../core/manifest/manifest';
import { isFields, getListAt, nameOf, namespaceOf, getValueAt } from '../../core/manifest/manifest';
import type { UpgradeState } from './upgrade-loop';

const GATEWAY_API = 'gateway.networking.k8s.io/v1';

/** The port of a head container that lists no port named `serve` (KubeRay v1.7.0 `common/service.go`). */
const DEFAULT_SERVE_PORT = 8000;

/** Returns the name of the Gateway that the operator owns: `<name>-gateway`. */
export function operatorGatewayNameOf(rayService: string): string {
  return `${rayService}-gateway`;
}

/** Returns the name of the HTTPRoute that the operator owns: `<name>-httproute`. */
export function operatorRouteNameOf(rayService: string): string {
  return `${rayService}-httproute`;
}

/** Returns the port for requests: the port named `serve` of the head's first container, or 8000. */
export function servePortOf(rayClusterConfig: unknown): number {
  const ports = getListAt(rayClusterConfig, 'headGroupSpec', 'template', 'spec', 'containers', 0, 'ports');
  const serve = ports.find((port) => isFields(port) && port.name === 'serve');
  const port = getValueAt(serve, 'containerPort');
  return typeof port === 'number' ? port : DEFAULT_SERVE_PORT;
}

/** Builds a Gateway with one HTTP listener on port 80, as KubeRay does: without hostname, allowedRoutes or labels. */
export function buildGateway(name: string, namespace: string | undefined, gatewayClassName: string): Manifest {
  return {
    apiVersion: GATEWAY_API,
    kind: 'Gateway',
    metadata: buildMetadata(name, namespace),
    spec: { gatewayClassName, listeners: [{ name: 'http', protocol: 'HTTP', port: 80 }] },
  };
}

/** A Service that gets a share of the requests. */
export interface WeightedBackend {
  readonly service: string;
  readonly port: number;
  /** Share of the requests in percent, 0 to 100. */
  readonly weight: number;
}

/** Builds an HTTPRoute that splits all requests among Services, as KubeRay does: one rule, prefix `/`, everything in one namespace. */
export function buildWeightedRoute(
  name: string,
  namespace: string | undefined,
  gatewayName: string,
  backends: readonly WeightedBackend[],
): Manifest {
  const namespaceField = namespace === undefined ? {} : { namespace };
  return {
    apiVersion: GATEWAY_API,
    kind: 'HTTPRoute',
    metadata: buildMetadata(name, namespace),
    spec: {
      parentRefs: [{ name: gatewayName, ...namespaceField }],
      rules: [
        {
          matches: [{ path: { type: 'PathPrefix', value: '/' } }],
          backendRefs: backends.map(({ service, port, weight }) => ({ name: service, ...namespaceField, port, weight })),
        },
      ],
    },
  };
}

function buildMetadata(name: string, namespace: string | undefined) {
  return { name, ...(namespace !== undefined && { namespace }) };
}

/** Builds a GatewayClass, which is cluster-scoped. */
export function buildGatewayClass(name: string, controllerName: string): Manifest {
  return { apiVersion: GATEWAY_API, kind: 'GatewayClass', metadata: { name }, spec: { controllerName } };
}

/**
 * Builds the Gateway that the operator creates for a RayService at its first reconcile.
 *
 * Owner references are omitted because they contain a uid that is not known in advance.
 * Source: KubeRay v1.7.0 `rayservice_controller.go`, createGateway.
 */
export function buildOperatorGateway(rayService: Manifest, gatewayClassName: string): Manifest {
  return buildGateway(operatorGatewayNameOf(nameOf(rayService)), namespaceOf(rayService), gatewayClassName);
}

/**
 * Builds the HTTPRoute that the operator creates for a RayService at a row of an upgrade. Outside of upgrades `weights` is undefined.
 *
 * The operator ends the names of RayClusters with five random characters (`llm-x7k2p`). `llm-active` and `llm-pending` replace them here,
 * so the backends are `llm-active-serve-svc` and `llm-pending-serve-svc`. Both clusters are assumed to listen on the port of this
 * RayService.
 * Source: KubeRay v1.7.0 `rayservice_controller.go`, createHTTPRoute.
 */
export function buildOperatorRoute(rayService: Manifest, weights?: Pick<UpgradeState, 'activeTraffic' | 'pendingTraffic'>): Manifest {
  const name = nameOf(rayService);
  const port = servePortOf(getValueAt(rayService, 'spec', 'rayClusterConfig'));
  const active = { service: `${name}-active-serve-svc`, port, weight: weights?.activeTraffic ?? 100 };
  const pending = weights && { service: `${name}-pending-serve-svc`, port, weight: weights.pendingTraffic };
  return buildWeightedRoute(
    operatorRouteNameOf(name),
    namespaceOf(rayService),
    operatorGatewayNameOf(name),
    pending ? [active, pending] : [active],
  );
}
