import { plainly, set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { RollingSyncSimulation } from '../../../core/simulations/rolling-sync';
import { counted } from '../../../core/words';
import { setWith, step } from './examples';

interface ZeroData {
  readonly step: number;
  /** Applications of the ApplicationSet that are never synced for it. */
  readonly left: number;
}

/** A step of which nothing may sync. */
export const zeroMaxUpdate = rule({
  code: 'argo-cd/zero-max-update',
  since: '0.1.0',
  severity: 'error',
  fires: 'maxUpdate of a step is 0, "0%" or below, and the step selects an Application.',
  why: 'No Application of the step is ever synced, so no later step opens either, and there is no deadline.',
  fix: 'Write at least 1, or a percentage above 0%, which is at least 1; or delete maxUpdate.',
  example: setWith(...step('dev', 'maxUpdate: 0'), ...step('prod')),
  fixed: setWith(...step('dev', 'maxUpdate: 1'), ...step('prod')),
  messages: {
    stands: message<ZeroData>({
      text: ({ step: number, left }) =>
        `maxUpdate of step ${number} lets nothing sync: it stands still there for good, with ${counted(left, 'Application')} not synced.`,
      help: () => 'Write at least 1, or delete maxUpdate.',
      advice: (_data, path) => plainly(set(path, 1)),
      sample: { step: 1, left: 4 },
    }),
  },
});

/** A step that never ends. */
export function zeroMaxUpdateFindings({ halted, applications, unmatchedCount, waves }: RollingSyncSimulation): Finding[] {
  if (halted?.reason !== 'zero-max-update') return [];
  const left = applications - unmatchedCount - waves.reduce((sum, { count }) => sum + count, 0);
  const path = at`spec.strategy.rollingSync.steps[${halted.step - 1}].maxUpdate`;
  return [zeroMaxUpdate.finding('stands', { path, data: { step: halted.step, left } })];
}
