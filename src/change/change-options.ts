import { APPLY_MODES } from '../core/change';
import type { ApplyMode } from '../core/change';
import { OptionError } from '../core/option-error';
import { ANY, BOOLEAN } from '../core/schema';
import type { SchemasFor } from '../core/schema';
import { describeValue } from '../core/display-value';
import { joinWords } from '../core/text-format';
import { validateOptions } from '../plan/validate-options';
import type { PlanOptions } from '../plan/plan-options';

/** What the plan of a change is told beside the objects of both sides. */
export interface ChangeOptions extends PlanOptions {
  /** How NEW reaches the cluster. @default - settled for each object by what OLD shows of its last apply */
  readonly apply?: ApplyMode;
  /** Delete what OLD has and NEW lacks. @default false */
  readonly prune?: boolean;
}

export const APPLY_OPTIONS: SchemasFor<Pick<ChangeOptions, 'apply' | 'prune'>> = { apply: ANY, prune: BOOLEAN };

/** Throws for a way to apply that there is not. */
export function assertKnownApplyMode(apply: unknown): void {
  if (apply === undefined || APPLY_MODES.some((mode) => mode === apply)) return;
  throw new OptionError(`apply is ${describeValue(apply)}: write ${joinWords(APPLY_MODES, 'or')}`);
}

/**
 * How a change is applied, as a program gives it.
 *
 * @throws OptionError that names the option, for what JavaScript and casts can bring
 */
export function validateApplyOptions(options: Pick<ChangeOptions, 'apply' | 'prune'>): Pick<ChangeOptions, 'apply' | 'prune'> {
  const resolved = validateOptions(options, APPLY_OPTIONS);
  assertKnownApplyMode(resolved.apply);
  return resolved;
}
