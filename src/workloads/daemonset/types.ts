import type { IntOrPercent } from '../../core/int-or-percent';

/**
 * A DaemonSet's update strategy as the API server stores it: exactly one of the limits is not 0.
 * Beside OnDelete it keeps whatever limits someone wrote, which nobody looks at.
 */
export type DaemonSetUpdateStrategy =
  | { readonly type: 'RollingUpdate'; readonly rollingUpdate: { readonly maxSurge: IntOrPercent; readonly maxUnavailable: IntOrPercent } }
  | { readonly type: 'OnDelete'; readonly rollingUpdate?: { readonly maxSurge: unknown; readonly maxUnavailable: unknown } };

/** A DaemonSet's update strategy as a user writes it: what is left out, the API server fills in. */
export interface DaemonSetUpdateStrategySpec {
  /** @default RollingUpdate */
  readonly type?: 'RollingUpdate' | 'OnDelete';
  readonly rollingUpdate?: {
    /** Nodes that may have a new pod beside the old one, percentages rounded up. Takes `maxUnavailable: 0` beside it. @default 0 */
    readonly maxSurge?: IntOrPercent;
    /** Nodes that may be without an available pod, percentages rounded up. @default 1 */
    readonly maxUnavailable?: IntOrPercent;
  };
}
