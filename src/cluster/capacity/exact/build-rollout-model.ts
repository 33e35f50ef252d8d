import { countPods, subtractPods } from '../amounts';
import type { Amounts } from '../amounts';
import { hasPortConflict, buildPortMarks } from '../nodes/scheduling';
import { computePodFootprint } from '../pod-requests';
import { listAffinityTerms } from '../surroundings/pod-shape';
import type { PodShape } from '../surroundings/pod-shape';
import type { RunningPod } from '../surroundings/running-pods';
import { selectAffinity, selectDomains, selectSpread } from './model-domains';
import type { OwnAffinity, OwnSpread } from './model-domains';
import { RolloutConstraints } from './rollout-constraints';
import type { ModelInputs } from './rollout-constraints';
import type { ModelAntiAffinity, RolloutModel } from './rollout-model';

const HOSTNAME = 'kubernetes.io/hostname';

/** A model, and the constraints that the input does not decide. They are left out of the model. */
export interface BuiltModel {
  readonly model: RolloutModel;
  readonly undecided: readonly string[];
  /** Indexes of the nodes of the model in the inventory. */
  readonly nodeIndexes: readonly number[];
}

function addAmounts(amounts: Amounts, others: Amounts | undefined): Amounts {
  return others === undefined || others.size === 0 ? amounts : new Map([...amounts, ...others]);
}

/** A node of the model. */
interface ChosenNode {
  readonly index: number;
  readonly newPodsBesideOld: readonly number[];
  readonly oldLimit: number;
  readonly old: number;
  readonly isTaintedLater: boolean;
  readonly signature: string;
  readonly domainlessSignature: string;
}

/** Builds a model from the nodes that decide anything: those with old pods, and those that accept a new one. */
class ModelBuilder extends RolloutConstraints {
  private readonly ownByNode = new Map<number, RunningPod[]>();
  /** Nodes that the volumes of each new pod allow. */
  private readonly eligibleByPod: readonly ReadonlySet<number>[] | undefined;

  constructor(inputs: ModelInputs) {
    super(inputs);
    this.eligibleByPod = inputs.onOwnVolumes?.map((podSet) => inputs.inventory.eligibleNodes(podSet, 'new').indexes);
    for (const pod of inputs.located ?? []) {
      const node = inputs.inventory.indexOf(pod.nodeName!)!;
      const known = this.ownByNode.get(node);
      if (known) known.push(pod);
      else this.ownByNode.set(node, [pod]);
    }
  }

  build(): BuiltModel {
    const { sizes, newPodsAdmitted, located, keptOld, deletedInOrder, inventory, createsBeforeDeletion } = this.inputs;
    this.collectAntiAffinity();
    this.collectExclusiveClaims();
    const spreads = this.collectSpreads();
    const affinity = this.collectAffinity();
    const chosen = this.chooseNodes(spreads, affinity);
    const indexes = chosen.map(({ index }) => index);
    const exclusiveForOld = this.exclusiveForOld
      .filter(({ isPerNode }) => !isPerNode)
      .map((topology) => selectDomains(topology, indexes).constraint);
    const positions = new Map(indexes.map((index, position) => [index, position]));
    const model: RolloutModel = {
      ...sizes,
      nodes: chosen.map(({ newPodsBesideOld, signature, domainlessSignature }) => ({ newPodsBesideOld, signature, domainlessSignature })),
      ...(located && { oldByNode: chosen.map((node) => node.old) }),
      ...(keptOld && { keptOld }),
      ...(!located && deletedInOrder && { deletesInUnknownOrder: true }),
      ...(located && deletedInOrder && { deletionOrder: located.map((pod) => positions.get(inventory.indexOf(pod.nodeName!)!)!) }),
      oldLimitByNode: chosen.map(({ oldLimit }) => oldLimit),
      ...(chosen.some(({ isTaintedLater }) => isTaintedLater) && { isTaintedLater: chosen.map((node) => node.isTaintedLater) }),
      spreads: spreads.map((spread) => selectSpread(spread, indexes)),
      antiAffinities: this.antiAffinities
        .filter(({ topology }) => !topology.isPerNode)
        .map(({ topology, avoidsOld, avoidsNew }): ModelAntiAffinity => ({
          ...selectDomains(topology, indexes).constraint,
          avoidsOld,
          avoidsNew,
        })),
      ...(affinity && { affinity: selectAffinity(affinity, indexes) }),
      ...(exclusiveForOld.length > 0 && { exclusiveForOld }),
      ...(this.eligibleByPod && { nodesByPod: this.eligibleByPod.map((eligible) => indexes.map((index) => eligible.has(index))) }),
      ...(createsBeforeDeletion && { createsBeforeDeletion }),
      newPodsAdmitted,
    };
    return { model, undecided: [...this.undecided], nodeIndexes: indexes };
  }

  private footprintOf({ spec, namespace }: PodShape): Amounts {
    const claimed = this.inputs.devices.devicesOf(spec, namespace);
    if (claimed === undefined) this.undecided.add('resourceClaims');
    return addAmounts(computePodFootprint(spec), claimed);
  }

  /**
   * Chooses the nodes that decide anything. R new pods use at most R equal nodes, and R old ones are on at most R, so that 2R + 1 equal nodes
   * behave like any larger number.
   */
  private chooseNodes(spreads: readonly OwnSpread[], affinity: OwnAffinity | undefined): ChosenNode[] {
    const { inventory, sizes, keptOld = 0, old, next, located, freeWithout } = this.inputs;
    const { replicas } = sizes;
    const oldPods = replicas + keptOld;
    const [oldFootprint, newFootprint] = [this.footprintOf(old.shape), this.footprintOf(next.shape)];
    const { avoids } = buildPortMarks(next.shape.spec);
    const oldPortsExclude = avoids.length > 0 && hasPortConflict(old.shape.spec, next.shape.spec);
    const newPortsExclude = avoids.length > 0 && hasPortConflict(next.shape.spec, next.shape.spec);
    const perNode = this.antiAffinities.filter(({ topology }) => topology.isPerNode);
    const avoidsOfOld = this.inputs.placesOldAnywhere ? [] : buildPortMarks(old.shape.spec).avoids;
    const oldTerms = listAffinityTerms(old.shape, 'podAntiAffinity');
    const oldExcludesOld =
      hasPortConflict(old.shape.spec, old.shape.spec) || oldTerms.some((term) => term.topologyKey === HOSTNAME && term.matches(old.shape));
    const mostOld = oldExcludesOld ? 1 : oldPods;
    const limitOld = (index: number, oldCapacity: number): number => {
      if (oldCapacity === 0 || this.blockedForOld.has(index) || this.isPortUsed(index, old.shape, avoidsOfOld)) return 0;
      const isExclusive = this.exclusiveForOld.some(({ domainOf }) => domainOf[index]! >= 0);
      return isExclusive ? 1 : oldCapacity;
    };
    const excludes = (index: number, byOld: boolean): boolean =>
      (byOld ? oldPortsExclude : newPortsExclude) ||
      perNode.some(({ topology, avoidsOld, avoidsNew }) => (byOld ? avoidsOld : avoidsNew) && topology.domainOf[index]! >= 0);
    const eligible = inventory.eligibleNodes(next.onVolumes, 'new');
    const topologies = [
      ...spreads.map(({ topology }) => topology),
      ...this.antiAffinities.map(({ topology }) => topology),
      ...(affinity?.topologies ?? []),
      ...this.exclusiveForOld,
    ];
    const counts = [...spreads, ...(affinity?.others.map((others, term) => ({ others, topology: affinity.topologies[term]! })) ?? [])];
    const domainsOf = (index: number): string => {
      let domains = '';
      for (const { domainOf, isPerNode } of topologies) if (!isPerNode) domains += `|${domainOf[index]}`;
      return domains;
    };
    const domainlessSignatureOf = (index: number, capacities: readonly number[], oldLimit: number): string => {
      let signature = `${oldLimit}:${capacities.join(',')}`;
      for (const { domainOf } of topologies) signature += `|${domainOf[index]! >= 0}`;
      for (const own of this.eligibleByPod ?? []) signature += own.has(index) ? '|v' : '|-';
      for (const { isCounted } of spreads) signature += isCounted[index] ? '|+' : '|-';
      for (const { others, topology } of counts) if (topology.isPerNode) signature += `|${others[topology.domainOf[index]!] ?? ''}`;
      return signature;
    };
    const capacitiesOf = (index: number, free: Amounts, oldLimit: number): number[] => {
      const [byOld, byNew] = [excludes(index, true), excludes(index, false)];
      return Array.from({ length: oldLimit + 1 }, (_, pods) => {
        if ((byOld && pods > 0) || !this.allowsOnOwnNode(index, pods)) return 0;
        const capacity = countPods(subtractPods(free, oldFootprint, pods), newFootprint, replicas);
        return byNew ? Math.min(1, capacity) : capacity;
      });
    };
    const chosen: ChosenNode[] = [];
    const limit = replicas + oldPods + 1;
    const chosenBySignature = new Map<string, number>();
    const add = (index: number, newPodsBesideOld: readonly number[], oldLimit: number, ownPods: number, isTaintedLater = false): void => {
      const domainlessSignature = domainlessSignatureOf(index, newPodsBesideOld, oldLimit) + (isTaintedLater ? '|t' : '');
      const signature = domainlessSignature + domainsOf(index);
      const known = ownPods > 0 ? 0 : (chosenBySignature.get(signature) ?? 0);
      const copies = Math.min(inventory.nodes[index]!.count, limit - known);
      if (ownPods === 0) chosenBySignature.set(signature, known + copies);
      for (let copy = 0; copy < copies; copy++)
        chosen.push({ index, newPodsBesideOld, oldLimit, old: ownPods, isTaintedLater, signature, domainlessSignature });
    };
    for (const [index, pods] of this.ownByNode) {
      const free = freeWithout(inventory.nodes[index]!.free, pods);
      const canRun = eligible.indexes.has(index) && !this.isBlocked(index, avoids);
      add(
        index,
        canRun ? capacitiesOf(index, free, pods.length) : Array.from({ length: pods.length + 1 }, () => 0),
        pods.length,
        pods.length,
      );
    }
    const isPerNode =
      located !== undefined &&
      this.eligibleByPod === undefined &&
      spreads.length === 0 &&
      affinity === undefined &&
      topologies.every((topology) => topology.isPerNode);
    const eligibleForOld = located ? undefined : inventory.eligibleNodes(old.onVolumes, 'old');
    const classes = new Set([...eligible.byClass.keys(), ...(eligibleForOld?.byClass.keys() ?? [])]);
    const countOld = (nodeClass: number) => Math.min(mostOld, countPods(inventory.classes[nodeClass]!, oldFootprint, oldPods));
    const addOldOnly = (index: number, oldLimit: number, isTaintedLater = false) =>
      add(
        index,
        Array.from({ length: oldLimit + 1 }, () => 0),
        oldLimit,
        0,
        isTaintedLater,
      );
    for (const nodeClass of classes) {
      const free = inventory.classes[nodeClass]!;
      const capacity = countPods(free, newFootprint, replicas);
      const oldCapacity = eligibleForOld ? countOld(nodeClass) : 0;
      const forNew = capacity > 0 ? (eligible.byClass.get(nodeClass) ?? []) : [];
      const forOld = oldCapacity > 0 ? (eligibleForOld!.byClass.get(nodeClass) ?? []) : [];
      for (const index of forOld === forNew || forOld.length === 0 ? forNew : new Set([...forNew, ...forOld])) {
        if (this.ownByNode.has(index)) continue;
        // R old pods and R new ones exclude each other from at most 2R nodes.
        if (isPerNode && chosen.length >= limit + this.ownByNode.size) break;
        const acceptsOld = eligibleForOld?.indexes.has(index) === true;
        const isTaintedLater = oldCapacity > 0 && !acceptsOld && inventory.mayBeTaintedLater(index, old.onVolumes);
        const oldLimit = acceptsOld || isTaintedLater ? limitOld(index, oldCapacity) : 0;
        const canRun = capacity > 0 && eligible.indexes.has(index) && !this.isBlocked(index, avoids) && this.allowsOnOwnNode(index, 0);
        if (!canRun && oldLimit === 0) continue;
        if (!canRun) addOldOnly(index, oldLimit, isTaintedLater);
        else if (oldLimit === 0) add(index, [excludes(index, false) ? 1 : capacity], 0, 0);
        else add(index, capacitiesOf(index, free, oldLimit), oldLimit, 0, isTaintedLater);
      }
    }
    if (!eligibleForOld) return chosen;
    const areAllCounted = spreads.length > 0 || topologies.some((topology) => !topology.isPerNode);
    let placesOfOld = 0;
    for (const index of inventory.listTaintedLater(old.onVolumes)) {
      // No constraint distinguishes enough places for all old pods.
      if (placesOfOld >= oldPods && !areAllCounted) break;
      const oldLimit = eligible.indexes.has(index) ? 0 : limitOld(index, countOld(inventory.classOf[index]!));
      if (oldLimit > 0) addOldOnly(index, oldLimit, true);
      placesOfOld += oldLimit;
    }
    return chosen;
  }
}

/** Builds the model of a rollout from its pods and nodes. */
export function buildRolloutModel(inputs: ModelInputs): BuiltModel {
  return new ModelBuilder(inputs).build();
}
