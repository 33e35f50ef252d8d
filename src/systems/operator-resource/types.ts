import type { IntOrPercent } from '../../core/values/int-or-percent';

/** A number of pods in an operator's CR: a number, a quoted number or a percentage. */
export type OperatorIntOrPercent = IntOrPercent | `${number}`;

/** A Deployment's strategy with the field names of an operator's CR (IBM BAW 25.0.1, "Applying a rolling update strategy"). */
export interface OperatorStrategy {
  readonly type?: 'RollingUpdate' | 'Recreate';
  readonly rolling_update?: {
    /** Pods beyond the replicas. Percentages are rounded up. */
    readonly max_surge?: OperatorIntOrPercent;
    /** Pods that may be unavailable. Percentages are rounded down. */
    readonly max_unavailable?: OperatorIntOrPercent;
  };
}
