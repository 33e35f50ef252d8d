import { getValueAt, groupOf, nameOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { CONTEXT_KINDS } from '../../cluster/kinds/context-kinds';
import { memoizePerPlan } from '../../cluster/context/context';
import type { PlanContext } from '../../cluster/context/context';

/**
 * Controllers of the Gateway API that run no pods for a Gateway: they configure a load balancer, or proxies that run anyway.
 *
 * Sources: GKE, "About Gateway"; Cilium 1.18 operator/pkg/gateway-api; Traefik 3 pkg/provider/kubernetes/gateway; AWS Load Balancer Controller 2.14.
 */
const CONTROLLERS_WITHOUT_PODS: ReadonlySet<unknown> = new Set([
  'gateway.k8s.aws/alb',
  'gateway.k8s.aws/nlb',
  'io.cilium/gateway-controller',
  'networking.gke.io/gateway',
  'traefik.io/gateway-controller',
]);

/** Classes that GKE installs itself. */
const GKE_CLASS = /^gke-l7-/;

const controllersOf = memoizePerPlan(
  (context): ReadonlyMap<string, unknown> =>
    new Map(
      context.objects
        .filter((object) => object.kind === 'GatewayClass' && groupOf(object) === CONTEXT_KINDS.gateway.group)
        .map((gatewayClass) => [nameOf(gatewayClass), getValueAt(gatewayClass, 'spec', 'controllerName')]),
    ),
);

/** Reports whether an object is a Gateway whose class, in view or of GKE, has a controller that runs no pods for it. */
export function isGatewayWithoutPods(object: Manifest, context: PlanContext): boolean {
  if (object.kind !== CONTEXT_KINDS.gateway.kind || groupOf(object) !== CONTEXT_KINDS.gateway.group) return false;
  const name = getValueAt(object, 'spec', 'gatewayClassName');
  if (typeof name !== 'string') return false;
  const controllers = controllersOf(context);
  return controllers.has(name) ? CONTROLLERS_WITHOUT_PODS.has(controllers.get(name)) : GKE_CLASS.test(name);
}
