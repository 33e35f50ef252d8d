import { APPLY_MODES } from '../core/document/change';
import type { ApplyMode } from '../core/document/change';
import { OptionError } from '../core/errors/option-error';
import { ANY, BOOLEAN } from '../core/values/schema';
import type { SchemasFor } from '../core/values/schema';
import { describeValue } from '../core/text/display-value';
import { joinWords } from '../core/text/text-format';
import { validateOptions } from '../plan/validate-options';
import type { PlanOptions } from '../plan/plan-options';

/** Options of a change plan, in addition to the objects of both sides. */
export interface ChangeOptions extends PlanOptions {
  /** How NEW is applied. @default - detected for each object from the last apply that OLD shows */
  readonly apply?: ApplyMode;
  /** Whether to delete what OLD has and NEW lacks. @default false */
  readonly prune?: boolean;
}

export const APPLY_OPTIONS: SchemasFor<Pick<ChangeOptions, 'apply' | 'prune'>> = { apply: ANY, prune: BOOLEAN };

/** @throws OptionError for an unknown apply mode */
export function assertKnownApplyMode(apply: unknown): void {
  if (apply === undefined || APPLY_MODES.some((mode) => mode === apply)) return;
  throw new OptionError(`apply is ${describeValue(apply)}: write ${joinWords(APPLY_MODES, 'or')}`);
}

/**
 * Validates the apply options that a program passes.
 *
 * @throws OptionError that names the option, for values that JavaScript and casts let through
 */
export function validateApplyOptions(options: Pick<ChangeOptions, 'apply' | 'prune'>): Pick<ChangeOptions, 'apply' | 'prune'> {
  const resolved = validateOptions(options, APPLY_OPTIONS);
  assertKnownApplyMode(resolved.apply);
  return resolved;
}
