/** The sizes of a rolling update, after the fencepost rule. Recreate has no surge, and all pods may be unavailable. */
export interface RolloutSizes {
  readonly replicas: number;
  readonly surge: number;
  readonly unavailable: number;
  /** Old pods at the start, if the same apply adds replicas. @default - as many as replicas */
  readonly running?: number;
  /** Whether the pods that the apply adds are new ones, as those of a StatefulSet. @default false, as a Deployment scales its old ReplicaSet */
  readonly addsNewPods?: boolean;
}

/** A node as a search sees it. Pods are counted, because all pods of a revision have one shape. */
export interface ModelNode {
  /** New pods that the node has capacity for next to a number of old ones, by that number. */
  readonly newPodsBesideOld: readonly number[];
  /** Key shared by nodes that no pod can distinguish. */
  readonly signature: string;
}

/** A constraint on the number of pods in a topology domain. Nodes without the label have the domain -1. */
export interface DomainConstraint {
  readonly domainOf: readonly number[];
  readonly domains: number;
}

/** A hard spread constraint of the new pods. */
export interface ModelSpread extends DomainConstraint {
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly countsOld: boolean;
  readonly countsNew: boolean;
  readonly countsItself: boolean;
  /** Whether the pods of a node are counted, by node. */
  readonly isCounted: readonly boolean[];
  /** Whether a domain exists. */
  readonly exists: readonly boolean[];
  /** Pods of others by domain. */
  readonly others: readonly number[];
  /** Fewest pods in a domain without a node of the model. Infinity if there is none. */
  readonly leastOutside: number;
  /** Number of domains without a node of the model. */
  readonly domainsOutside: number;
}

/** A required anti-affinity between old and new pods, or among new pods. */
export interface ModelAntiAffinity extends DomainConstraint {
  readonly avoidsOld: boolean;
  readonly avoidsNew: boolean;
}

/** The required pod affinity of the new pods. A pod counts for each term if it matches all of them. */
export interface ModelAffinity {
  readonly terms: readonly DomainConstraint[];
  /** Pods of others by term and domain. */
  readonly others: readonly (readonly number[])[];
  /** Whether a pod of others counts, on any node. */
  readonly hasOthers: boolean;
  readonly countsOld: boolean;
  readonly countsNew: boolean;
}

/** A rollout on nodes, reduced to what decides whether it finishes. */
export interface RolloutModel extends RolloutSizes {
  readonly nodes: readonly ModelNode[];
  /** Old pods by node. Undefined if their nodes are not known. */
  readonly oldByNode?: readonly number[];
  /** Nodes of the old pods in the order in which they are deleted. @default - those on nodes with the most pods first */
  readonly deletionOrder?: readonly number[];
  /** Whether the old pods are deleted in an order that is not known. @default false */
  readonly deletesInUnknownOrder?: boolean;
  /** Maximum number of old pods by node, for old pods on unknown nodes. */
  readonly oldLimitByNode: readonly number[];
  /**
   * Whether a node accepts no old pod now, but may have some from before it got a taint, or less than its pods use. @default - no node does
   */
  readonly rejectsOldNow?: readonly boolean[];
  /** Old pods on unknown nodes that no new one replaces. @default 0 */
  readonly keptOld?: number;
  /** Domains with at most one old pod each, for old pods on unknown nodes. @default - any number of them may share a domain */
  readonly exclusiveForOld?: readonly DomainConstraint[];
  readonly spreads: readonly ModelSpread[];
  readonly antiAffinities: readonly ModelAntiAffinity[];
  readonly affinity?: ModelAffinity;
  /**
   * Nodes that the volumes of each new pod allow, by the order in which the pods are created. @default - each pod may use every node
   */
  readonly nodesByPod?: readonly (readonly boolean[])[];
  /** Whether a new pod may be created, and placed, before the old pods that it replaces are gone. */
  readonly createsBeforeDeletion?: boolean;
  /** Whether no old pod is deleted until all new ones are ready. @default false */
  readonly keepsOldPods?: boolean;
  /** New pods that quotas admit next to a number of old pods, by that number. */
  readonly newPodsAdmitted: readonly number[];
  /** Old pods that quotas admit next to no new one. It matters if the same apply adds old pods. @default Infinity */
  readonly oldPodsAdmitted?: number;
  /** Whether its states are not searched. @default false */
  readonly skipsSearch?: boolean;
}

/** Returns a model whose old pods are on no node that accepts them no longer. Returns undefined if that is the same. */
export function dropChangedNodes(model: RolloutModel): RolloutModel | undefined {
  const { nodes, oldLimitByNode, rejectsOldNow } = model;
  if (!rejectsOldNow) return undefined;
  // Bounds are kept by the nodes that they belong to.
  return { ...model, nodes: [...nodes], oldLimitByNode: oldLimitByNode.map((limit, node) => (rejectsOldNow[node] ? 0 : limit)) };
}

/** Returns how many old pods are on the nodes at the start, including those that no new one replaces. */
export function countOldPods({ replicas, keptOld = 0 }: RolloutModel): number {
  return replicas + keptOld;
}

/** Returns the fewest old pods to be replaced that the controller keeps next to a number of new ones that are ready. */
export function countKeptOldPods(model: RolloutModel, ready: number): number {
  const { replicas, unavailable, running = replicas, addsNewPods = false, keepsOldPods = false } = model;
  if (keepsOldPods) return ready < replicas ? replicas : 0;
  const kept = Math.max(0, replicas - unavailable - ready);
  return addsNewPods ? Math.min(running, kept) : kept;
}

/** Whether all placements of a rollout finish, some, or none; and the new pods that run in the end. */
export interface RolloutOutcomes {
  readonly outcome: 'every' | 'some' | 'none';
  readonly newAtLeast: number;
  readonly newAtMost: number;
}
