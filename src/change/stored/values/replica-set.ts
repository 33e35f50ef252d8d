import { atLeast, choice } from './checks';
import { selectorRules } from './label-selector';
import { on } from './rule';
import type { ValueRule } from './rule';

/* ReplicaSets; that their selector is there and matches is looked at in `selection.ts`. Source: k/k pkg/apis/apps/validation, `ValidateReplicaSetSpec`. */

export const REPLICA_SET_VALUES: readonly ValueRule[] = [
  on('spec.replicas', atLeast(0)),
  on('spec.minReadySeconds', atLeast(0)),
  ...selectorRules('spec.selector'),
];

/** Its pods are made again whenever they end. */
export const REPLICA_SET_RESTART_VALUES: readonly ValueRule[] = [on('spec.template.spec.restartPolicy', choice('Always'))];
