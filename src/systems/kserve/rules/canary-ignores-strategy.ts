import { toFieldPath, appendToPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { defineMessage, defineRule } from '../../../core/finding';
import { isNonNull } from '../precedence';
import type { ServiceCanary, KserveService } from '../service';
import { SURGE_ONE_STRATEGY, renderCanaryService } from './examples';

const STRATEGY_OWNERS = { canary: 'the canary', predictor: 'the stable predictor' } as const;

interface StrategyData {
  /** Where the strategy stands. */
  readonly holder: keyof typeof STRATEGY_OWNERS;
}

/** A deploymentStrategy that does not hold for a canary. */
export const canaryIgnoresStrategy = defineRule({
  code: 'kserve/canary-ignores-strategy',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A service with a canary has a deploymentStrategy at its predictor or at the canary (KServe 0.20 on).',
  why:
    'KServe builds the Deployment of a canary from its replicas alone: ' +
    'neither the deploymentStrategy of the stable predictor nor its own counts. The ConfigMap or 25%/25% applies. Source: ' +
    'KServe 0.20, components/predictor.go, `reconcileCanaryDeployments`.',
  fix: 'Set what canaries need in the rollout defaults of the ConfigMap, and delete the deploymentStrategy of the canary.',
  example: renderCanaryService(...SURGE_ONE_STRATEGY),
  fixedExample: renderCanaryService(),
  messages: {
    ignored: defineMessage<StrategyData>({
      text: ({ holder }) =>
        `The deploymentStrategy of ${STRATEGY_OWNERS[holder]} does not hold for this canary: KServe builds its Deployment without one.`,
      help: () =>
        'Set rollout defaults in the ConfigMap if 25%/25% is not right for canaries, and delete the deploymentStrategy of the canary.',
      sample: { holder: 'predictor' },
      variants: [{ holder: 'canary' }],
    }),
  },
});

/** A deploymentStrategy that somebody wrote for a canary. */
export function checkCanaryIgnoresStrategy({ predictor }: KserveService, canary: ServiceCanary): Finding[] {
  const isOwn = isNonNull(canary.predictor.deploymentStrategy);
  if (!isOwn && !isNonNull(predictor.deploymentStrategy)) return [];
  const path = appendToPath(isOwn ? canary.path : toFieldPath`spec.predictor`, 'deploymentStrategy');
  return [canaryIgnoresStrategy.createFinding('ignored', { path, data: { holder: isOwn ? 'canary' : 'predictor' } })];
}
