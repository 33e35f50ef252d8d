import type { FieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { IntOrPercent } from '../../../core/values/int-or-percent';
import type { DeploymentStrategy } from '../../../workloads/deployment/types';
import { WORKER_OVERRIDE_STRATEGY, renderMultinodeService } from './examples';
import { MULTINODE_STRATEGY_TEXT, suggestMultinodeStrategy } from './multinode-fix';

interface LimitsData {
  readonly maxSurge: IntOrPercent;
  readonly maxUnavailable: IntOrPercent;
}

const HELP = `Write ${MULTINODE_STRATEGY_TEXT} into the deploymentStrategy of the predictor.`;

function describeHead(strategy: string): string {
  return `The head of this multinode predictor rolls out with ${strategy}: KServe overrides only the worker, not both as documented.`;
}

/** Reports a head that does not roll out like its workers. */
export const multinodeHeadNotOverridden = defineRule({
  code: 'kserve/multinode-head-not-overridden',
  since: '0.1.0',
  severity: 'warning',
  fires: 'The head of a multinode predictor has a strategy other than maxSurge 100% and maxUnavailable 0%.',
  why:
    'The guide promises maxUnavailable 0% and maxSurge 100% for all nodes of a multinode service. KServe overrides only the worker Deployment; ' +
    'the head follows the deploymentStrategy, the ConfigMap or 25%/25%. Source: deployment_reconciler.go, `createRawWorkerDeployment`.',
  fix: 'Write the two values into the deploymentStrategy of the predictor.',
  example: renderMultinodeService(),
  fixedExample: renderMultinodeService(...WORKER_OVERRIDE_STRATEGY),
  messages: {
    limits: defineMessage<LimitsData>({
      text: ({ maxSurge, maxUnavailable }) => describeHead(`maxSurge ${maxSurge}, maxUnavailable ${maxUnavailable}`),
      help: () => HELP,
      suggestedFix: (_data, path) => suggestMultinodeStrategy(path),
      sample: { maxSurge: '25%', maxUnavailable: '25%' },
    }),
    recreate: defineMessage<object>({
      text: () => describeHead('Recreate'),
      help: () => HELP,
      suggestedFix: (_data, path) => suggestMultinodeStrategy(path),
      sample: {},
    }),
  },
});

function isOverride({ maxSurge, maxUnavailable }: LimitsData): boolean {
  return maxSurge === '100%' && (maxUnavailable === '0%' || maxUnavailable === 0);
}

/** Reports the head of a multinode predictor if its strategy differs from its workers'. */
export function checkMultinodeHeadNotOverridden(strategy: DeploymentStrategy, path: FieldPath): Finding[] {
  if (strategy.type === 'Recreate') return [multinodeHeadNotOverridden.createFinding('recreate', { path, data: {} })];
  const { maxSurge, maxUnavailable } = strategy.rollingUpdate;
  const data = { maxSurge, maxUnavailable };
  return isOverride(data) ? [] : [multinodeHeadNotOverridden.createFinding('limits', { path, data })];
}
