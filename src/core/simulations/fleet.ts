import type { SimulationKind } from './simulation-kind';

/** Clusters to which a change is released between two rounds of agents reporting. */
export interface FleetWave {
  /** Clusters that begin to pull images and to update together. */
  readonly count: number;
  /** In the order of release; left out where the bundle targets more than 1,000 clusters. */
  readonly clusters?: readonly string[];
}

/** How far a change gets, wave by wave, once every agent has reported whatever it will report. */
export interface FleetWaves {
  /** In order; of very many the first and the last. */
  readonly waves: readonly FleetWave[];
  /** Every targeted cluster has been released to. */
  readonly done: boolean;
  /** Null when done, or when nothing but clusters in no partition is left. */
  readonly halted: {
    /** The partition at which Fleet's loop breaks off; null when it runs through. */
    readonly partition: string | null;
    /** Partitions that are over their limit. */
    readonly unavailablePartitions: number;
  } | null;
  /** Clusters in no partition count. */
  readonly notReleasedCount: number;
  /** By name. */
  readonly notReleased?: readonly string[];
  /** Waves left out between the first 50 and the last 50; absent when none is. */
  readonly elided?: number;
}

/** One partition of a Fleet bundle's clusters. */
export interface FleetPartition {
  /** As the strategy has it, or as Fleet calls an automatic one. */
  readonly name: string;
  /** Clusters in it. */
  readonly count: number;
  /** The number that the controller uses. */
  readonly maxUnavailable: number;
  /** By name. */
  readonly clusters?: readonly string[];
}

/** A Fleet bundle's rollout over its clusters. */
export interface FleetSimulation {
  readonly kind: 'fleet';
  /** In the order in which they are rolled out. */
  readonly partitions: readonly FleetPartition[];
  /** Targeted clusters that no partition matches: they are never installed and never updated. */
  readonly unpartitionedCount: number;
  /** By name. */
  readonly unpartitioned?: readonly string[];
  /** Of all targeted clusters. */
  readonly maxUnavailable: number;
  /** The number that the controller uses. */
  readonly maxUnavailablePartitions: number;
  /** BundleDeployments that one reconcile creates. */
  readonly maxNew: number;
  /** The bundle is new on every cluster. */
  readonly install: FleetWaves;
  /** Every cluster is ready on the old version. */
  readonly update: FleetWaves;
  /** Partitions left out between the first 50 and the last 50; absent when none is. */
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
  // Of the pods on its clusters nothing is known.
  truncateAtDeadlock: (simulation) => simulation,
};
