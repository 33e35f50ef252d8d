import { appendToPath } from '../../../core/manifest/field-path';
import { getParentPath } from '../../../core/findings/suggested-fix';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { CanaryRouting } from '../canary-routing';
import type { ServiceCanary } from '../service';
import { renderCanaryService } from './examples';

interface TrafficData {
  /** Name of the canary. */
  readonly canary: string;
  readonly percent: number;
  /** KServe version of the plan. */
  readonly version: string;
}

type RouteData = Omit<TrafficData, 'version'>;

const ROUTE_SAMPLE: RouteData = { canary: 'v2', percent: 20 };

/** Reports canaries that get no requests. */
export const canaryWithoutTraffic = defineRule({
  code: 'kserve/canary-without-traffic',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires: 'A canary of spec.canary has a trafficPercent (since KServe 0.20), and no route of the Gateway API certainly reads it.',
  why:
    'KServe 0.20.0 creates the Deployment and the Service of a canary, but no route reads its trafficPercent: the stable predictor gets all requests. ' +
    'The split came after this release (pull requests 5912 and 5984), only for routes of the Gateway API, and only for canaries with an available pod. ' +
    'With an Ingress or a VirtualService a canary gets no requests in any version. The rule is silent if the ConfigMap sets enableGatewayApi. ' +
    'Source: KServe v0.20.0, pkg/controller/v1beta1; later, reconcilers/ingress/httproute_reconciler.go, `applyCanaryWeights`.',
  fix: 'Use a route of your own that sends a share to the Service of the canary, or wait for a later version and set `enableGatewayApi`.',
  example: renderCanaryService(),
  fixedExample: renderCanaryService().replace('trafficPercent: 25', 'trafficPercent: 0'),
  messages: {
    none: defineMessage<TrafficData>({
      text: ({ canary, percent, version }) =>
        `KServe ${version} starts the pods of canary ${canary} and sends them no requests: only later versions read trafficPercent ${percent}.`,
      help: () => 'Send a share to the Service of the canary with a route of your own.',
      sample: { canary: 'v2', percent: 20, version: '0.20' },
    }),
    gateway: defineMessage<RouteData>({
      text: ({ canary, percent }) =>
        `Canary ${canary} gets ${percent}% of the requests only if the ConfigMap sets enableGatewayApi, and once one of its pods is available.`,
      help: () => 'Check enableGatewayApi in the key ingress of the ConfigMap "inferenceservice-config", or pass it with --kserve-config.',
      sample: ROUTE_SAMPLE,
    }),
    ingress: defineMessage<RouteData>({
      text: ({ canary, percent }) =>
        `KServe starts the pods of canary ${canary} and sends them no requests: only routes of the Gateway API split by trafficPercent ${percent}, and the ConfigMap does not set enableGatewayApi.`,
      help: () =>
        'Set enableGatewayApi in the key ingress of the ConfigMap, or send a share to the Service of the canary with a route of your own.',
      sample: ROUTE_SAMPLE,
    }),
    noRoute: defineMessage<RouteData>({
      text: ({ canary, percent }) =>
        `KServe starts the pods of canary ${canary} and sends them no requests: it creates no route for this service, which could split by trafficPercent ${percent}.`,
      help: () => 'Send a share to the Service of the canary with a route of your own.',
      sample: ROUTE_SAMPLE,
    }),
  },
});

/** Reports what a canary gets of its trafficPercent. */
export function checkCanaryWithoutTraffic(
  { name = '', path, trafficPercent }: ServiceCanary,
  routing: CanaryRouting,
  version: string,
): Finding[] {
  if (typeof trafficPercent !== 'number' || trafficPercent <= 0 || routing === 'gateway') return [];
  const occurrence = { path: appendToPath(getParentPath(path), 'trafficPercent') };
  const data = { canary: name, percent: trafficPercent };
  if (routing === 'unknown') return [canaryWithoutTraffic.createFinding('gateway', { ...occurrence, severity: 'info', data })];
  if (routing === 'version') return [canaryWithoutTraffic.createFinding('none', { ...occurrence, data: { ...data, version } })];
  return [canaryWithoutTraffic.createFinding(routing === 'ingress' ? 'ingress' : 'noRoute', { ...occurrence, data })];
}
