import type { AnyRule } from '../../../core/findings/finding';
import { annotatedStandard } from './annotated-standard';
import { canaryIgnored } from './canary-ignored';
import { canaryIgnoresStrategy } from './canary-ignores-strategy';
import { canaryTraffic } from './canary-traffic';
import { canaryWithoutTraffic } from './canary-without-traffic';
import { configBareNumber } from './config-bare-number';
import { configNotStandard } from './config-not-standard';
import { configQuotedInteger } from './config-quoted-integer';
import { invalidAutoscaling } from './invalid-autoscaling';
import { invalidCanary } from './invalid-canary';
import { invalidConfig } from './invalid-config';
import { invalidKnativeConfig } from './invalid-knative-config';
import { invalidLevels } from './invalid-levels';
import { invalidMultinode } from './invalid-multinode';
import { invalidRevision } from './invalid-revision';
import { invalidService } from './invalid-service';
import { modeIgnored } from './mode-ignored';
import { multinodeHeadNotOverridden } from './multinode-head-not-overridden';
import { multinodeStrategyEscapesOverride } from './multinode-strategy-escapes-override';
import { noDeployment } from './no-deployment';
import { noPlatformConfig } from './no-platform-config';
import { noRuntime } from './no-runtime';
import { noScaleToZero } from './no-scale-to-zero';
import { noWorkersInKnative } from './no-workers-in-knative';
import { kserveAutoscalerConflict } from './autoscaler-conflict';
import { partialStrategy } from './partial-strategy';
import { predictorRenamed } from './predictor-renamed';
import { rayNodeCountWithoutWorker } from './ray-node-count-without-worker';
import { strategyOutsideStandard } from './strategy-outside-standard';
import { kserveUnknownField } from './unknown-field';
import { kserveWrongType } from './wrong-type';

/** The rules about InferenceServices and KServe's platform level. */
export const KSERVE_RULES: readonly AnyRule[] = [
  modeIgnored,
  configQuotedInteger,
  configBareNumber,
  invalidConfig,
  invalidKnativeConfig,
  configNotStandard,
  annotatedStandard,
  noPlatformConfig,
  canaryIgnored,
  canaryTraffic,
  canaryWithoutTraffic,
  noScaleToZero,
  noDeployment,
  partialStrategy,
  multinodeHeadNotOverridden,
  multinodeStrategyEscapesOverride,
  predictorRenamed,
  rayNodeCountWithoutWorker,
  noWorkersInKnative,
  strategyOutsideStandard,
  canaryIgnoresStrategy,
  invalidService,
  noRuntime,
  invalidMultinode,
  kserveAutoscalerConflict,
  invalidAutoscaling,
  invalidCanary,
  invalidRevision,
  invalidLevels,
  kserveUnknownField,
  kserveWrongType,
];
