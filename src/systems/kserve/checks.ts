import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import type { DeploymentStrategy } from '../../workloads/deployment/types';
import type { ComponentDeployment } from './deployments';
import { ignoredCanaryFindings } from './rules/canary-ignored';
import { ignoredStrategyFindings } from './rules/canary-ignores-strategy';
import { configNotStandardFindings } from './rules/config-not-standard';
import { configQuotedIntegerFindings } from './rules/config-quoted-integer';
import { modeIgnoredFindings } from './rules/mode-ignored';
import { headStrategyFindings } from './rules/multinode-head-not-overridden';
import { escapedOverrideFindings } from './rules/multinode-strategy-escapes-override';
import { scaleToZeroFindings } from './rules/no-scale-to-zero';
import { partialStrategyFindings } from './rules/partial-strategy';
import { rayNodeCountFindings } from './rules/ray-node-count-without-worker';
import type { Service } from './service';
import type { PlatformConfig } from './types';

/** What KServe takes in the rollout defaults without a word, and what becomes of it. `path` is that of `defaultRollout`. */
export function platformFindings(config: PlatformConfig, path: FieldPath): Finding[] {
  return [
    ...modeIgnoredFindings(config.defaultRollout ?? {}, path),
    ...configQuotedIntegerFindings(config, path),
    ...configNotStandardFindings(config, path),
  ];
}

/**
 * What works and is likely not meant in a Deployment that KServe makes.
 *
 * @param strategy null where the API server refuses it
 */
export function deploymentFindings(
  service: Service,
  deployment: ComponentDeployment,
  strategy: DeploymentStrategy | null,
  platform: PlatformConfig,
): Finding[] {
  const { component, canary, strategyPath } = deployment;
  if (canary) return ignoredStrategyFindings(service, canary);
  if (component === 'worker') return escapedOverrideFindings(deployment);
  const isPredictor = component === 'predictor';
  const ofComponent = service.components
    .filter(({ name }) => name === component)
    .flatMap((own) => [...ignoredCanaryFindings(own), ...scaleToZeroFindings(service, own)]);
  if (isPredictor && service.workerSpec) return [...(strategy ? headStrategyFindings(strategy, strategyPath) : []), ...ofComponent];
  return [
    ...(strategy ? partialStrategyFindings(deployment, platform) : []),
    ...(isPredictor ? rayNodeCountFindings(service) : []),
    ...ofComponent,
  ];
}
