import { isDigitString } from '../../core/values/int-or-percent';
import type { IntOrPercent } from '../../core/values/int-or-percent';
import { isFields } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import type { NestedStrategyFieldNames } from '../../cluster/rollout/strategy-field-names';
import type { DeploymentStrategy } from '../../workloads/deployment/types';
import type { OperatorIntOrPercent, OperatorStrategy } from './types';

/** Converts a quoted number to a number; returns any other value unchanged. Source: apimachinery `intstr.Parse`. */
export function parseQuotedNumber(value: unknown): unknown {
  return isDigitString(value) ? Number(value) : value;
}

/** The names of the strategy fields in the CR. */
export const OPERATOR_FIELD_NAMES: NestedStrategyFieldNames = {
  rollingUpdate: 'rolling_update',
  maxSurge: 'max_surge',
  maxUnavailable: 'max_unavailable',
};

/** The fields of the CR's strategy. */
export const OPERATOR_STRATEGY_FIELDS: readonly string[] = ['type', OPERATOR_FIELD_NAMES.rollingUpdate];

/** Renames the fields that are set to the names in a Deployment, and converts quoted numbers. */
function renameFields(fields: Fields, names: Partial<Readonly<Record<string, string>>>): Fields {
  const written = Object.entries(names).filter(([, name]) => fields[name!] !== undefined);
  return Object.fromEntries(written.map(([known, name]) => [known, parseQuotedNumber(fields[name!])]));
}

/**
 * Returns the strategy that an operator writes into its Deployments: names in camelCase, numbers without quotes, unknown fields dropped.
 * Types and ranges are not checked; the API server does that.
 *
 * `{ type: 'RollingUpdate', rolling_update: { max_surge: '1' } }` becomes `{ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } }`.
 */
export function toDeploymentStrategy(strategy: Fields): Fields {
  const { rollingUpdate, maxSurge, maxUnavailable } = OPERATOR_FIELD_NAMES;
  const outer = renameFields(strategy, { type: 'type', rollingUpdate });
  const limits = strategy[rollingUpdate];
  return isFields(limits) ? { ...outer, rollingUpdate: renameFields(limits, { maxSurge, maxUnavailable }) } : outer;
}

/** The annotation that says that quotes around numbers are intended: `quoted`. The construct writes it for readers and for the rule about quotes. */
export const NUMBERS_ANNOTATION = 'rolloutkit/numbers';

/** How whole numbers are written in an operator's CR: quoted, as on IBM's page, or as plain numbers. */
export type NumberStyle = 'quoted' | 'plain';

/** Converts a Deployment's strategy to the fields of an operator's CR. `toDeploymentStrategy` converts it back. */
export function toOperatorStrategy(strategy: DeploymentStrategy, numbers: NumberStyle = 'quoted'): OperatorStrategy {
  if (strategy.type === 'Recreate') return { type: 'Recreate' };
  const formatLimit = (value: IntOrPercent): OperatorIntOrPercent => (numbers === 'quoted' ? `${value}` : value);
  const { maxSurge, maxUnavailable } = strategy.rollingUpdate;
  return { type: 'RollingUpdate', rolling_update: { max_surge: formatLimit(maxSurge), max_unavailable: formatLimit(maxUnavailable) } };
}
