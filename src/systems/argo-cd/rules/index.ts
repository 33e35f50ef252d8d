import type { AnyRule } from '../../../core/findings/finding';
import { contentsNotChecked } from './contents-not-checked';
import { invalidOperator } from './invalid-operator';
import { noSteps } from './no-steps';
import { orderNotGuaranteed } from './order-not-guaranteed';
import { overlappingSteps } from './overlapping-steps';
import { progressiveSyncsOff } from './progressive-syncs-off';
import { quotedMaxUpdate } from './quoted-max-update';
import { unknownApplications } from './unknown-applications';
import { unmatchedApplications } from './unmatched-applications';
import { zeroMaxUpdate } from './zero-max-update';

/** The rules about ApplicationSets. */
export const ARGO_CD_RULES: readonly AnyRule[] = [
  contentsNotChecked,
  invalidOperator,
  noSteps,
  orderNotGuaranteed,
  overlappingSteps,
  progressiveSyncsOff,
  quotedMaxUpdate,
  unknownApplications,
  unmatchedApplications,
  zeroMaxUpdate,
];
