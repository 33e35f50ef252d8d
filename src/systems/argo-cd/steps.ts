import { CONTEXT_KINDS } from '../../cluster/kinds/context-kinds';
import { isInt32 } from '../../core/values/int-or-percent';
import { getFieldsAt, isFields, getListAt, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { pluralize } from '../../core/text/text-format';
import type { Application } from './applications';

/** An expression of a step, evaluated on the labels of Applications. */
export interface MatchExpression {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** A step as written in the ApplicationSet. */
export interface Step {
  readonly expressions: readonly MatchExpression[];
  /** Undefined if omitted. */
  readonly maxUpdate?: number | string;
}

/** The strategy by which an ApplicationSet syncs its Applications. */
export type ApplicationSetStrategy = { readonly type: 'all-at-once' } | { readonly type: 'rolling-sync'; readonly steps: readonly Step[] };

function parseStep(step: unknown): Step {
  const { maxUpdate } = getFieldsAt(step);
  return {
    expressions: getListAt(step, 'matchExpressions').map((expression) => {
      const { key, operator, values } = getFieldsAt(expression);
      return {
        key: typeof key === 'string' ? key : '',
        operator: typeof operator === 'string' ? operator : '',
        values: Array.isArray(values) ? values.filter((value): value is string => typeof value === 'string') : [],
      };
    }),
    ...((isInt32(maxUpdate) || typeof maxUpdate === 'string') && { maxUpdate }),
  };
}

/** Returns the strategy as the controller reads it. Source: Argo CD v3.5.1, progressive_sync.go, `IsRollingSyncStrategy`. */
export function parseApplicationSetStrategy(set: Manifest): ApplicationSetStrategy {
  const strategy = getFieldsAt(set, 'spec', 'strategy');
  if (strategy.type !== 'RollingSync' || !isFields(strategy.rollingSync)) return { type: 'all-at-once' };
  return { type: 'rolling-sync', steps: getListAt(strategy, 'rollingSync', 'steps').map(parseStep) };
}

/**
 * Most pairs of a step, or of an expression of one, and an Application that are simulated. Each pair takes time in several rules, and memory
 * if the step selects the Application.
 */
const MAX_PAIRS = 10_000_000;

/** @throws RangeError for more steps and Applications than can be simulated, which is a finding about the ApplicationSet */
export function assertSimulable(steps: readonly Step[], applications: readonly Application[]): void {
  const expressions = steps.reduce((sum, step) => sum + step.expressions.length, 0);
  if (Math.max(steps.length, expressions) * applications.length <= MAX_PAIRS) return;
  throw new RangeError(
    `${pluralize(steps.length, 'step')} with ${pluralize(expressions, 'expression')} and ${pluralize(applications.length, 'Application')} are too many to simulate`,
  );
}

const VALUE_SETS = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Reports whether a value is in a list, which may be long and is searched for many Applications. */
function includesValue(values: readonly string[], value: string): boolean {
  const known = VALUE_SETS.get(values) ?? new Set(values);
  VALUE_SETS.set(values, known);
  return known.has(value);
}

/**
 * Reports whether a step selects an Application: all of its expressions must match.
 *
 * If the label is missing, In does not match and any other operator does, including unsupported ones. If the label is set, In and NotIn
 * compare the values and any other operator does not match.
 * Source: progressive_sync.go, `buildAppDependencyList`, `labelMatchedExpression`.
 */
export function isSelected({ expressions }: Step, { labels }: Application): boolean {
  return expressions.every(({ key, operator, values }) => {
    if (!Object.hasOwn(labels, key)) return operator !== 'In';
    if (operator !== 'In' && operator !== 'NotIn') return false;
    return includesValue(values, labels[key]!) === (operator === 'In');
  });
}

/** A percentage in the format of Go's Atoi, which allows a sign. */
const PERCENTAGE = /^[+-]?[0-9]+%$/;

/**
 * Returns how many Applications of a step may sync at once; undefined if there is no limit.
 *
 * A number is used as is. A percentage is rounded down, to at least 1 unless it is written `0%`: `25%` of 10 is 2, of 3 is 1. Any other
 * string, such as a quoted number, cannot be parsed and counts as 1: the log says that maxUpdate is ignored, but it is not.
 * Source: progressive_sync.go, `UpdateApplicationSetApplicationStatusProgress`.
 *
 * @param total - the number of Applications of the step; for the first step this includes Applications that no step selects
 */
export function resolveMaxUpdate({ maxUpdate }: Step, total: number): number | undefined {
  if (maxUpdate === undefined || typeof maxUpdate === 'number') return maxUpdate;
  const share = PERCENTAGE.test(maxUpdate) ? Math.floor((Number(maxUpdate.slice(0, -1)) * total) / 100) : 0;
  return maxUpdate !== '0%' && share < 1 ? 1 : share;
}

/** The ConfigMap key that enables progressive syncs in the controller. */
export const PROGRESSIVE_SYNCS_FLAG = {
  configMap: CONTEXT_KINDS.argoCdParameters.name,
  key: 'applicationsetcontroller.enable.progressive.syncs',
} as const;

/** Reports whether the ConfigMap in the input turns the controller's flag on; undefined without that ConfigMap. */
export function hasProgressiveSyncs(objects: readonly Manifest[]): boolean | undefined {
  const found = objects.find(
    (object) => object.kind === 'ConfigMap' && getValueAt(object, 'metadata', 'name') === PROGRESSIVE_SYNCS_FLAG.configMap,
  );
  if (!found) return undefined;
  const value = getValueAt(found, 'data', PROGRESSIVE_SYNCS_FLAG.key);
  return typeof value === 'string' && value.toLowerCase() === 'true';
}
