import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { RollingSyncSimulation } from '../../../core/simulations/rolling-sync';
import { renderApplicationSetOver, renderApplicationSet, renderStep } from './examples';

interface OrderData {
  readonly steps: number;
}

/** Reports steps that one commit may reach in the wrong order. */
export const orderNotGuaranteed = defineRule({
  code: 'argo-cd/order-not-guaranteed',
  since: '0.1.0',
  severity: 'info',
  fires: 'More than one step of a RollingSync selects an Application, so one commit may reach several steps.',
  why:
    'The controller uses the status that each Application had at its last refresh. An Application of an earlier step that has not seen the commit yet is still Synced and Healthy. ' +
    'It counts as done, so a later step may start before it (argo-cd #29410, open at 3.5).',
  fix: 'Change nothing if the order is only a precaution. If a later step must never come first, give each environment its own branch or revision.',
  example: renderApplicationSet(...renderStep('dev'), ...renderStep('prod')),
  fixedExample: renderApplicationSetOver(['dev'], ...renderStep('dev')),
  messages: {
    stale: defineMessage<OrderData>({
      text: ({ steps }) =>
        `One commit may reach ${steps} steps: with a stale status, a later step may start before an earlier one (argo-cd #29410), so the order shown is not guaranteed.`,
      help: () => 'If the order must hold, give each environment its own revision.',
      sample: { steps: 2 },
    }),
  },
});

export function checkOrderNotGuaranteed({ steps }: RollingSyncSimulation): Finding[] {
  const reached = steps.filter(({ count }) => count > 0).length;
  return reached < 2
    ? []
    : [orderNotGuaranteed.createFinding('stale', { path: toFieldPath`spec.strategy.rollingSync.steps`, data: { steps: reached } })];
}
