import type { AnyRule } from '../../../core/findings/finding';
import { autoscalingRequired } from './autoscaling-required';
import { doublesAccelerators } from './doubles-accelerators';
import { kuberayDuplicateResource } from './duplicate-resource';
import { featureGate } from './feature-gate';
import { gatewayClassRequired } from './gateway-class-required';
import { intervalRequired } from './interval-required';
import { invalidCluster } from './invalid-cluster';
import { invalidType } from './invalid-type';
import { minReplicasAboveSurge } from './min-replicas-above-surge';
import { misplacedOptions } from './misplaced-options';
import { nameTooLong } from './name-too-long';
import { noUpgrade } from './no-upgrade';
import { operatorOwnedName } from './operator-owned-name';
import { outOfRange } from './out-of-range';
import { rayClusterSpec } from './ray-cluster-spec';
import { serveConfigConflict } from './serve-config-conflict';
import { stepExceedsSurge } from './step-exceeds-surge';
import { surgeBelowOnePod } from './surge-below-one-pod';
import { suspended } from './suspended';
import { kuberayUnknownField } from './unknown-field';
import { kuberayWrongType } from './wrong-type';
import { zeroStep } from './zero-step';
import { zeroSurge } from './zero-surge';

/** Rules about RayServices. */
export const KUBERAY_RULES: readonly AnyRule[] = [
  zeroSurge,
  zeroStep,
  stepExceedsSurge,
  autoscalingRequired,
  gatewayClassRequired,
  intervalRequired,
  outOfRange,
  invalidType,
  nameTooLong,
  featureGate,
  misplacedOptions,
  rayClusterSpec,
  invalidCluster,
  surgeBelowOnePod,
  minReplicasAboveSurge,
  serveConfigConflict,
  operatorOwnedName,
  suspended,
  noUpgrade,
  doublesAccelerators,
  kuberayDuplicateResource,
  kuberayUnknownField,
  kuberayWrongType,
];
