import { CapacityError } from '../cluster/room/capacity';
import { errorText } from '../core/error-text';
import { WHOLE_OBJECT } from '../core/field-path';
import { isFields } from '../core/manifest';
import { OptionError } from '../core/option-error';
import { describeType } from '../core/field-type';
import { MAP, STRINGS, STRING_MAP, map, ofKind, schemaProblems } from '../core/schema';
import { describeValue } from '../core/seen';
import { VersionError } from '../core/versions';
import { readProps } from '../input/given-value';
import type { PlanOptions } from './plan-options';

/** Options whose types nothing else looks at; what is wrong with the others is said where they are read. */
const OPTIONS = map({ versions: STRING_MAP, kserveConfig: MAP, neverReady: STRINGS, notReadyNow: STRINGS, budget: MAP });

/**
 * The options of a program as they are read: once, and as plain data, the inventory apart, which may be of a million clusters.
 *
 * @throws OptionError that names the option, for what JavaScript and casts can bring
 */
export function givenOptions<T extends PlanOptions>(given: T): T {
  if (!asOption(() => isFields(given))) throw new OptionError(`the options are ${describeValue(given)}: write a map, or leave them out`);
  const { clusters, ...others } = asOption(() => ({ ...given }));
  const read = readProps(others);
  if (read.unreadable !== undefined) throw new OptionError(`the options cannot be used: ${read.unreadable}`);
  const [problem] = ofKind(schemaProblems(read.props, OPTIONS, WHOLE_OBJECT, { takesNulls: false }), 'wrong-type');
  if (problem) throw new OptionError(`${problem.path} is ${describeValue(problem.value)}: write ${describeType(problem.expected)}`);
  return { ...read.props, ...(clusters !== undefined && { clusters }) } as T;
}

/** Errors that say which option they are about. */
const SAYS_ITSELF = [OptionError, VersionError, CapacityError, RangeError];

/**
 * What `work` gives, for which an option is at fault if it fails: objects are looked at elsewhere.
 *
 * @throws OptionError with what was thrown, unless that says itself which option it is about
 */
export function asOption<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (SAYS_ITSELF.some((Class) => error instanceof Class)) throw error;
    throw new OptionError(`the options cannot be used: ${errorText(error)}`, { cause: error });
  }
}
