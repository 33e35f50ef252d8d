import { toFieldPath, appendToPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { isNonNull } from '../precedence';
import type { ServiceCanary, KserveService } from '../service';
import { SURGE_ONE_STRATEGY, renderCanaryService } from './examples';

const STRATEGY_OWNERS = { canary: 'the canary', predictor: 'the stable predictor' } as const;

interface StrategyData {
  /** The part of the service that has the strategy. */
  readonly holder: keyof typeof STRATEGY_OWNERS;
}

/** Reports a deploymentStrategy that has no effect on a canary. */
export const canaryIgnoresStrategy = defineRule({
  code: 'kserve/canary-ignores-strategy',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A service with a canary has a deploymentStrategy in its predictor or in the canary (since KServe 0.20).',
  why:
    'KServe builds the Deployment of a canary only from its replicas: ' +
    "it uses neither the deploymentStrategy of the stable predictor nor the canary's own. The ConfigMap or 25%/25% applies. Source: " +
    'KServe 0.20, components/predictor.go, `reconcileCanaryDeployments`.',
  fix: 'Set the limits for canaries in the rollout defaults of the ConfigMap, and delete the deploymentStrategy of the canary.',
  example: renderCanaryService(...SURGE_ONE_STRATEGY),
  fixedExample: renderCanaryService(),
  messages: {
    ignored: defineMessage<StrategyData>({
      text: ({ holder }) =>
        `The deploymentStrategy of ${STRATEGY_OWNERS[holder]} has no effect on this canary: KServe builds its Deployment without one.`,
      help: () =>
        'If 25%/25% is not right for canaries, set rollout defaults in the ConfigMap. Delete the deploymentStrategy of the canary.',
      sample: { holder: 'predictor' },
      variants: [{ holder: 'canary' }],
    }),
  },
});

/** Reports a deploymentStrategy that applies to no canary. */
export function checkCanaryIgnoresStrategy({ predictor }: KserveService, canary: ServiceCanary): Finding[] {
  const isOwn = isNonNull(canary.predictor.deploymentStrategy);
  if (!isOwn && !isNonNull(predictor.deploymentStrategy)) return [];
  const path = appendToPath(isOwn ? canary.path : toFieldPath`spec.predictor`, 'deploymentStrategy');
  return [canaryIgnoresStrategy.createFinding('ignored', { path, data: { holder: isOwn ? 'canary' : 'predictor' } })];
}
