import { at } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { counted, listed } from '../../../core/words';
import type { RolloutStrategy } from '../strategy';
import { rolloutWith } from './examples';

interface PausesData {
  /** Counted from 1. */
  readonly steps: readonly number[];
}

interface ByHandData {
  readonly replicas: number;
}

/** A rollout that goes on only when somebody says so. */
export const endlessPause = rule({
  code: 'argo-rollouts/endless-pause',
  since: '0.1.0',
  severity: 'info',
  fires: 'A canary has a pause without a duration, or a blue-green rollout has autoPromotionEnabled: false.',
  why:
    'The rollout stands there until somebody promotes it; no deadline counts while it is paused. Until then pods of both versions run, ' +
    'and a pipeline that waits for the Rollout waits as well.',
  fix: 'Nothing, where somebody is meant to look; else write a duration (`pause: { duration: 10m }`), or autoPromotionSeconds.',
  example: rolloutWith('canary:\n  steps:\n    - setWeight: 25\n    - pause: {}'),
  fixed: rolloutWith('canary:\n  steps:\n    - setWeight: 25\n    - pause: { duration: 10m }'),
  messages: {
    pauses: message<PausesData>({
      text: ({ steps }) =>
        `${steps.length === 1 ? 'Step' : 'Steps'} ${listed(steps.map(String))} of the canary ${steps.length === 1 ? 'is a pause' : 'are pauses'} without a duration: ` +
        'the rollout stands there until somebody promotes it.',
      help: () => 'Promote it with "kubectl argo rollouts promote", or write a duration.',
      sample: { steps: [2] },
      variants: [{ steps: [2, 4] }],
    }),
    byHand: message<ByHandData>({
      text: ({ replicas }) =>
        `autoPromotionEnabled is false: the new ${counted(replicas, 'pod')} ${replicas === 1 ? 'runs' : 'run'} beside the old until somebody promotes the rollout.`,
      help: () => 'Promote it with "kubectl argo rollouts promote", or write autoPromotionSeconds and leave autoPromotionEnabled out.',
      sample: { replicas: 4 },
    }),
  },
});

/** Where a rollout waits for somebody. */
export function endlessPauseFindings(strategy: RolloutStrategy, newPods: number): Finding[] {
  if (strategy.type === 'blueGreen') {
    if (strategy.promotes !== 'by hand') return [];
    return [endlessPause.finding('byHand', { path: at`spec.strategy.blueGreen.autoPromotionEnabled`, data: { replicas: newPods } })];
  }
  const steps = strategy.steps.flatMap((step, index) => (step.does === 'pause' && step.seconds === undefined ? [index + 1] : []));
  const [first] = steps;
  if (first === undefined) return [];
  const path: FieldPath = at`spec.strategy.canary.steps[${first - 1}].pause`;
  return [endlessPause.finding('pauses', { path, data: { steps } })];
}
