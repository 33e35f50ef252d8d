import type { SimulationKind } from './simulation-kind';

/** Clusters to which a change is released between two rounds of agent reports. */
export interface FleetWave {
  /** Number of clusters that start to pull images and to update together. */
  readonly count: number;
  /** Clusters in the order of release; omitted if the bundle targets more than 1,000 clusters. */
  readonly clusters?: readonly string[];
}

/** Progress of a change, wave by wave, once every agent has sent all its reports. */
export interface FleetWaves {
  /** Waves in order; of a long list only the first and the last. */
  readonly waves: readonly FleetWave[];
  /** Whether the change was released to every targeted cluster, and waits on none for another bundle. */
  readonly done: boolean;
  /** Deadlock; null if the change is done, or if only clusters in no partition are left. */
  readonly halted: {
    /** Partition at which Fleet's loop stops; null if the loop completes. */
    readonly partition: string | null;
    /** Number of partitions that exceed their limit. */
    readonly unavailablePartitions: number;
  } | null;
  /** Number of clusters without the change, including clusters in no partition. */
  readonly notReleasedCount: number;
  /** Names of these clusters. */
  readonly notReleased?: readonly string[];
  /** Waves omitted between the first 50 and the last 50; absent if there are none. */
  readonly elided?: number;
}

/** One partition of a Fleet bundle's clusters. */
export interface FleetPartition {
  /** Name in the strategy, or the name that Fleet gives an automatic partition. */
  readonly name: string;
  /** Number of clusters in it. */
  readonly count: number;
  /** Number that the controller uses. */
  readonly maxUnavailable: number;
  /** Names of its clusters. */
  readonly clusters?: readonly string[];
}

/** A Fleet bundle's rollout over its clusters. */
export interface FleetSimulation {
  readonly kind: 'fleet';
  /** Partitions in the order in which they are rolled out. */
  readonly partitions: readonly FleetPartition[];
  /** Number of targeted clusters that no partition matches. They are never installed or updated. */
  readonly unpartitionedCount: number;
  /** Names of these clusters. */
  readonly unpartitioned?: readonly string[];
  /** Limit for all targeted clusters. */
  readonly maxUnavailable: number;
  /** Number that the controller uses. */
  readonly maxUnavailablePartitions: number;
  /** Number of BundleDeployments that one reconcile creates. */
  readonly maxNew: number;
  /** Rollout if the bundle is new on every cluster. */
  readonly install: FleetWaves;
  /** Rollout if every cluster is ready on the old version. */
  readonly update: FleetWaves;
  /** Partitions omitted between the first 50 and the last 50; absent if there are none. */
  readonly elided?: number;
}

export const FLEET_SIMULATION: SimulationKind<FleetSimulation> = {
  keys: {
    kind: true,
    partitions: true,
    unpartitionedCount: true,
    unpartitioned: true,
    maxUnavailable: true,
    maxUnavailablePartitions: true,
    maxNew: true,
    install: true,
    update: true,
    elided: true,
  },
  // Nothing is known about the pods on its clusters.
  truncateAtDeadlock: (simulation) => simulation,
};
