import { CONTEXT_KINDS } from '../../cluster/context-kinds';
import { isInt32 } from '../../core/int-or-percent';
import { getFieldsAt, isFields, getListAt, getValueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { Application } from './applications';

/** One expression of a step, over the labels of Applications. */
export interface MatchExpression {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** One step as it is written. */
export interface Step {
  readonly expressions: readonly MatchExpression[];
  /** Undefined where it is left out. */
  readonly maxUpdate?: number | string;
}

/** How an ApplicationSet goes about its Applications. */
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

/** The strategy as the controller takes it. Source: Argo CD v3.5.1, progressive_sync.go, `IsRollingSyncStrategy`. */
export function parseApplicationSetStrategy(set: Manifest): ApplicationSetStrategy {
  const strategy = getFieldsAt(set, 'spec', 'strategy');
  if (strategy.type !== 'RollingSync' || !isFields(strategy.rollingSync)) return { type: 'all-at-once' };
  return { type: 'rolling-sync', steps: getListAt(strategy, 'rollingSync', 'steps').map(parseStep) };
}

/**
 * Does a step select an Application? All of its expressions have to match.
 *
 * Without the label In does not match, and any other operator does, also one that there is not; with it, In and NotIn go by the values,
 * and any other operator does not match.
 * Source: progressive_sync.go, `buildAppDependencyList`, `labelMatchedExpression`.
 */
export function isSelected({ expressions }: Step, { labels }: Application): boolean {
  return expressions.every(({ key, operator, values }) => {
    if (!Object.hasOwn(labels, key)) return operator !== 'In';
    if (operator !== 'In' && operator !== 'NotIn') return false;
    return values.includes(labels[key]!) === (operator === 'In');
  });
}

/** A percentage as Go's Atoi reads it, which takes a sign. */
const PERCENTAGE = /^[+-]?[0-9]+%$/;

/**
 * How many Applications of a step may sync at once; undefined for any number.
 *
 * A number is taken as it is. A percentage is rounded down, and is at least 1 unless it is written `0%`. A text that is no percentage,
 * a number in quotes among them, can't be read, and comes to 1: the log says that maxUpdate is ignored, and it is not.
 * Source: progressive_sync.go, `UpdateApplicationSetApplicationStatusProgress`.
 *
 * @param total Applications of the step, among them in the first those that no step selects
 */
export function resolveMaxUpdate({ maxUpdate }: Step, total: number): number | undefined {
  if (maxUpdate === undefined || typeof maxUpdate === 'number') return maxUpdate;
  const share = PERCENTAGE.test(maxUpdate) ? Math.floor((Number(maxUpdate.slice(0, -1)) * total) / 100) : 0;
  return maxUpdate !== '0%' && share < 1 ? 1 : share;
}

/** Where a value stands that says whether the controller goes by steps at all. */
export const PROGRESSIVE_SYNCS_FLAG = {
  configMap: CONTEXT_KINDS.argoCdParameters.name,
  key: 'applicationsetcontroller.enable.progressive.syncs',
} as const;

/** Is the controller's flag on, by the ConfigMap in view? Undefined without one. */
export function hasProgressiveSyncs(objects: readonly Manifest[]): boolean | undefined {
  const found = objects.find(
    (object) => object.kind === 'ConfigMap' && getValueAt(object, 'metadata', 'name') === PROGRESSIVE_SYNCS_FLAG.configMap,
  );
  if (!found) return undefined;
  const value = getValueAt(found, 'data', PROGRESSIVE_SYNCS_FLAG.key);
  return typeof value === 'string' && value.toLowerCase() === 'true';
}
