import type { Finding } from '../../../core/finding';
import { message, rule } from '../../../core/finding';
import { valueAt } from '../../../core/manifest';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import type { ComponentDeployment } from '../deployments';
import { isGiven } from '../precedence';
import { OVERRIDE, multinode } from './examples';
import { BOTH_FOR_MULTINODE, bothForMultinode } from './multinode-advice';

interface TypeData {
  readonly type: Seen;
}

const HELP = `Write ${BOTH_FOR_MULTINODE}.`;

function escapeText(seenType: string): string {
  return (
    `The deploymentStrategy has ${seenType}, so KServe does not override it in the worker: ` +
    'nodes of a running Ray cluster may go first.'
  );
}

/** A strategy that KServe does not override in the worker of a multinode predictor. */
export const multinodeStrategyEscapesOverride = rule({
  code: 'kserve/multinode-strategy-escapes-override',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A multinode predictor has a deploymentStrategy whose type is Recreate or missing.',
  why:
    'KServe overrides the worker only where the type equals RollingUpdate, compared before the API server fills it in. With Recreate, ' +
    '`{}` or a missing type the worker gets that strategy, and nodes of a running Ray cluster go before new ones are ready.',
  fix: 'Write type: RollingUpdate with maxSurge 100% and maxUnavailable 0%, which holds for head and worker alike.',
  example: multinode('deploymentStrategy:', '  type: Recreate'),
  fixed: multinode(...OVERRIDE),
  messages: {
    otherType: message<TypeData>({
      text: ({ type }) => escapeText(`type ${show(type)}`),
      help: () => HELP,
      advice: (_data, path) => bothForMultinode(path),
      sample: { type: 'Recreate' },
    }),
    noType: message<object>({
      text: () => escapeText('no type'),
      help: () => HELP,
      advice: (_data, path) => bothForMultinode(path),
      sample: {},
    }),
  },
});

/** A strategy that a worker gets as it is. */
export function escapedOverrideFindings({ user, strategyPath: path }: Pick<ComponentDeployment, 'user' | 'strategyPath'>): Finding[] {
  const type = valueAt(user, 'type');
  if (!isGiven(user) || type === 'RollingUpdate') return [];
  if (!type) return [multinodeStrategyEscapesOverride.finding('noType', { path, data: {} })];
  return [multinodeStrategyEscapesOverride.finding('otherType', { path, data: { type: seen(type) } })];
}
