import { getValueAt } from '../../core/manifest/manifest';
import type { RayServiceSimulation } from '../../core/simulations/rayservice';
import { toResourceRef } from '../../core/document/rollout';
import type { ClusterService } from '../../cluster/rollout/created-services';
import { buildOperatorRoute, operatorRouteNameOf, servePortOf } from './objects';
import type { ParsedRayService } from './ray-service';

/** Label by which the Services of requests select pods: those of all workers, and that of the head unless it is excluded. */
export const SERVE_SELECTOR: Readonly<Record<string, string>> = { 'ray.io/serve': 'true' };

/** Names of the Services of an incremental upgrade, by the cluster whose pods they select. The names of clusters end with random characters. */
const CLUSTER_SERVICES = [
  ['active', 'stable'],
  ['pending', 'canary'],
] as const;

/**
 * Builds the Services of requests that the operator creates. In an incremental upgrade, each cluster has its own, and the weights of the HTTPRoute
 * split the requests between them. For other upgrades, one Service moves to the new cluster at once.
 *
 * Source: KubeRay v1.7.0 `common/service.go`, BuildServeService; `rayservice_controller.go`, createHTTPRoute.
 */
export function buildServeServices(service: ParsedRayService, { type, outcome }: RayServiceSimulation): ClusterService[] {
  if (outcome === 'none') return [];
  const { name, namespace, cluster, spec } = service;
  const port = servePortOf(cluster);
  const build = (serviceName: string) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: serviceName, ...(namespace !== undefined && { namespace }) },
    spec: { selector: SERVE_SELECTOR, ports: [{ port, targetPort: port }] },
  });
  if (type === 'NewClusterWithIncrementalUpgrade') {
    const route = toResourceRef(buildOperatorRoute(service.object), operatorRouteNameOf(name), namespace);
    return CLUSTER_SERVICES.map(([which, role]) => ({ service: build(`${name}-${which}-serve-svc`), role, route }));
  }
  const ownName = getValueAt(spec, 'serveService', 'metadata', 'name');
  return [{ service: build(typeof ownName === 'string' && ownName !== '' ? ownName : `${name}-serve-svc`), role: 'active' }];
}
