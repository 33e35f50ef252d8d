import { set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { RollingSyncSimulation } from '../../../core/simulations/rolling-sync';
import { counted, firstNames, listedFirst } from '../../../core/words';
import { setWith, step } from './examples';

interface ZeroData {
  readonly step: number;
  /** Applications of the ApplicationSet that are never synced for it. */
  readonly left: number;
  /** Later steps of which nothing may sync either; absent where there are none. */
  readonly further?: readonly number[];
}

function maxUpdatePath(place: number): FieldPath {
  return at`spec.strategy.rollingSync.steps[${place - 1}].maxUpdate`;
}

/** What comes behind the first one, or nothing: " Steps 2 and 3 let nothing sync either." */
function furtherText(further: readonly number[]): string {
  if (further.length === 0) return '';
  return further.length === 1
    ? ` Step ${further[0]} lets nothing sync either.`
    : ` Steps ${listedFirst(firstNames(further.map(String)))} let nothing sync either.`;
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
      text: ({ step: number, left, further = [] }) =>
        `maxUpdate of step ${number} lets nothing sync: it stands still there for good, with ${counted(left, 'Application')} not synced.` +
        furtherText(further),
      help: ({ further }) => `Write at least 1, or delete maxUpdate${further ? ', in each of these steps' : ''}.`,
      advice: ({ further = [] }, path) => ({
        edits: [set(path, 1), ...further.map((number) => set(maxUpdatePath(number), 1))],
        decision: false,
      }),
      sample: { step: 1, left: 4 },
    }),
  },
});

/** A step that never ends. */
export function zeroMaxUpdateFindings({ halted, applications, unmatchedCount, waves, steps }: RollingSyncSimulation): Finding[] {
  if (halted?.reason !== 'zero-max-update') return [];
  const left = applications - unmatchedCount - waves.reduce((sum, { count }) => sum + count, 0);
  const further = steps
    .filter(({ step: number, count, maxUpdate = Infinity }) => number > halted.step && count > 0 && maxUpdate < 1)
    .map(({ step: number }) => number);
  const data = { step: halted.step, left, ...(further.length > 0 && { further }) };
  return [zeroMaxUpdate.finding('stands', { path: maxUpdatePath(halted.step), data })];
}
