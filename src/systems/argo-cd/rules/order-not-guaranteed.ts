import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { RollingSyncSimulation } from '../../../core/simulations/rolling-sync';
import { renderApplicationSetOver, renderApplicationSet, renderStep } from './examples';

interface OrderData {
  readonly steps: number;
}

/** Steps that one commit reaches, of which a later one may start first. */
export const orderNotGuaranteed = defineRule({
  code: 'argo-cd/order-not-guaranteed',
  since: '0.1.0',
  severity: 'info',
  fires: 'More than one step of a RollingSync selects an Application, so one commit may reach several.',
  why:
    'The controller goes by the status that each Application had when it was last looked at. One of an earlier step that still reads as Synced and Healthy, for its commit ' +
    'has not been seen yet, counts as done, and a later step may start before it (argo-cd #29410, open at 3.5).',
  fix: 'Nothing, where the order is a matter of care; where a later step must never come first, give the environments branches or revisions of their own.',
  example: renderApplicationSet(...renderStep('dev'), ...renderStep('prod')),
  fixedExample: renderApplicationSetOver(['dev'], ...renderStep('dev')),
  messages: {
    stale: defineMessage<OrderData>({
      text: ({ steps }) =>
        `One commit may reach ${steps} steps: with a status that is stale a later step may start before an earlier one (argo-cd #29410), so the order shown is not guaranteed.`,
      help: () => 'Give the environments revisions of their own where the order has to hold.',
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
