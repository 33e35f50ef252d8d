import { requireAtLeast, allowValues } from './checks';
import { buildSelectorRules } from './label-selector';
import { checkField } from './rule';
import type { ValueRule } from './rule';

/* ReplicaSets; that their selector is there and matches is looked at in `selection.ts`. Source: k/k pkg/apis/apps/validation, `ValidateReplicaSetSpec`. */

export const REPLICA_SET_VALUES: readonly ValueRule[] = [
  checkField('spec.replicas', requireAtLeast(0)),
  checkField('spec.minReadySeconds', requireAtLeast(0)),
  ...buildSelectorRules('spec.selector'),
];

/** Its pods are made again whenever they end. */
export const REPLICA_SET_RESTART_VALUES: readonly ValueRule[] = [checkField('spec.template.spec.restartPolicy', allowValues('Always'))];
