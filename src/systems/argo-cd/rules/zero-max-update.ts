import { setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { RollingSyncSimulation } from '../../../core/simulations/rolling-sync';
import { pluralize, truncateNames, joinTruncatedNames } from '../../../core/text/text-format';
import { renderApplicationSet, renderStep } from './examples';

interface ZeroData {
  readonly step: number;
  /** The number of Applications that are never synced because of this step. */
  readonly remaining: number;
  /** The later steps that let nothing sync either. Unset if there are none. */
  readonly otherSteps?: readonly number[];
}

function buildMaxUpdatePath(stepNumber: number): FieldPath {
  return toFieldPath`spec.strategy.rollingSync.steps[${stepNumber - 1}].maxUpdate`;
}

/** Lists the other steps: " Steps 2 and 3 let nothing sync either." Empty if there are none. */
function formatOtherSteps(otherSteps: readonly number[]): string {
  if (otherSteps.length === 0) return '';
  return otherSteps.length === 1
    ? ` Step ${otherSteps[0]} lets nothing sync either.`
    : ` Steps ${joinTruncatedNames(truncateNames(otherSteps.map(String)))} let nothing sync either.`;
}

/** Reports a step with a maxUpdate that lets nothing sync. */
export const zeroMaxUpdate = defineRule({
  code: 'argo-cd/zero-max-update',
  since: '0.1.0',
  severity: 'error',
  fires: 'maxUpdate of a step is 0, "0%" or negative, and the step selects an Application.',
  why: 'No Application of the step is ever synced, so no later step opens either. There is no deadline.',
  fix: 'Write at least 1, write a percentage above 0% (which rounds to at least 1), or delete maxUpdate.',
  example: renderApplicationSet(...renderStep('dev', 'maxUpdate: 0'), ...renderStep('prod')),
  fixedExample: renderApplicationSet(...renderStep('dev', 'maxUpdate: 1'), ...renderStep('prod')),
  messages: {
    stuck: defineMessage<ZeroData>({
      text: ({ step: number, remaining, otherSteps = [] }) =>
        `maxUpdate of step ${number} lets nothing sync: the rollout deadlocks there, with ${pluralize(remaining, 'Application')} not synced.` +
        formatOtherSteps(otherSteps),
      help: ({ otherSteps }) => `Write at least 1 or delete maxUpdate${otherSteps ? ', in each of these steps' : ''}.`,
      suggestedFix: ({ otherSteps = [] }, path) => ({
        edits: [setField(path, 1), ...otherSteps.map((number) => setField(buildMaxUpdatePath(number), 1))],
        needsDecision: false,
      }),
      sample: { step: 1, remaining: 4 },
    }),
  },
});

/** Reports the step at which the rollout deadlocks because of its maxUpdate. */
export function checkZeroMaxUpdate({ halted, applications, unmatchedCount, waves, steps }: RollingSyncSimulation): Finding[] {
  if (halted?.reason !== 'zero-max-update') return [];
  const remaining = applications - unmatchedCount - waves.reduce((sum, { count }) => sum + count, 0);
  const otherSteps = steps
    .filter(({ step: number, count, maxUpdate = Infinity }) => number > halted.step && count > 0 && maxUpdate < 1)
    .map(({ step: number }) => number);
  const data = { step: halted.step, remaining, ...(otherSteps.length > 0 && { otherSteps }) };
  return [zeroMaxUpdate.createFinding('stuck', { path: buildMaxUpdatePath(halted.step), data })];
}
