import { requireAtLeast, allowValues } from './checks';
import { buildSelectorRules } from './label-selector';
import { checkField } from './rule';
import type { ValueRule } from './rule';

/* ReplicaSets. `selector-validation.ts` validates that their selector is present and matches. Source: k/k pkg/apis/apps/validation, `ValidateReplicaSetSpec`. */

export const REPLICA_SET_VALUES: readonly ValueRule[] = [
  checkField('spec.replicas', requireAtLeast(0)),
  checkField('spec.minReadySeconds', requireAtLeast(0)),
  ...buildSelectorRules('spec.selector'),
];

/** Values that are validated after the pod template. A ReplicaSet restarts its pods whenever they end. */
export const REPLICA_SET_RESTART_VALUES: readonly ValueRule[] = [checkField('spec.template.spec.restartPolicy', allowValues('Always'))];
