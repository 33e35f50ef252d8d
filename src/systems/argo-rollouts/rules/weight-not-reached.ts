import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { joinTruncatedNames, pluralize, truncateNames } from '../../../core/text/text-format';
import { splitByWeight } from '../canary-pod-counts';
import { resolveCanaryLimits } from '../strategy';
import type { ArgoRolloutStrategy } from '../strategy';
import { renderArgoRollout } from './examples';

/** A setWeight, and the percentage of the requests that its pods get. */
interface ReachedWeight {
  readonly weight: number;
  readonly reached: number;
}

interface WeightData {
  readonly replicas: number;
  readonly surge: number;
  readonly weights: readonly ReachedWeight[];
}

/** Points by which a share may differ from its weight. */
const TOLERANCE = 1;

const STEPS = (weight: number) => `canary:
  steps:
    - setWeight: ${weight}
    - pause: { duration: 5m }
`;

/** Reports weights that the numbers of pods cannot reach. */
export const weightNotReached = defineRule({
  code: 'argo-rollouts/weight-not-reached',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A canary without a router has a setWeight that its number of pods cannot reach, or its trafficRouting names no router.',
  why:
    'Without trafficRouting a Service sends requests to all ready pods alike, so the share of the canary is its share of the pods. ' +
    'The controller picks the numbers that come closest: with one replica and a surge of one, every weight is 50%. ' +
    'With `trafficRouting: {}` the controller refuses nothing and sets no weights. ' +
    'Source: Argo Rollouts v1.9.1, rollout/trafficrouting.go, and utils/replicaset/canary.go, `approximateWeightedCanaryStableReplicaCounts`.',
  fix: 'Set a weight that the pods can reach, run more replicas, or use `trafficRouting`, whose weights are exact.',
  example: renderArgoRollout(STEPS(10)),
  fixedExample: renderArgoRollout(STEPS(20)),
  messages: {
    noRouter: defineMessage<object>({
      text: () =>
        'trafficRouting names no router: no setWeight moves a request, but the controller creates the pods of a canary with a router.',
      help: () => 'Name a router in trafficRouting, with stableService and canaryService, or delete trafficRouting.',
      sample: {},
    }),
    rounded: defineMessage<WeightData>({
      text: ({ replicas, surge, weights }) =>
        `Without a router, pods share the requests: with ${pluralize(replicas, 'replica')} and a surge of ${surge}, ` +
        `${joinTruncatedNames(truncateNames(weights.map(({ weight, reached }) => `setWeight ${weight} reaches ${reached}%`)))}.`,
      help: () => 'Set weights that the pods can reach, run more replicas, or use trafficRouting.',
      sample: { replicas: 3, surge: 1, weights: [{ weight: 10, reached: 25 }] },
      variants: [
        {
          replicas: 1,
          surge: 1,
          weights: [
            { weight: 10, reached: 50 },
            { weight: 25, reached: 50 },
          ],
        },
      ],
    }),
  },
});

/** Reports trafficRouting without a router, or the weights of a canary without trafficRouting that are not reached, at the first of them. */
export function checkWeightNotReached(strategy: ArgoRolloutStrategy, replicas: number): Finding[] {
  if (strategy.type === 'blueGreen' || replicas === 0) return [];
  if (strategy.lacksRouter && strategy.steps.some(({ does }) => does === 'setWeight'))
    return [weightNotReached.createFinding('noRouter', { path: toFieldPath`spec.strategy.canary.trafficRouting`, data: {} })];
  if (strategy.isRouted) return [];
  const { surge } = resolveCanaryLimits(strategy, replicas);
  const missed = strategy.steps.flatMap((step, index) => {
    if (step.does !== 'setWeight' || step.weight <= 0 || step.weight >= strategy.maxWeight) return [];
    const { next, old } = splitByWeight(replicas, step.weight, strategy.maxWeight, surge);
    const reached = (100 * next) / (next + old);
    // Without any pod, `canary-vanishes` reports the step.
    if (Math.abs(reached - step.weight) <= TOLERANCE || (next === 0 && replicas > 1)) return [];
    return [{ index, weight: step.weight, reached: Math.round(reached) }];
  });
  const [first] = missed;
  if (!first) return [];
  const weights = [...new Map(missed.map(({ weight, reached }) => [weight, { weight, reached }])).values()];
  const path = toFieldPath`spec.strategy.canary.steps[${first.index}].setWeight`;
  return [weightNotReached.createFinding('rounded', { path, data: { replicas, surge, weights } })];
}
