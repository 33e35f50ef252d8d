import { upstreamTables } from '../../upstream/recording';

/** targetCapacity and trafficRoutedPercent of a cluster. */
export type Shares = readonly [targetCapacity: number, traffic: number];

/** Names of different cluster specs in a test. */
type Spec = 'A' | 'B' | 'C';

type Field = 'replicas' | 'rayVersion' | 'group' | 'tolerations' | 'schedulingGates';

export interface RouteRow {
  /** Null if the row has no clusterUpgradeOptions. */
  readonly options?: null;
  readonly refused?: true;
  /** False if there is no pending cluster. */
  readonly pending?: false;
  readonly pendingTargetCapacity?: number;
  readonly ready?: boolean;
  readonly secondsSinceShift?: number;
  /** Weight of the active cluster, and of the pending one if there is one. */
  readonly weights?: readonly number[];
}

export interface GatewayRow {
  readonly options?: null;
  readonly refused?: true;
  readonly service?: string;
  readonly namespace?: string;
  readonly gatewayClassName?: string;
  readonly gateway?: Readonly<Record<string, unknown>>;
}

interface Pace {
  readonly maxSurgePercent: number;
  readonly stepSizePercent: number;
  readonly intervalSeconds: number;
}

/** Rows of KubeRay's own test tables that are run here, with inputs and expected results. */
export interface Rows {
  readonly newRoute: RouteRow;
  readonly keptRoute: RouteRow;
  readonly newGateway: GatewayRow;
  readonly keptGateway: GatewayRow;
  readonly nextCapacities: {
    readonly maxSurgePercent: number;
    /** Capacity of the active cluster, which gets the traffic that the pending one does not. */
    readonly active: number;
    readonly pending: Shares;
    readonly sentTo: 'active' | 'pending';
    readonly sent: number;
    /** Capacities of both clusters. */
    readonly becomes: readonly [active: number, pending: number];
  };
  readonly capacityChanges: { readonly active: Shares; readonly pending: Shares; readonly promoted: boolean; readonly grows: boolean };
  readonly rollsBack: { readonly active: Spec; readonly pending: Spec; readonly wanted: Spec; readonly rollsBack: boolean };
  readonly rolledBack: { readonly active: Shares; readonly pending: Shares; readonly pendingReady: boolean; readonly rolledBack: boolean };
  readonly deletionDelay: { readonly written: number | null; readonly seconds: number };
  readonly zeroDowntime: { readonly type: string | null; readonly zeroDowntime: boolean };
  readonly newCluster: { readonly active: Spec; readonly wanted: Spec; readonly newCluster: boolean };
  readonly sameCluster: { readonly groupsMayGrow: boolean; readonly changes: readonly Field[]; readonly same: boolean };
  readonly sameHash: { readonly change: Field; readonly same: boolean };
  readonly activeInPlace: { readonly change: Field; readonly effect: string };
  readonly configSent: { readonly current: string; readonly wanted: string; readonly sent: boolean };
  readonly incremental: { readonly type: string | null; readonly incremental: boolean };
  readonly upgradeOptions: { readonly options: object | null; readonly autoscaling: boolean; readonly accepted: boolean };
  readonly specs: { readonly change: string; readonly accepted: boolean };
  /** A name with this number of letters, or the annotation ray.io/initializing-timeout. */
  readonly metadata: { readonly letter?: string; readonly times?: number; readonly timeout?: string; readonly accepted: boolean };
  readonly steps: Pace & { readonly steps: readonly (readonly [figure: string, percent: number])[] };
  readonly rollbacks: Pace & { readonly revertedAt: readonly [from: number, to: number]; readonly restored: boolean };
}

/** KubeRay's own test tables. Some have no case here because a plan does not cover their subject. */
export const KUBERAY_TABLES = upstreamTables<Rows>('kuberay-tables');
