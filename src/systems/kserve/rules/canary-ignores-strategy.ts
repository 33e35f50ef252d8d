import { at, childPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { message, rule } from '../../../core/finding';
import { isGiven } from '../precedence';
import type { Canary, Service } from '../service';
import { ONE_AT_A_TIME, canaried } from './examples';

const HOLDERS = { canary: 'the canary', predictor: 'the stable predictor' } as const;

interface StrategyData {
  /** Where the strategy stands. */
  readonly holder: keyof typeof HOLDERS;
}

/** A deploymentStrategy that does not hold for a canary. */
export const canaryIgnoresStrategy = rule({
  code: 'kserve/canary-ignores-strategy',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A service with a canary has a deploymentStrategy at its predictor or at the canary (KServe 0.20 on).',
  why:
    'KServe builds the Deployment of a canary from its replicas alone: ' +
    'neither the deploymentStrategy of the stable predictor nor its own counts. The ConfigMap or 25%/25% applies. Source: ' +
    'KServe 0.20, components/predictor.go, `reconcileCanaryDeployments`.',
  fix: 'Set what canaries need in the rollout defaults of the ConfigMap, and delete the deploymentStrategy of the canary.',
  example: canaried(...ONE_AT_A_TIME),
  fixed: canaried(),
  messages: {
    ignored: message<StrategyData>({
      text: ({ holder }) =>
        `The deploymentStrategy of ${HOLDERS[holder]} does not hold for this canary: KServe builds its Deployment without one.`,
      help: () =>
        'Set rollout defaults in the ConfigMap if 25%/25% is not right for canaries, and delete the deploymentStrategy of the canary.',
      sample: { holder: 'predictor' },
      variants: [{ holder: 'canary' }],
    }),
  },
});

/** A deploymentStrategy that somebody wrote for a canary. */
export function ignoredStrategyFindings({ predictor }: Service, canary: Canary): Finding[] {
  const isOwn = isGiven(canary.predictor.deploymentStrategy);
  if (!isOwn && !isGiven(predictor.deploymentStrategy)) return [];
  const path = childPath(isOwn ? canary.path : at`spec.predictor`, 'deploymentStrategy');
  return [canaryIgnoresStrategy.finding('ignored', { path, data: { holder: isOwn ? 'canary' : 'predictor' } })];
}
