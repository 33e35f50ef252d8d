import { getValueAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { isInt32 } from '../../core/values/int-or-percent';
import { parseLimitedJson } from '../../core/values/levels';
import type { RoutedService } from '../../cluster/rollout/created-services';
import type { ComponentDeployment } from './deployments';
import type { KserveService } from './service';
import { kserveBehaviourOf } from './versions';

/**
 * What sends requests to canaries: a route of the Gateway API, or nothing, because of the version, of an Ingress, or of a service without a route.
 * `unknown` if the ConfigMap is not in the input.
 */
export type CanaryRouting = 'gateway' | 'version' | 'ingress' | 'no-route' | 'unknown';

const VISIBILITY_LABEL = 'networking.kserve.io/visibility';

/** Reads the key `ingress` of the ConfigMap; undefined if it has none or no JSON. */
function readIngressConfig(source: Fields | undefined): unknown {
  const text = getValueAt(source, 'data', 'ingress');
  if (typeof text !== 'string') return undefined;
  try {
    return parseLimitedJson(text);
  } catch {
    return undefined;
  }
}

/**
 * Resolves what sends requests to the canaries of a service.
 *
 * Source: KServe master after v0.20.0, reconcilers/ingress/httproute_reconciler.go, `applyCanaryWeights`, `Reconcile`.
 *
 * @param source the ConfigMap `inferenceservice-config`; undefined if it is not in the input
 */
export function resolveCanaryRouting({ object, version }: KserveService, source: Fields | undefined): CanaryRouting {
  if (!kserveBehaviourOf(version).splitsCanaryTraffic) return 'version';
  if (getValueAt(object, 'metadata', 'labels', VISIBILITY_LABEL) === 'cluster-local') return 'no-route';
  const config = readIngressConfig(source);
  if (config === undefined) return 'unknown';
  if (getValueAt(config, 'disableIngressCreation') === true || getValueAt(config, 'ingressDomain') === 'svc.cluster.local')
    return 'no-route';
  return getValueAt(config, 'enableGatewayApi') === true ? 'gateway' : 'ingress';
}

/** Port of the Services that KServe creates. Source: KServe, constants.go, `CommonDefaultHttpPort`. */
const SERVICE_PORT = 80;

/** Returns the Service that KServe creates for a predictor with canaries or for a canary, and its share; undefined for other components. */
export function buildRoutedService(
  { object, canaries }: KserveService,
  { component, name, selector, canary }: ComponentDeployment,
  routing: CanaryRouting,
): RoutedService | undefined {
  if (canaries.length === 0 || (component !== 'predictor' && !canary)) return undefined;
  const namespace = getValueAt(object, 'metadata', 'namespace');
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, ...(typeof namespace === 'string' && { namespace }) },
    // Its target is a number that the runtime decides, which no port of a container needs to name.
    spec: { selector, ports: [{ port: SERVICE_PORT }] },
  };
  if (!canary) return { service, role: 'stable' };
  const { trafficPercent } = canary;
  if (routing === 'unknown') return { service, role: 'canary', percent: undefined };
  return { service, role: 'canary', percent: routing === 'gateway' && isInt32(trafficPercent) ? trafficPercent : 0 };
}
