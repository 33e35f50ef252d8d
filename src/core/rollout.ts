import type { Finding } from './finding';
import type { Manifest } from './manifest';
import type { Provenance } from './provenance';

/** The systems whose rollouts can be planned. */
export type SystemName = 'kubernetes' | 'kserve' | 'kuberay' | 'fleet' | 'baw';

/** The object that a rollout is of. */
export interface ResourceRef {
  /** As the object has it: `apps/v1`. */
  readonly apiVersion: string;
  /** As the object has it: `Deployment`. */
  readonly kind: string;
  /** Absent where the object names none. */
  readonly namespace?: string;
  /** Empty where the object has none. */
  readonly name: string;
  /** The part of the object, where one object makes several rollouts: `predictor`, `worker`, `canary/v2`. */
  readonly component?: string;
}

/** An object that a controller will make. */
export interface Created {
  /** `apps/v1`. */
  readonly apiVersion: string;
  /** `Deployment`. */
  readonly kind: string;
  /** As the controller makes it up. */
  readonly name: string;
  /** Absent where the object that it is made for names none. */
  readonly namespace?: string;
  /** How many pods; absent where that can't be told. */
  readonly replicas?: number;
  /** Labels of its pods. */
  readonly selector?: Readonly<Record<string, string>>;
  /** As the controller writes it. */
  readonly strategy?: unknown;
}

/** One row of a Deployment's rollout: what stands once the controller has nothing left to do until a pod becomes ready. */
export interface DeploymentWave {
  /** Counted from 1. */
  readonly wave: number;
  /** Pods of the new version, ready or not. */
  readonly newReplicas: number;
  /** Pods of the old version. */
  readonly oldReplicas: number;
  /** Pods of both versions. */
  readonly total: number;
  /** Pods ready at that moment, before the new ones of this wave are. */
  readonly available: number;
}

/** A Deployment's rollout, wave by wave. */
export interface DeploymentSimulation {
  readonly kind: 'deployment';
  /** Pods that are wanted. */
  readonly replicas: number;
  /** Pods above `replicas`, after the fencepost rule. */
  readonly surge: number;
  /** Pods below `replicas`, after the fencepost rule, at most `replicas`. */
  readonly unavailable: number;
  /** In order; of very many the first and the last. */
  readonly waves: readonly DeploymentWave[];
  /** Waves that create a pod. */
  readonly iterations: number;
  /** Most pods at once. */
  readonly peakPods: number;
  /** Fewest pods ready at once. */
  readonly minAvailable: number;
  /** Rows left out between the first 50 and the last 50; absent when none is. */
  readonly elided?: number;
}

/** A StatefulSet's rollout, batch by batch. */
export interface StatefulSetSimulation {
  readonly kind: 'statefulset';
  /** Pods that are wanted. */
  readonly replicas: number;
  /** Ordinals below it keep the old revision. */
  readonly partition: number;
  /** The number that the controller uses. */
  readonly maxUnavailable: number;
  /** Ordinals in the order in which their pods are replaced. */
  readonly order: readonly number[];
  /** Ordinals that are down together. */
  readonly batches: readonly (readonly number[])[];
  /** Ordinals that keep the old revision. */
  readonly untouched: readonly number[];
  /** Fewest pods ready at once. */
  readonly minAvailable: number;
  /** Ordinals left out of the lists; absent when none is. */
  readonly elided?: number;
}

/** One row of a DaemonSet's rollout: what stands once the controller has nothing left to do until a pod becomes ready. */
export interface DaemonSetWave {
  /** Counted from 1. */
  readonly wave: number;
  /** Pods of the new version, ready or not. */
  readonly newPods: number;
  /** Pods of the old version. */
  readonly oldPods: number;
  /** Pods of both versions. */
  readonly total: number;
  /** Pods ready at that moment, before the new ones of this wave are. */
  readonly available: number;
}

/** A DaemonSet's rollout, wave by wave. */
export interface DaemonSetSimulation {
  readonly kind: 'daemonset';
  /** Nodes that the pods may go to by the controller's own rules. */
  readonly nodes: number;
  /** Nodes that may have a second pod, percentages rounded up. */
  readonly surge: number;
  /** Nodes that may be without an available pod, percentages rounded up. */
  readonly unavailable: number;
  /** In order; of very many the first and the last. */
  readonly waves: readonly DaemonSetWave[];
  /** Most pods at once. */
  readonly peakPods: number;
  /** Fewest pods ready at once. */
  readonly minAvailable: number;
  /** The wave after which the rollout stands still for good, because nodes that are down use up the limit; absent where it ends. */
  readonly halted?: {
    /** Number of the last wave. */
    readonly wave: number;
    /** Nodes that are down and use up the limit. */
    readonly nodes: number;
    readonly reason: 'nodes-down';
  };
  /** Rows left out between the first 50 and the last 50; absent when none is. */
  readonly elided?: number;
}

/** One row of a Revision's rollout: what stands once Knative has nothing left to do until a pod becomes ready or a wait is over. */
export interface RevisionWave {
  /** Counted from 1. */
  readonly wave: number;
  /** Pods of the new Revision, ready or not. */
  readonly newPods: number;
  /** Pods of the old Revision. */
  readonly oldPods: number;
  /** Pods of both Revisions. */
  readonly total: number;
  /** Pods ready at that moment, before the new ones of this wave are. */
  readonly available: number;
  /** Percent of the requests that the new Revision gets. */
  readonly latestTrafficPercent: number;
}

/** The rollout of a service in Knative: a new Revision beside the old one. */
export interface RevisionSimulation {
  readonly kind: 'revision';
  /** Pods that run before. */
  readonly replicas: number;
  /** Most pods at once. */
  readonly peakPods: number;
  /** Fewest pods ready at once. */
  readonly minAvailable: number;
  /** Percent of the requests that the new Revision gets in the end; below 100 both Revisions stay. */
  readonly latestTrafficPercent: number;
  /** In order. */
  readonly waves: readonly RevisionWave[];
  /** Where the rollout stands still for good; absent where it ends. */
  readonly halted?: {
    /** The wave whose new pods find no room. */
    readonly wave: number;
    /** What holds it up. */
    readonly reason: 'no-room';
    /** Seconds after which Knative gives up; absent where some of the new pods run, which it waits for without end. */
    readonly afterSeconds?: number;
  };
  /** Rows left out between the first 50 and the last 50; absent when none is. */
  readonly elided?: number;
}

/** One row of a RayService's upgrade: what stands after a reconcile that changed something. All figures but the seconds are percentages. */
export interface RayServiceStep {
  /** Seconds since the change was applied, at least. */
  readonly elapsedSeconds: number;
  /** Share of its Serve replicas that the old cluster is told to run. */
  readonly activeTargetCapacity: number;
  /** Share of its Serve replicas that the new cluster is told to run. */
  readonly pendingTargetCapacity: number;
  /** Share of the requests that the HTTPRoute sends to the old cluster. */
  readonly activeTraffic: number;
  /** Share of the requests that the HTTPRoute sends to the new cluster. */
  readonly pendingTraffic: number;
}

/** The way back to the old cluster, row by row, counted from the row at which the change was reverted. */
export interface RayServiceRollback {
  /** In order, the first being the row at which the change was reverted. */
  readonly steps: readonly RayServiceStep[];
  /** Seconds from the first row to the last, at least. */
  readonly durationSeconds: number;
}

/** A RayService's upgrade, row by row. */
export interface RayServiceSimulation {
  readonly kind: 'rayservice';
  /** The `upgradeStrategy.type` that holds. */
  readonly type: 'NewClusterWithIncrementalUpgrade' | 'NewCluster' | 'None';
  /** `promoted`: the new cluster takes over; `stalled`: the loop can't move; `none`: changes are not rolled out. */
  readonly outcome: 'promoted' | 'stalled' | 'none';
  /** In order; of a stalled upgrade up to the row where it stays. */
  readonly steps: readonly RayServiceStep[];
  /** Seconds from the first row to the last, at least. */
  readonly durationSeconds: number;
  /** Rows whose capacities differ from the row before. */
  readonly capacityChanges: number;
  /** Rows whose weights differ from the row before. */
  readonly trafficShifts: number;
  /** Most capacity of both clusters together; 100 is one whole cluster. */
  readonly peakCapacityPercent: number;
  /** Reverted at the first row with half of the traffic moved; absent where the operator can't roll back or nothing is promoted. */
  readonly rollback?: RayServiceRollback;
  /** Gateway, HTTPRoute at the first row, HTTPRoute at the last, as the operator writes them. */
  readonly previews?: readonly Manifest[];
}

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

/** What will happen; a further system adds its own kind. */
export type Simulation =
  | DeploymentSimulation
  | StatefulSetSimulation
  | DaemonSetSimulation
  | RevisionSimulation
  | RayServiceSimulation
  | FleetSimulation;

/** What a guide says will happen, where the controller does otherwise. */
export interface DocumentedRollout {
  /** The guide: `IBM BAW 25.0.1, "Applying a rolling update strategy"`. */
  readonly source: string;
  /** Its steps, in the form of the simulation that they stand beside. */
  readonly simulation: Simulation;
  /** Why the two differ, in one line. */
  readonly difference: string;
}

/** The rollout at the two ends of what an autoscaler may choose. */
export interface AutoscaledRollout {
  /** The autoscaler: `HorizontalPodAutoscaler "web"`. */
  readonly by: string;
  /** With the fewest replicas that it may choose. */
  readonly minimum: Simulation;
  /** With the most. */
  readonly maximum: Simulation;
  /** Whether there is room for the rollout at the maximum; absent where neither a quota nor a capacity limits its pods. */
  readonly maximumRoom?: RolloutRoom;
}

/** `fits`: the peak finds room; `slower`: fewer pods at once than planned, and it ends; `deadlocks`: it never ends. */
export type RoomVerdict = 'fits' | 'slower' | 'deadlocks';

/** What every shortage has: `limit` allows `available` of a resource where the peak asks for `needed`. Amounts are Kubernetes quantities. */
export interface Lack {
  /** As people name it: `ResourceQuota "gpus"`, `capacity`, `node pools`, `any one node`. */
  readonly limit: string;
  /** `nvidia.com/gpu`; `nodes` or `pods`; of a node also `labels` or `taints`. */
  readonly resource: string;
  /** An amount; where labels or taints keep pods off the nodes, which. */
  readonly needed: string;
  /** An amount; `none` where labels or taints keep pods off. */
  readonly available: string;
}

/** A ResourceQuota has too little left, or refuses every new pod. */
export interface QuotaShortage extends Lack {
  readonly kind: 'quota';
  /** Why it lets no new pod in, whatever it has left; absent where the resource alone is lacking. */
  readonly refusal?: string;
}

/** The capacity given has too little for all pods together. */
export interface CapacityShortage extends Lack {
  readonly kind: 'capacity';
}

/** The nodes together have too little: places for pods, or nodes where no two of the pods go on one. */
export interface NodesShortage extends Lack {
  readonly kind: 'nodes';
  /** Nodes where no two of the pods go on one, or places for pods on all nodes together. */
  readonly resource: 'nodes' | 'pods';
}

/** No single node has enough of a resource left for one more pod. */
export interface OneNodeShortage extends Lack {
  readonly kind: 'one-node';
  /** Are there nodes that the pod may not go to at all? */
  readonly isChoosy: boolean;
}

/** No node has the labels that a pod asks for. */
export interface LabelShortage extends Lack {
  readonly kind: 'labels';
  readonly resource: 'labels';
}

/** Every node that a pod may go to by its labels has a taint that it does not tolerate. */
export interface TaintShortage extends Lack {
  readonly kind: 'taints';
  readonly resource: 'taints';
}

/** What is lacking. */
export type Shortage = QuotaShortage | CapacityShortage | NodesShortage | OneNodeShortage | LabelShortage | TaintShortage;

/** Nodes of a pool that would have to be added. */
export interface MoreNodes {
  /** The pool's name. */
  readonly pool: string;
  /** How many, from 1. */
  readonly nodes: number;
}

/** Whether the pods of a rollout find room in quotas and capacity, while the pods of the other rollouts stay as they are. */
export interface RolloutRoom {
  /** Whether the rollout ends, and as planned. */
  readonly verdict: RoomVerdict;
  /** Most pods at once, if there is room for all. */
  readonly peakPods: number;
  /** Pods that find room at once, at most `peakPods`. */
  readonly podsWithRoom: number;
  /** The limit that is reached first; absent where all fits. */
  readonly shortage?: Shortage;
  /** The wave (of a StatefulSet the batch, of a RayService the row, all counted from 1) at which nothing moves any more. */
  readonly deadlockWave?: number;
  /** Waves that create a pod, where the lack of room makes them more. */
  readonly iterations?: number;
  /** Nodes more with which the peak fits; absent where nodes don't help or are not known. */
  readonly moreNodes?: MoreNodes;
  /** The verdict in one sentence. */
  readonly message: string;
}

/** How long a rollout takes, and how much a bad one breaks. */
export interface RolloutDuration {
  /** Seconds that a pod takes to become ready. */
  readonly startupSeconds: number;
  /** No rollout is faster: every wave waits for its pods to be available, every step for its interval. */
  readonly lowerBoundSeconds: number;
  /** Where all pods take the same time: with the waits for places of old pods and for the controller's rounds; null where it never ends. */
  readonly expectedSeconds: number | null;
  /** When a broken image is noticed; null where nothing ever notices it. */
  readonly abortSeconds: number | null;
  /**
   * Pods of the new version that are broken by then; of a StatefulSet pods that are down, also those deleted and not started again;
   * of a Fleet bundle clusters that have it.
   */
  readonly blastRadius: number;
}

/** An extended resource, such as `nvidia.com/gpu` or `google.com/tpu`, that workers ask for. */
export interface WorkerAccelerator {
  /** As the pods name it. */
  readonly resource: string;
  /** Of one whole cluster. */
  readonly count: number;
  /** More at the worst of the rows. */
  readonly surge: number;
}

/** What the second cluster of a RayService means in worker pods. */
export interface WorkerSize {
  /** Of one whole cluster. */
  readonly pods: number;
  /** Of one whole cluster. */
  readonly gpus: number;
  /** More at the worst of the rows. The head pod of the new cluster comes on top. */
  readonly surgePods: number;
  /** More at the worst of the rows. */
  readonly surgeGpus: number;
  /** Each extended resource by its name, GPUs among them; absent where the workers ask for none. */
  readonly accelerators?: readonly WorkerAccelerator[];
}

/** The same as written, and as the autoscaler of the cluster may have it. */
export interface RolloutWorkers extends WorkerSize {
  /** An autoscaler changes these numbers; absent where none does. */
  readonly autoscaled?: true;
  /** The most that it may make of them; absent without an autoscaler, and where a worker group has no maxReplicas. */
  readonly most?: WorkerSize;
}

/** Bundles that a Fleet bundle waits for on each cluster: until they are in one of the states there, it is released and not applied. */
export interface RolloutDependency {
  /** Of the bundle. */
  readonly name?: string;
  /** Labels of the bundles, where they are not named. */
  readonly selector?: unknown;
  /** Any of them will do. */
  readonly acceptedStates: readonly string[];
}

/** How one object's change will roll out. */
export interface PlannedRollout {
  /** Whose controller rolls it out. */
  readonly system: SystemName;
  /** The object. */
  readonly resource: ResourceRef;
  /** The unit that it belongs to, or its file where that does not tell either; absent where its name alone tells it from every other rollout. */
  readonly unit?: string;
  /** What the API server stores once the controller has written it; null when it is refused. */
  readonly strategy: unknown;
  /** Empty where the strategy is null: no level has decided what is not there. */
  readonly provenance: readonly Provenance[];
  /** Null when nothing rolls out or nothing can be told; a finding says why. */
  readonly simulation: Simulation | null;
  /** Absent where no guide walks through it or its guide is right. */
  readonly documented?: DocumentedRollout;
  /** Absent where no autoscaler targets it. */
  readonly autoscaled?: AutoscaledRollout;
  /** Absent where neither a quota nor a capacity limits its pods. */
  readonly room?: RolloutRoom;
  /** Absent where it is not known how long a pod takes to become ready. */
  readonly duration?: RolloutDuration;
  /** Absent where it is no RayService, nothing rolls out, or nothing is known of its workers. */
  readonly workers?: RolloutWorkers;
  /** What it waits for on each cluster; absent where it waits for nothing. */
  readonly dependsOn?: readonly RolloutDependency[];
  /** Objects that a controller makes of it; absent where none does. */
  readonly creates?: readonly Created[];
  /** What is to be said of it, errors and all. */
  readonly findings: readonly Finding[];
}

/** Rows that stand whole; longer lists keep their first and last `SHOWN_AT_EACH_END`. */
export const MAX_ROWS = 1_000;
export const SHOWN_AT_EACH_END = 50;

/** What a simulated object is for, to name it in a table or a message: `Deployment web/shop`. */
export function resourceOf(object: Manifest, name: string, namespace?: string, component?: string): ResourceRef {
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    ...(namespace !== undefined && { namespace }),
    name,
    ...(component !== undefined && { component }),
  };
}

/**
 * The numbers of the rows to show of `count`, counted from 0, and how many are left out.
 *
 * Up to 1,000 rows stand whole; of 1,001 the first 50 and the last 50 stand and 901 are elided.
 */
export function shownRows(count: number): { readonly rows: readonly number[]; readonly elided: number } {
  if (count <= MAX_ROWS) return { rows: Array.from({ length: count }, (_, row) => row), elided: 0 };
  const rows: number[] = [];
  for (let row = 0; row < SHOWN_AT_EACH_END; row++) rows.push(row);
  for (let row = count - SHOWN_AT_EACH_END; row < count; row++) rows.push(row);
  return { rows, elided: count - 2 * SHOWN_AT_EACH_END };
}
