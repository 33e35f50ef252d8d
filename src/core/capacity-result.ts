/** What is said of pods that an apply adds without a rollout by the same words: `deadlocks` where some of them never find room, `slower` where some wait until others are gone. `fits`: the peak finds room; `may-not-fit`: it does by all that is looked at, and the pods have constraints that are not; `slower`: fewer pods at once than planned, and it ends; `deadlocks`: it never ends. */
export type CapacityVerdict = 'fits' | 'may-not-fit' | 'slower' | 'deadlocks';

/** What every shortage has: `limit` allows `available` of a resource where the peak asks for `needed`. Amounts are Kubernetes quantities. */
export interface BaseShortage {
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
export interface QuotaShortage extends BaseShortage {
  readonly kind: 'quota';
  /** Why it lets no new pod in, whatever it has left; absent where the resource alone is lacking. */
  readonly refusal?: string;
}

/** The capacity given has too little for all pods together. */
export interface CapacityShortage extends BaseShortage {
  readonly kind: 'capacity';
}

/** The nodes together have too few places for pods. */
export interface NodesShortage extends BaseShortage {
  readonly kind: 'nodes';
  readonly resource: 'pods';
}

/** Each of the pods wants a node of its own, and there are too few nodes. */
export interface OwnNodesShortage extends BaseShortage {
  readonly kind: 'own-nodes';
  readonly resource: 'nodes';
}

/** No single node has enough of a resource left for one more pod. */
export interface OneNodeShortage extends BaseShortage {
  readonly kind: 'one-node';
  /** Are there nodes that the pod may not go to at all? */
  readonly excludesNodes: boolean;
}

/** No node has the labels that a pod asks for. */
export interface LabelShortage extends BaseShortage {
  readonly kind: 'labels';
  readonly resource: 'labels';
}

/** Every node that a pod may go to by its labels has a taint that it does not tolerate. */
export interface TaintShortage extends BaseShortage {
  readonly kind: 'taints';
  readonly resource: 'taints';
}

/** What is lacking. */
export type Shortage =
  | QuotaShortage
  | CapacityShortage
  | NodesShortage
  | OwnNodesShortage
  | OneNodeShortage
  | LabelShortage
  | TaintShortage;

/** Nodes of a pool that would have to be added. */
export interface MoreNodes {
  /** The pool's name. */
  readonly pool: string;
  /** How many, from 1. */
  readonly nodes: number;
}

/** Whether the pods of a rollout find room in quotas and capacity, while the pods of the other rollouts stay as they are. */
export interface CapacityResult {
  /** Whether the rollout ends, and as planned. */
  readonly verdict: CapacityVerdict;
  /** Most pods at once, if there is room for all. */
  readonly peakPods: number;
  /** Pods that find room at once, at most `peakPods`. */
  readonly podsThatFit: number;
  /** Pods that find room if they come before what else the apply adds, where it adds more than there is room for; absent where that is no more. */
  readonly mostPodsThatFit?: number;
  /** What keeps the verdict from being sure: constraints of the pods that are not looked at, by their fields, such as `topologySpreadConstraints`, or `pods of other units`; absent where the pods have none, and where they don't find room anyway. */
  readonly because?: readonly string[];
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
