import type { IntOrPercent } from '../../src/core/values/int-or-percent';
import { upstreamTables } from '../upstream/recording';

/** A missing limit is null. Strings that are not a percentage are refused. */
export type LimitsRow = {
  readonly replicas: number;
  readonly maxSurge: IntOrPercent | null;
  readonly maxUnavailable: IntOrPercent | null;
} & ({ readonly surge: number; readonly unavailable: number } | { readonly refused: true });

/** The rows of Kubernetes' own test tables: inputs and expected results. */
interface Rows {
  readonly limits: LimitsRow;
  readonly smallLimits: LimitsRow;
  readonly newSize: {
    readonly replicas: number;
    readonly maxSurge: number;
    readonly sizes: readonly number[];
    readonly size: number;
    readonly becomes: number;
  };
  readonly leastAvailable:
    | { readonly replicas: number; readonly maxUnavailable: IntOrPercent; readonly available: number }
    | { readonly replicas: number; readonly type: 'Recreate'; readonly available: number };
  readonly newGrows: {
    readonly replicas: number;
    readonly maxSurge: number;
    readonly old: number;
    readonly new: number;
    readonly becomes: number;
  };
  readonly oldShrinks: {
    readonly replicas: number;
    readonly maxUnavailable: number;
    readonly old: number;
    readonly new: number;
    readonly readyOld: number;
    readonly readyNew: number;
    readonly becomes: number;
  };
  readonly unreadyGoFirst: { readonly old: number; readonly readyOld: number; readonly atMost: number; readonly removed: number };
  readonly readyGoNext: {
    readonly replicas: number;
    readonly maxUnavailable: number;
    readonly old: number;
    readonly ready: number;
    readonly becomes: number;
  };
  readonly firstWave: {
    readonly replicas: number;
    readonly maxSurge: IntOrPercent;
    readonly maxUnavailable: IntOrPercent;
    readonly seen: Readonly<Record<string, number>>;
  };
  readonly scaledMidway: {
    readonly replicas: number;
    readonly maxSurge: number;
    readonly sets: readonly { readonly replicas: number; readonly maxReplicas: number }[];
    readonly become: readonly number[];
  };
  readonly podsLeft: {
    readonly policy: 'OrderedReady' | 'Parallel';
    readonly replicas: number;
    readonly partition: number;
    readonly maxUnavailable: number;
    readonly unready: readonly number[];
    readonly terminating: readonly number[];
    readonly left: readonly number[];
  };
}

/** Kubernetes' own test tables. */
export const KUBERNETES_TABLES = upstreamTables<Rows>('kubernetes-tables');
