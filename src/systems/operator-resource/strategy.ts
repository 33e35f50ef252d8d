import { isDigitString } from '../../core/int-or-percent';
import type { IntOrPercent } from '../../core/int-or-percent';
import { isFields } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { NestedStrategyFieldNames } from '../../cluster/strategy-field-names';
import type { DeploymentStrategy } from '../../workloads/deployment/types';
import type { OperatorIntOrPercent, OperatorStrategy } from './types';

/** A number in quotes as the number that it means; everything else as it is. Source: apimachinery `intstr.Parse`. */
export function parseQuotedNumber(value: unknown): unknown {
  return isDigitString(value) ? Number(value) : value;
}

/** What the CR calls the fields of a strategy. */
export const OPERATOR_FIELD_NAMES: NestedStrategyFieldNames = {
  rollingUpdate: 'rolling_update',
  maxSurge: 'max_surge',
  maxUnavailable: 'max_unavailable',
};

/** The fields that the CR's strategy has. */
export const OPERATOR_STRATEGY_FIELDS: readonly string[] = ['type', OPERATOR_FIELD_NAMES.rollingUpdate];

/** The fields that are there, under the names that a Deployment gives them, and with numbers instead of numbers in quotes. */
function renameFields(fields: Fields, names: Partial<Readonly<Record<string, string>>>): Fields {
  const written = Object.entries(names).filter(([, name]) => fields[name!] !== undefined);
  return Object.fromEntries(written.map(([known, name]) => [known, parseQuotedNumber(fields[name!])]));
}

/**
 * The strategy that an operator writes into its Deployments: names in camelCase, numbers without quotes, unknown fields gone.
 * Nothing is checked: types and ranges are the API server's business.
 *
 * `{ type: 'RollingUpdate', rolling_update: { max_surge: '1' } }` becomes `{ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } }`.
 */
export function toDeploymentStrategy(strategy: Fields): Fields {
  const { rollingUpdate, maxSurge, maxUnavailable } = OPERATOR_FIELD_NAMES;
  const outer = renameFields(strategy, { type: 'type', rollingUpdate });
  const limits = strategy[rollingUpdate];
  return isFields(limits) ? { ...outer, rollingUpdate: renameFields(limits, { maxSurge, maxUnavailable }) } : outer;
}

/** How an operator's CR writes whole numbers: in quotes, as IBM's page does, or as numbers. */
export type NumberStyle = 'quoted' | 'plain';

/** A Deployment's strategy in the words of an operator's CR, for `deploymentStrategyOf` to read back. */
export function toOperatorStrategy(strategy: DeploymentStrategy, numbers: NumberStyle = 'quoted'): OperatorStrategy {
  if (strategy.type === 'Recreate') return { type: 'Recreate' };
  const written = (value: IntOrPercent): OperatorIntOrPercent => (numbers === 'quoted' ? `${value}` : value);
  const { maxSurge, maxUnavailable } = strategy.rollingUpdate;
  return { type: 'RollingUpdate', rolling_update: { max_surge: written(maxSurge), max_unavailable: written(maxUnavailable) } };
}
