import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { getValueAt } from '../../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import type { ComponentDeployment } from '../deployments';
import { isNonNull } from '../precedence';
import { WORKER_OVERRIDE_STRATEGY, renderMultinodeService } from './examples';
import { MULTINODE_STRATEGY_TEXT, suggestMultinodeStrategy } from './multinode-fix';

interface TypeData {
  readonly type: DisplayValue;
}

const HELP = `Write ${MULTINODE_STRATEGY_TEXT}.`;

function describeEscape(type: string): string {
  return (
    `The deploymentStrategy has ${type}, so KServe does not override it in the worker: ` +
    'nodes of a running Ray cluster may be deleted before new ones are ready.'
  );
}

/** Reports a strategy that KServe does not override in the worker of a multinode predictor. */
export const multinodeStrategyEscapesOverride = defineRule({
  code: 'kserve/multinode-strategy-escapes-override',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A multinode predictor has a deploymentStrategy whose type is Recreate or missing.',
  why:
    'KServe overrides the worker only if the type equals RollingUpdate before the API server fills it in. With Recreate, ' +
    '`{}` or a missing type the worker gets that strategy, and nodes of a running Ray cluster are deleted before new ones are ready.',
  fix: 'Write type: RollingUpdate with maxSurge 100% and maxUnavailable 0%, which applies to both head and worker.',
  example: renderMultinodeService('deploymentStrategy:', '  type: Recreate'),
  fixedExample: renderMultinodeService(...WORKER_OVERRIDE_STRATEGY),
  messages: {
    otherType: defineMessage<TypeData>({
      text: ({ type }) => describeEscape(`type ${formatDisplayValue(type)}`),
      help: () => HELP,
      suggestedFix: (_data, path) => suggestMultinodeStrategy(path),
      sample: { type: 'Recreate' },
    }),
    noType: defineMessage<object>({
      text: () => describeEscape('no type'),
      help: () => HELP,
      suggestedFix: (_data, path) => suggestMultinodeStrategy(path),
      sample: {},
    }),
  },
});

/** Reports a strategy that a worker gets without the override. */
export function checkMultinodeStrategyEscapesOverride({
  userStrategy,
  strategyPath: path,
}: Pick<ComponentDeployment, 'userStrategy' | 'strategyPath'>): Finding[] {
  const type = getValueAt(userStrategy, 'type');
  if (!isNonNull(userStrategy) || type === 'RollingUpdate') return [];
  if (!type) return [multinodeStrategyEscapesOverride.createFinding('noType', { path, data: {} })];
  return [multinodeStrategyEscapesOverride.createFinding('otherType', { path, data: { type: toDisplayValue(type) } })];
}
