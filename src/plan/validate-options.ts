import { CapacityError } from '../cluster/capacity/parse-capacity';
import { getErrorMessage } from '../core/errors/error-message';
import { appendToPath, toFieldPath, ROOT_PATH } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import { testSafely } from '../core/collections/safe-predicate';
import { isFields, isClassInstance } from '../core/manifest/manifest';
import type { Fields } from '../core/manifest/manifest';
import { findClosestName } from '../core/errors/did-you-mean';
import { OPERATOR_RESOURCE_MAP_FIELDS, findOperatorResourceMapProblem } from '../core/sources/operator-resource-map';
import { OptionError } from '../core/errors/option-error';
import { describeType } from '../core/values/field-type';
import {
  ANY,
  MAP,
  STRING_LIST,
  STRING_MAP,
  defineList,
  defineMap,
  getProblemFieldName,
  filterProblems,
  findSchemaProblems,
  closeSchema,
} from '../core/values/schema';
import type { ProblemOf, SchemasFor } from '../core/values/schema';
import { describeValue } from '../core/text/display-value';
import { VersionError } from '../core/values/versions';
import { joinWords } from '../core/text/text-format';
import { BUDGET_NAMES } from '../input/read-budget';
import { readProps } from '../input/read-props';
import type { PlanOptions } from './plan-options';

/** Schemas of all options of a plan. Options of type `ANY` are validated when they are read. */
export const PLAN_OPTIONS: SchemasFor<PlanOptions> = {
  versions: STRING_MAP,
  kserveConfig: MAP,
  clusters: ANY,
  neverReady: STRING_LIST,
  notReadyNow: STRING_LIST,
  startupSeconds: ANY,
  measuredStartupSeconds: MAP,
  daemonSetNodes: MAP,
  operatorResources: closeSchema(defineList(OPERATOR_RESOURCE_MAP_FIELDS)),
  capacity: ANY,
  budget: closeSchema(defineMap(Object.fromEntries(BUDGET_NAMES.map((name) => [name, ANY])))),
};

function describeOptionProblem(problem: ProblemOf<'wrong-type' | 'unknown'>): string {
  if (problem.kind === 'wrong-type') return `${problem.path} is ${describeValue(problem.value)}: write ${describeType(problem.expected)}`;
  const name = getProblemFieldName(problem);
  return `there is no option ${JSON.stringify(name)}: write ${findClosestName(name, problem.knownFields) ?? joinWords(problem.knownFields, 'or')}`;
}

/** Finds the path of the first class instance in a value, such as a Map, whose entries would be ignored. Returns undefined if there is none. */
function findInstance(value: unknown, path: FieldPath): FieldPath | undefined {
  if (isClassInstance(value)) return path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const key of Object.keys(value)) {
    const part = Array.isArray(value) ? Number(key) : key;
    const found = findInstance((value as Fields)[key], appendToPath(path, part));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Validates the options of a program, and copies them to plain data. The inventory is not copied, because it may have a million clusters.
 *
 * @param known - schemas of all options
 * @throws OptionError that names the option, if it has another type, which JavaScript and casts allow
 */
export function validateOptions<T extends object>(options: T, known: SchemasFor<T>): T {
  if (!testSafely(() => isFields(options)))
    throw new OptionError(`the options are ${describeValue(options)}: write a map, or leave them out`);
  const { clusters, ...others }: Pick<PlanOptions, 'clusters'> = wrapAsOptionError(() => ({ ...options }));
  const read = readProps(others);
  if (read.unreadable !== undefined) throw new OptionError(`the options cannot be used: ${read.unreadable}`);
  const [problem] = filterProblems(
    findSchemaProblems(read.props, closeSchema(defineMap(known)), ROOT_PATH, { allowsNulls: false }),
    'wrong-type',
    'unknown',
  );
  if (problem) throw new OptionError(describeOptionProblem(problem));
  const { operatorResources = [] }: Pick<PlanOptions, 'operatorResources'> = read.props;
  const mapProblem = findOperatorResourceMapProblem(operatorResources, toFieldPath`operatorResources`);
  if (mapProblem) throw new OptionError(`${mapProblem.path}: ${mapProblem.message}`);
  // A ConfigMap may contain adapter values under keys that are never read.
  const { kserveConfig: _, ...plain }: Pick<PlanOptions, 'kserveConfig'> = read.props;
  const instance = read.isPlain ? undefined : findInstance(plain, ROOT_PATH);
  if (instance !== undefined) throw new OptionError(`${instance} is an instance of a class: write a plain map`);
  return { ...read.props, ...(clusters !== undefined && { clusters }) } as T;
}

/** Errors whose messages name the option. */
const SELF_DESCRIBING_ERRORS = [OptionError, VersionError, CapacityError, RangeError];

/**
 * Returns the result of `work`. If it fails, an option is the cause, because errors of objects are handled in `planDespiteFailures`.
 *
 * @throws OptionError with the message of the thrown error, unless that message names the option itself
 */
export function wrapAsOptionError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (SELF_DESCRIBING_ERRORS.some((Class) => error instanceof Class)) throw error;
    throw new OptionError(`the options cannot be used: ${getErrorMessage(error)}`, { cause: error });
  }
}
