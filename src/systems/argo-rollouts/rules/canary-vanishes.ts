import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { setField, suggestManualFix } from '../../../core/findings/suggested-fix';
import { pluralize } from '../../../core/text/text-format';
import { splitByWeight } from '../canary-pod-counts';
import { resolveCanaryLimits } from '../strategy';
import type { ArgoRolloutStrategy } from '../strategy';
import { renderArgoRollout } from './examples';

interface VanishData {
  readonly weight: number;
  readonly replicas: number;
  /** Weight at which the canary has all pods but one. */
  readonly nearest: number;
}

const CANARY = (weight: number) => `canary:
  maxSurge: 0
  maxUnavailable: 1
  steps:
    - setWeight: 50
    - pause: { duration: 5m }
    - setWeight: ${weight}
    - pause: { duration: 5m }
`;

/** Reports weights at which the controller scales the canary to 0. */
export const canaryVanishes = defineRule({
  code: 'argo-rollouts/canary-vanishes',
  since: '0.1.0',
  severity: 'error',
  fires: 'A canary without a router and without a surge has a setWeight for which the controller finds no number of pods.',
  why:
    'Without a surge, the controller tries the pods for the weight, rounded up and down. Rounded up, the canary would have all pods, which it rejects; ' +
    'rounded down, it rejects a result that lies exactly in the middle. Nothing is left, and the canary gets no pod: the step scales the new version away. ' +
    'Examples are 2 replicas at 75%, 5 at 90% and 10 at 95%. ' +
    'Source: Argo Rollouts v1.9.1, utils/replicaset/canary.go, `approximateWeightedCanaryStableReplicaCounts`.',
  fix: 'Write a weight that the pods can reach, or allow a surge of one pod.',
  example: renderArgoRollout(CANARY(90)).replace('replicas: 4', 'replicas: 5'),
  fixedExample: renderArgoRollout(CANARY(80)).replace('replicas: 4', 'replicas: 5'),
  messages: {
    noPod: defineMessage<VanishData>({
      text: ({ weight, replicas }) =>
        `setWeight ${weight} with ${pluralize(replicas, 'replica')} and no surge gives the canary no pod: the controller finds no split and scales the new version to 0.`,
      help: ({ nearest }) => `Write setWeight ${nearest}, or a maxSurge of 1.`,
      suggestedFix: ({ nearest }, path) => suggestManualFix(setField(path, nearest)),
      sample: { weight: 90, replicas: 5, nearest: 80 },
    }),
  },
});

/** Reports the steps of a canary without a router whose weight leaves it without a pod. */
export function checkCanaryVanishes(strategy: ArgoRolloutStrategy, replicas: number): Finding[] {
  if (strategy.type === 'blueGreen' || strategy.isRouted || replicas < 2) return [];
  const { surge } = resolveCanaryLimits(strategy, replicas);
  return strategy.steps.flatMap((step, index) => {
    if (step.does !== 'setWeight' || step.weight <= 0 || step.weight >= strategy.maxWeight) return [];
    if (splitByWeight(replicas, step.weight, strategy.maxWeight, surge).next > 0) return [];
    const path = toFieldPath`spec.strategy.canary.steps[${index}].setWeight`;
    const nearest = Math.round((100 * (replicas - 1)) / replicas);
    return [canaryVanishes.createFinding('noPod', { path, data: { weight: step.weight, replicas, nearest } })];
  });
}
