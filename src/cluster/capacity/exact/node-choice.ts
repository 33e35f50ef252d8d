import { groupBy } from '../../../core/collections/group-by';
import { countPods, isOvercommitted, subtractPods } from '../amounts';
import type { Amounts } from '../../../core/values/quantity';
import { buildPortMarks, hasPortConflict } from '../nodes/scheduling';
import { computePodFootprint } from '../pod-requests';
import type { EligibleNodes, Topology } from '../surroundings/node-inventory';
import { listAffinityTerms } from '../nodes/pod-shape';
import type { PodShape } from '../nodes/pod-shape';
import type { RunningPod } from '../surroundings/running-pods';
import type { OwnAffinity, OwnSpread } from './model-domains';
import { RolloutConstraints } from './rollout-constraints';
import type { ModelInputs } from './rollout-constraints';

const HOSTNAME = 'kubernetes.io/hostname';

function addAmounts(amounts: Amounts, others: Amounts | undefined): Amounts {
  return others === undefined || others.size === 0 ? amounts : new Map([...amounts, ...others]);
}

/** A node of the model. */
export interface ChosenNode {
  readonly index: number;
  readonly newPodsBesideOld: readonly number[];
  readonly oldLimit: number;
  readonly old: number;
  readonly rejectsOldNow: boolean;
  readonly signature: string;
}

/** What the old and new pods need of a node. */
interface PodNeeds {
  readonly oldPods: number;
  readonly oldFootprint: Amounts;
  readonly newFootprint: Amounts;
  /** Marks of host ports that a new pod avoids. */
  readonly avoids: readonly unknown[];
  /** Those that an old pod on an unknown node avoids. */
  readonly avoidsOfOld: readonly unknown[];
  /** Whether a host port keeps a new pod off an old one, and off another new one. */
  readonly portsExclude: { readonly byOld: boolean; readonly byNew: boolean };
  /** Most old pods on one node, whatever its capacity. */
  readonly mostOld: number;
}

/** What distinguishes nodes with the same capacity. */
interface Distinctions {
  readonly spreads: readonly OwnSpread[];
  readonly topologies: readonly Topology[];
  /** Pods of others by domain. */
  readonly counts: readonly { readonly others: readonly number[]; readonly topology: Topology }[];
}

/**
 * Chooses the nodes that decide anything: those with old pods, and those that accept a new one. R new pods use at most R equal nodes, and R old
 * ones are on at most R, so that 2R + 1 equal nodes behave like any larger number.
 */
export class NodeChoice extends RolloutConstraints {
  private readonly ownByNode: ReadonlyMap<number, readonly RunningPod[]>;
  /** Nodes that the volumes of each new pod allow. */
  protected readonly eligibleByPod: readonly ReadonlySet<number>[] | undefined;
  private readonly chosen: ChosenNode[] = [];
  private readonly chosenBySignature = new Map<string, number>();
  private needs!: PodNeeds;
  private distinctions!: Distinctions;

  constructor(inputs: ModelInputs) {
    super(inputs);
    this.eligibleByPod = inputs.onOwnVolumes?.map((podSet) => inputs.inventory.eligibleNodes(podSet, 'new').indexes);
    this.ownByNode = groupBy(inputs.located ?? [], (pod) => inputs.inventory.indexOf(pod.nodeName!)!);
  }

  protected chooseNodes(spreads: readonly OwnSpread[], affinity: OwnAffinity | undefined): readonly ChosenNode[] {
    const { inventory, next, old, located } = this.inputs;
    this.needs = this.resolveNeeds();
    this.distinctions = this.resolveDistinctions(spreads, affinity);
    const eligible = inventory.eligibleNodes(next.onVolumes, 'new');
    const eligibleForOld = located ? undefined : inventory.eligibleNodes(old.onVolumes, 'old');
    this.addNodesOfOldPods(eligible);
    this.addNodesByClass(eligible, eligibleForOld);
    if (eligibleForOld) this.addTaintedNodes(eligible);
    return this.chosen;
  }

  private footprintOf({ spec, namespace }: PodShape): Amounts {
    const claimed = this.inputs.devices.devicesOf(spec, namespace);
    if (claimed === undefined) this.undecided.add('resourceClaims');
    return addAmounts(computePodFootprint(spec), claimed);
  }

  private resolveNeeds(): PodNeeds {
    const { sizes, keptOld = 0, old, next, placesOldAnywhere } = this.inputs;
    const oldPods = sizes.replicas + keptOld;
    const { avoids } = buildPortMarks(next.shape.spec);
    const oldExcludesOld =
      hasPortConflict(old.shape.spec, old.shape.spec) ||
      listAffinityTerms(old.shape, 'podAntiAffinity').some((term) => term.topologyKey === HOSTNAME && term.matches(old.shape));
    return {
      oldPods,
      oldFootprint: this.footprintOf(old.shape),
      newFootprint: this.footprintOf(next.shape),
      avoids,
      avoidsOfOld: placesOldAnywhere ? [] : buildPortMarks(old.shape.spec).avoids,
      portsExclude: {
        byOld: avoids.length > 0 && hasPortConflict(old.shape.spec, next.shape.spec),
        byNew: avoids.length > 0 && hasPortConflict(next.shape.spec, next.shape.spec),
      },
      mostOld: oldExcludesOld ? 1 : oldPods,
    };
  }

  private resolveDistinctions(spreads: readonly OwnSpread[], affinity: OwnAffinity | undefined): Distinctions {
    const topologies = [
      ...spreads.map(({ topology }) => topology),
      ...this.antiAffinities.map(({ topology }) => topology),
      ...(affinity?.topologies ?? []),
      ...this.exclusiveForOld,
    ];
    const counts = [...spreads, ...(affinity?.others.map((others, term) => ({ others, topology: affinity.topologies[term]! })) ?? [])];
    return { spreads, topologies, counts };
  }

  /** Limits the old pods on a node that has capacity for a number of them. */
  private limitOld(index: number, oldCapacity: number): number {
    const { old } = this.inputs;
    if (oldCapacity === 0 || this.blockedForOld.has(index) || this.isPortUsed(index, old.shape, this.needs.avoidsOfOld)) return 0;
    const isExclusive = this.exclusiveForOld.some(({ domainOf }) => domainOf[index]! >= 0);
    return isExclusive ? 1 : oldCapacity;
  }

  /** Reports whether an old or a new pod on a node keeps a new one off it. */
  private excludes(index: number, byOld: boolean): boolean {
    const { portsExclude } = this.needs;
    if (byOld ? portsExclude.byOld : portsExclude.byNew) return true;
    return this.antiAffinities.some(
      ({ topology, avoidsOld, avoidsNew }) => topology.isPerNode && (byOld ? avoidsOld : avoidsNew) && topology.domainOf[index]! >= 0,
    );
  }

  /** Formats what distinguishes a node. A domain that contains one node only distinguishes it by the pods of others there. */
  private formatSignature(index: number, capacities: readonly number[], oldLimit: number): string {
    const { spreads, topologies, counts } = this.distinctions;
    let signature = `${oldLimit}:${capacities.join(',')}`;
    for (const { domainOf, isPerNode } of topologies) signature += `|${isPerNode ? domainOf[index]! >= 0 : domainOf[index]}`;
    for (const own of this.eligibleByPod ?? []) signature += own.has(index) ? '|v' : '|-';
    for (const { isCounted } of spreads) signature += isCounted[index] ? '|+' : '|-';
    for (const { others, topology } of counts) if (topology.isPerNode) signature += `|${others[topology.domainOf[index]!] ?? ''}`;
    return signature;
  }

  /** Counts the new pods that a node takes next to each number of old ones. */
  private countCapacities(index: number, free: Amounts, oldLimit: number): number[] {
    const { oldFootprint, newFootprint } = this.needs;
    const [byOld, byNew] = [this.excludes(index, true), this.excludes(index, false)];
    return Array.from({ length: oldLimit + 1 }, (_, pods) => {
      if ((byOld && pods > 0) || !this.allowsOnOwnNode(index, pods)) return 0;
      const capacity = countPods(subtractPods(free, oldFootprint, pods), newFootprint, this.inputs.sizes.replicas);
      return byNew ? Math.min(1, capacity) : capacity;
    });
  }

  /** Most equal nodes that are chosen. */
  private get limit(): number {
    return this.inputs.sizes.replicas + this.needs.oldPods + 1;
  }

  private add(index: number, newPodsBesideOld: readonly number[], oldLimit: number, ownPods = 0, rejectsOldNow = false): void {
    const signature = this.formatSignature(index, newPodsBesideOld, oldLimit) + (rejectsOldNow ? '|t' : '');
    const known = ownPods > 0 ? 0 : (this.chosenBySignature.get(signature) ?? 0);
    const copies = Math.min(this.inputs.inventory.nodes[index]!.count, this.limit - known);
    if (ownPods === 0) this.chosenBySignature.set(signature, known + copies);
    for (let copy = 0; copy < copies; copy++) {
      this.chosen.push({ index, newPodsBesideOld, oldLimit, old: ownPods, rejectsOldNow, signature });
    }
  }

  private addOldOnly(index: number, oldLimit: number, rejectsOldNow: boolean, ownPods = 0): void {
    const none = Array.from({ length: oldLimit + 1 }, () => 0);
    this.add(index, none, oldLimit, ownPods, rejectsOldNow);
  }

  /** Adds the nodes that old pods run on for certain. */
  private addNodesOfOldPods(eligible: EligibleNodes): void {
    const { inventory, freeWithout } = this.inputs;
    for (const [index, pods] of this.ownByNode) {
      const { length } = pods;
      const free = freeWithout(inventory.nodes[index]!.free, pods);
      if (!eligible.indexes.has(index) || this.isBlocked(index, this.needs.avoids)) this.addOldOnly(index, length, false, length);
      else this.add(index, this.countCapacities(index, free, length), length, length);
    }
  }

  /** Reports whether nothing but the pods of a node itself decides, and the old pods are on known nodes. */
  private isDecidedPerNode(): boolean {
    const { spreads, topologies, counts } = this.distinctions;
    const isLocated = this.inputs.located !== undefined;
    return (
      isLocated &&
      this.eligibleByPod === undefined &&
      spreads.length + counts.length === 0 &&
      topologies.every((topology) => topology.isPerNode)
    );
  }

  /** Adds other nodes with capacity for a new pod, or for an old one on an unknown node. */
  private addNodesByClass(eligible: EligibleNodes, eligibleForOld: EligibleNodes | undefined): void {
    const { inventory, sizes } = this.inputs;
    const isPerNode = this.isDecidedPerNode();
    const classes = new Set([...eligible.byClass.keys(), ...(eligibleForOld?.byClass.keys() ?? [])]);
    for (const nodeClass of classes) {
      const capacity = countPods(inventory.classes[nodeClass]!, this.needs.newFootprint, sizes.replicas);
      const oldCapacity = eligibleForOld ? this.countOld(nodeClass) : 0;
      const forNew = capacity > 0 ? (eligible.byClass.get(nodeClass) ?? []) : [];
      const forOld = oldCapacity > 0 ? (eligibleForOld!.byClass.get(nodeClass) ?? []) : [];
      for (const index of forOld === forNew || forOld.length === 0 ? forNew : new Set([...forNew, ...forOld])) {
        if (this.ownByNode.has(index)) continue;
        // R old pods and R new ones exclude each other from at most 2R nodes.
        if (isPerNode && this.chosen.length >= this.limit + this.ownByNode.size) break;
        const acceptsNew = capacity > 0 && eligible.indexes.has(index);
        this.addNode(index, acceptsNew ? capacity : 0, oldCapacity, eligibleForOld?.indexes.has(index) === true);
      }
    }
  }

  private countOld(nodeClass: number): number {
    const { mostOld, oldFootprint, oldPods } = this.needs;
    const free = this.inputs.inventory.classes[nodeClass]!;
    return isOvercommitted(free, oldFootprint) ? mostOld : Math.min(mostOld, countPods(free, oldFootprint, oldPods));
  }

  private addNode(index: number, capacity: number, oldCapacity: number, acceptsOld: boolean): void {
    const { inventory, old } = this.inputs;
    const free = inventory.classes[inventory.classOf[index]!]!;
    const changed = acceptsOld ? isOvercommitted(free, this.needs.oldFootprint) : inventory.mayBeTaintedLater(index, old.onVolumes);
    const rejectsOldNow = oldCapacity > 0 && changed;
    const oldLimit = acceptsOld || rejectsOldNow ? this.limitOld(index, oldCapacity) : 0;
    const canRun = capacity > 0 && !this.isBlocked(index, this.needs.avoids) && this.allowsOnOwnNode(index, 0);
    if (!canRun && oldLimit === 0) return;
    if (!canRun) this.addOldOnly(index, oldLimit, rejectsOldNow);
    else if (oldLimit === 0) this.add(index, [this.excludes(index, false) ? 1 : capacity], 0);
    else this.add(index, this.countCapacities(index, free, oldLimit), oldLimit, 0, rejectsOldNow);
  }

  /** Adds nodes that only old pods may be on, because of a taint that may have been added since. */
  private addTaintedNodes(eligible: EligibleNodes): void {
    const { inventory, old } = this.inputs;
    const { spreads, topologies } = this.distinctions;
    const areAllCounted = spreads.length > 0 || topologies.some((topology) => !topology.isPerNode);
    let placesOfOld = 0;
    for (const index of inventory.listTaintedLater(old.onVolumes)) {
      // No constraint distinguishes enough places for all old pods.
      if (placesOfOld >= this.needs.oldPods && !areAllCounted) break;
      const oldLimit = eligible.indexes.has(index) ? 0 : this.limitOld(index, this.countOld(inventory.classOf[index]!));
      if (oldLimit > 0) this.addOldOnly(index, oldLimit, true);
      placesOfOld += oldLimit;
    }
  }
}
