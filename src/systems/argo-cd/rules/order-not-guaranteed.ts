import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { RollingSyncSimulation } from '../../../core/simulations/rolling-sync';
import { setOver, setWith, step } from './examples';

interface OrderData {
  readonly steps: number;
}

/** Steps that one commit reaches, of which a later one may start first. */
export const orderNotGuaranteed = rule({
  code: 'argo-cd/order-not-guaranteed',
  since: '0.1.0',
  severity: 'info',
  fires: 'More than one step of a RollingSync selects an Application, so one commit may reach several.',
  why:
    'The controller goes by the status that each Application had when it was last looked at. One of an earlier step that still reads as Synced and Healthy, for its commit ' +
    'has not been seen yet, counts as done, and a later step may start before it (argo-cd #29410, open at 3.5).',
  fix: 'Nothing, where the order is a matter of care; where a later step must never come first, give the environments branches or revisions of their own.',
  example: setWith(...step('dev'), ...step('prod')),
  fixed: setOver(['dev'], ...step('dev')),
  messages: {
    stale: message<OrderData>({
      text: ({ steps }) =>
        `One commit may reach ${steps} steps: with a status that is stale a later step may start before an earlier one (argo-cd #29410), so the order shown is not guaranteed.`,
      help: () => 'Give the environments revisions of their own where the order has to hold.',
      sample: { steps: 2 },
    }),
  },
});

export function orderFindings({ steps }: RollingSyncSimulation): Finding[] {
  const reached = steps.filter(({ count }) => count > 0).length;
  return reached < 2 ? [] : [orderNotGuaranteed.finding('stale', { path: at`spec.strategy.rollingSync.steps`, data: { steps: reached } })];
}
