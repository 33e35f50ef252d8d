import type { IntOrPercent } from '../../core/values/int-or-percent';

/**
 * A DaemonSet's update strategy as the API server stores it: exactly one of the limits is not 0.
 * With OnDelete the API server stores any limits, and the controller ignores them.
 */
export type DaemonSetUpdateStrategy =
  | { readonly type: 'RollingUpdate'; readonly rollingUpdate: { readonly maxSurge: IntOrPercent; readonly maxUnavailable: IntOrPercent } }
  | { readonly type: 'OnDelete'; readonly rollingUpdate?: { readonly maxSurge: unknown; readonly maxUnavailable: unknown } };

/** A DaemonSet's update strategy as a user writes it. The API server fills in fields that are not set. */
export interface DaemonSetUpdateStrategySpec {
  /** @default RollingUpdate */
  readonly type?: 'RollingUpdate' | 'OnDelete';
  readonly rollingUpdate?: {
    /** Nodes that may run a new pod in addition to the old one. Percentages are rounded up. Requires `maxUnavailable: 0`. @default 0 */
    readonly maxSurge?: IntOrPercent;
    /** Nodes that may be without an available pod. Percentages are rounded up. @default 1 */
    readonly maxUnavailable?: IntOrPercent;
  };
}
