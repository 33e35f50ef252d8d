import type { IntOrPercent } from '../../core/int-or-percent';

/** A number of pods as an operator's CR holds it: a number, a number in quotes, a percentage. */
export type OperatorIntOrPercent = IntOrPercent | `${number}`;

/** A Deployment's strategy in the words of an operator's CR (IBM BAW 25.0.1, "Applying a rolling update strategy"). */
export interface OperatorStrategy {
  readonly type?: 'RollingUpdate' | 'Recreate';
  readonly rolling_update?: {
    /** Pods above the replicas, percentages rounded up. */
    readonly max_surge?: OperatorIntOrPercent;
    /** Pods below the replicas, percentages rounded down. */
    readonly max_unavailable?: OperatorIntOrPercent;
  };
}
