import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import type { DeploymentStrategy } from '../../workloads/deployment/types';
import type { CanaryRouting } from './canary-routing';
import type { ComponentDeployment } from './deployments';
import { checkCanaryIgnored } from './rules/canary-ignored';
import { checkCanaryIgnoresStrategy } from './rules/canary-ignores-strategy';
import { checkCanaryWithoutTraffic } from './rules/canary-without-traffic';
import { checkConfigNotStandard } from './rules/config-not-standard';
import { checkConfigQuotedInteger } from './rules/config-quoted-integer';
import { checkModeIgnored } from './rules/mode-ignored';
import { checkMultinodeHeadNotOverridden } from './rules/multinode-head-not-overridden';
import { checkMultinodeStrategyEscapesOverride } from './rules/multinode-strategy-escapes-override';
import { checkNoScaleToZero } from './rules/no-scale-to-zero';
import { checkPartialStrategy } from './rules/partial-strategy';
import { checkRayNodeCountWithoutWorker } from './rules/ray-node-count-without-worker';
import type { KserveService } from './service';
import type { PlatformConfig } from './types';

/** Reports what KServe silently accepts in the rollout defaults, and its effect. `path` is the path of `defaultRollout`. */
export function checkPlatformConfig(config: PlatformConfig, path: FieldPath): Finding[] {
  return [
    ...checkModeIgnored(config.defaultRollout ?? {}, path),
    ...checkConfigQuotedInteger(config, path),
    ...checkConfigNotStandard(config, path),
  ];
}

/**
 * Reports what is valid but probably not intended in a Deployment that KServe creates.
 *
 * @param strategy - null if the API server refuses it
 */
export function checkKserveDeployment(
  service: KserveService,
  deployment: ComponentDeployment,
  strategy: DeploymentStrategy | null,
  platform: PlatformConfig,
  routing: CanaryRouting,
): Finding[] {
  const { component, canary, strategyPath } = deployment;
  if (canary) return [...checkCanaryIgnoresStrategy(service, canary), ...checkCanaryWithoutTraffic(canary, routing, service.version)];
  if (component === 'worker') return checkMultinodeStrategyEscapesOverride(deployment);
  const isPredictor = component === 'predictor';
  const componentFindings = service.components
    .filter(({ name }) => name === component)
    .flatMap((serviceComponent) => [...checkCanaryIgnored(serviceComponent), ...checkNoScaleToZero(service, serviceComponent)]);
  if (isPredictor && service.workerSpec)
    return [...(strategy ? checkMultinodeHeadNotOverridden(strategy, strategyPath) : []), ...componentFindings];
  return [
    ...(strategy ? checkPartialStrategy(deployment, platform) : []),
    ...(isPredictor ? checkRayNodeCountWithoutWorker(service) : []),
    ...componentFindings,
  ];
}
