import { toFieldPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { pluralize, joinWords } from '../../../core/text/text-format';
import type { ArgoRolloutStrategy } from '../strategy';
import { renderArgoRollout } from './examples';

interface PausesData {
  /** Counted from 1. */
  readonly steps: readonly number[];
}

interface ByHandData {
  readonly replicas: number;
}

/** Reports a rollout that continues only when a user promotes it. */
export const endlessPause = defineRule({
  code: 'argo-rollouts/endless-pause',
  since: '0.1.0',
  severity: 'info',
  fires: 'A canary has a pause without a duration, or a blue-green rollout has autoPromotionEnabled: false.',
  why:
    'The rollout waits there until a user promotes it. No deadline counts while it is paused. Until then pods of both versions run, ' +
    'and a pipeline that waits for the Rollout also waits.',
  fix: 'Change nothing if a user is meant to promote it. Otherwise write a duration (`pause: { duration: 10m }`) or autoPromotionSeconds.',
  example: renderArgoRollout('canary:\n  steps:\n    - setWeight: 25\n    - pause: {}'),
  fixedExample: renderArgoRollout('canary:\n  steps:\n    - setWeight: 25\n    - pause: { duration: 10m }'),
  messages: {
    pauses: defineMessage<PausesData>({
      text: ({ steps }) =>
        `${steps.length === 1 ? 'Step' : 'Steps'} ${joinWords(steps.map(String))} of the canary ${steps.length === 1 ? 'is a pause' : 'are pauses'} without a duration: ` +
        'the rollout waits there until a user promotes it.',
      help: () => 'Promote it with "kubectl argo rollouts promote", or write a duration.',
      sample: { steps: [2] },
      variants: [{ steps: [2, 4] }],
    }),
    byHand: defineMessage<ByHandData>({
      text: ({ replicas }) =>
        `autoPromotionEnabled is false: the ${pluralize(replicas, 'new pod')} ${replicas === 1 ? 'runs' : 'run'} next to the old ones until a user promotes the rollout.`,
      help: () => 'Promote it with "kubectl argo rollouts promote", or write autoPromotionSeconds and delete autoPromotionEnabled.',
      sample: { replicas: 4 },
    }),
  },
});

/** Reports where a rollout waits for a user. */
export function checkEndlessPause(strategy: ArgoRolloutStrategy, newPods: number): Finding[] {
  if (strategy.type === 'blueGreen') {
    if (strategy.promotion !== 'manual') return [];
    return [
      endlessPause.createFinding('byHand', {
        path: toFieldPath`spec.strategy.blueGreen.autoPromotionEnabled`,
        data: { replicas: newPods },
      }),
    ];
  }
  const steps = strategy.steps.flatMap((step, index) => (step.does === 'pause' && step.seconds === undefined ? [index + 1] : []));
  const [first] = steps;
  if (first === undefined) return [];
  const path: FieldPath = toFieldPath`spec.strategy.canary.steps[${first - 1}].pause`;
  return [endlessPause.createFinding('pauses', { path, data: { steps } })];
}
