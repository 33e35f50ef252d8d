import { CapacityError } from '../cluster/room/capacity';
import { errorText } from '../core/error-text';
import { childPath, WHOLE_OBJECT } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { isSure } from '../core/is-sure';
import { isFields, isInstance } from '../core/manifest';
import type { Fields } from '../core/manifest';
import { nearestName } from '../core/nearest-name';
import { OptionError } from '../core/option-error';
import { describeType } from '../core/field-type';
import { ANY, MAP, STRINGS, STRING_MAP, map, nameOfField, ofKind, schemaProblems, whole } from '../core/schema';
import type { ProblemOf, SchemasOf } from '../core/schema';
import { describeValue } from '../core/seen';
import { VersionError } from '../core/versions';
import { listed } from '../core/words';
import { readProps } from '../input/given-value';
import type { PlanOptions } from './plan-options';

/** All options of a plan; what is wrong with those of any type is said where they are read. */
export const PLAN_OPTIONS: SchemasOf<PlanOptions> = {
  versions: STRING_MAP,
  kserveConfig: MAP,
  clusters: ANY,
  neverReady: STRINGS,
  notReadyNow: STRINGS,
  startupSeconds: ANY,
  capacity: ANY,
  budget: MAP,
};

function wordsOf(problem: ProblemOf<'wrong-type' | 'unknown'>): string {
  if (problem.kind === 'wrong-type') return `${problem.path} is ${describeValue(problem.value)}: write ${describeType(problem.expected)}`;
  const name = nameOfField(problem);
  return `there is no option ${JSON.stringify(name)}: write ${nearestName(name, problem.known) ?? listed(problem.known, 'or')}`;
}

/** Where the first instance of a class stands in a value, such as a Map, whose entries nobody would read; undefined where there is none. */
function instanceIn(value: unknown, path: FieldPath): FieldPath | undefined {
  if (isInstance(value)) return path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const key of Object.keys(value)) {
    const part = Array.isArray(value) ? Number(key) : key;
    const found = instanceIn((value as Fields)[key], childPath(path, part));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The options of a program as they are read: once, and as plain data, the inventory apart, which may be of a million clusters.
 *
 * @param known - all that may be given
 * @throws OptionError that names the option, for what JavaScript and casts can bring
 */
export function givenOptions<T extends object>(given: T, known: SchemasOf<T>): T {
  if (!isSure(() => isFields(given))) throw new OptionError(`the options are ${describeValue(given)}: write a map, or leave them out`);
  const { clusters, ...others }: Pick<PlanOptions, 'clusters'> = asOption(() => ({ ...given }));
  const read = readProps(others);
  if (read.unreadable !== undefined) throw new OptionError(`the options cannot be used: ${read.unreadable}`);
  const [problem] = ofKind(schemaProblems(read.props, whole(map(known)), WHOLE_OBJECT, { takesNulls: false }), 'wrong-type', 'unknown');
  if (problem) throw new OptionError(wordsOf(problem));
  // A ConfigMap may hold values of an adapter under keys that nobody reads.
  const { kserveConfig: _, ...plain }: Pick<PlanOptions, 'kserveConfig'> = read.props;
  const instance = read.isPlain ? undefined : instanceIn(plain, WHOLE_OBJECT);
  if (instance !== undefined) throw new OptionError(`${instance} is an instance of a class: write a plain map`);
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
