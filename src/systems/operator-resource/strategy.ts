import { isDigitString } from '../../core/int-or-percent';
import type { IntOrPercent } from '../../core/int-or-percent';
import { isFields } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { DeploymentStrategy } from '../../workloads/types';
import type { OperatorIntOrPercent, OperatorStrategy } from './types';

/** A number in quotes as the number that it means; everything else as it is. Source: apimachinery `intstr.Parse`. */
export function unquoted(value: unknown): unknown {
  return isDigitString(value) ? Number(value) : value;
}

const CAMEL_CASE: Readonly<Record<string, string>> = {
  rolling_update: 'rollingUpdate',
  max_surge: 'maxSurge',
  max_unavailable: 'maxUnavailable',
};
const SNAKE_CASE: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(CAMEL_CASE).map(([snake, camel]) => [camel, snake]));

/** A text about a Deployment's strategy in the words of the CR: `maxSurge is 1` becomes `max_surge is 1`. */
export function inOperatorWords(text: string): string {
  return text.replaceAll(/rollingUpdate|maxSurge|maxUnavailable/g, (word) => SNAKE_CASE[word]!);
}

/** The fields that the CR's strategy and its rolling update have. */
export const STRATEGY_FIELDS = ['type', 'rolling_update'];
export const ROLLING_UPDATE_FIELDS = ['max_surge', 'max_unavailable'];

function renamed(fields: Fields, known: readonly string[]): Fields {
  const written = known.filter((name) => fields[name] !== undefined);
  return Object.fromEntries(written.map((name) => [CAMEL_CASE[name] ?? name, unquoted(fields[name])]));
}

/**
 * The strategy that an operator writes into its Deployments: names in camelCase, numbers without quotes, unknown fields gone. Nothing is
 * checked: types and ranges are the API server's business.
 *
 * `{ type: 'RollingUpdate', rolling_update: { max_surge: '1' } }` becomes `{ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } }`.
 */
export function deploymentStrategyOf(strategy: Fields): Fields {
  const outer = renamed(strategy, STRATEGY_FIELDS);
  return isFields(strategy.rolling_update) ? { ...outer, rollingUpdate: renamed(strategy.rolling_update, ROLLING_UPDATE_FIELDS) } : outer;
}

/** How an operator's CR writes whole numbers: in quotes, as IBM's page does, or as numbers. */
export type NumberStyle = 'quoted' | 'plain';

/** A Deployment's strategy in the words of an operator's CR, for `deploymentStrategyOf` to read back. */
export function operatorStrategyOf(strategy: DeploymentStrategy, numbers: NumberStyle = 'quoted'): OperatorStrategy {
  if (strategy.type === 'Recreate') return { type: 'Recreate' };
  const written = (value: IntOrPercent): OperatorIntOrPercent => (typeof value === 'number' && numbers === 'quoted' ? `${value}` : value);
  const { maxSurge, maxUnavailable } = strategy.rollingUpdate;
  return { type: 'RollingUpdate', rolling_update: { max_surge: written(maxSurge), max_unavailable: written(maxUnavailable) } };
}
