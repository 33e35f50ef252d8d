import { getListAt, getValueAt } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { findMin } from '../../../core/min-max';
import type { PodSet } from '../../pod-set';
import { computePodFootprint } from '../pod-requests';
import type { Amounts } from '../amounts';
import { hasPortConflict, buildPortMarks } from '../nodes/scheduling';
import type { DeviceInventory } from '../surroundings/claimed-devices';
import { countPods, subtractPods } from '../amounts';
import type { NodeInventory, Topology } from '../surroundings/node-inventory';
import type { PodIndex } from '../surroundings/pod-index';
import { listAffinityTerms, listSpreadConstraints } from '../surroundings/pod-shape';
import type { AffinityTerm, PodShape, SpreadConstraint } from '../surroundings/pod-shape';
import type { DomainConstraint, ModelAffinity, ModelAntiAffinity, ModelSpread, RolloutModel, RolloutSizes } from './rollout-model';
import type { RunningPod } from '../surroundings/running-pods';

const HOSTNAME = 'kubernetes.io/hostname';

/** Old or new pods of a rollout. */
export interface RevisionPods {
  readonly shape: PodShape;
  readonly podSet: PodSet;
  /** The set with the nodes of its volumes, which spread constraints do not read. */
  readonly onVolumes: PodSet;
}

/** What a model is built from. */
export interface ModelInputs {
  readonly sizes: RolloutSizes;
  readonly old: RevisionPods;
  readonly next: RevisionPods;
  readonly inventory: NodeInventory;
  /** All running pods on the nodes, old pods of the rollout included. */
  readonly pods: PodIndex;
  readonly podsOn: (nodeName: string) => readonly RunningPod[];
  /** Old pods, on known nodes. Undefined if their nodes are not known. */
  readonly located?: readonly RunningPod[];
  /** Whether the old pods are deleted in the order in which they are listed. */
  readonly deletedInOrder?: boolean;
  /** Whether the affinity of each pod allows one node only, as that of a DaemonSet does. @default false */
  readonly isPinned?: boolean;
  /** Whether a new pod may be created before the old pods that it replaces are gone. */
  readonly createsBeforeDeletion?: boolean;
  /** Claims of the new pods that only one pod may use. @default - none */
  readonly exclusiveClaims?: readonly string[];
  /** The new pods with the nodes of their own volumes, in the order in which they are created. @default - they have none */
  readonly onOwnVolumes?: readonly PodSet[];
  /** Returns what old pods leave again on the node that they are on. */
  readonly freeWithout: (free: Amounts, pods: readonly RunningPod[]) => Amounts;
  readonly newPodsAdmitted: readonly number[];
  readonly devices: DeviceInventory;
}

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

function mountsClaim(podSpec: Fields, name: string): boolean {
  return getListAt(podSpec, 'volumes').some((volume) => getValueAt(volume, 'persistentVolumeClaim', 'claimName') === name);
}

/** Anti-affinity of the rollout's own pods. */
interface OwnAntiAffinity {
  readonly topology: Topology;
  readonly avoidsOld: boolean;
  readonly avoidsNew: boolean;
}

/** A constraint by all nodes and domains, before nodes are left out. */
interface OwnSpread extends Omit<ModelSpread, 'domainOf' | 'domains' | 'leastOutside' | 'domainsOutside'> {
  readonly topology: Topology;
}

/** Returns the fewest pods of a domain, 0 if there are too few domains. */
function findLeastCount({ exists, others, minDomains }: OwnSpread): number {
  const counts = others.filter((_, domain) => exists[domain]);
  return counts.length < Math.max(1, minDomains) ? 0 : findMin(counts);
}

/** The affinity by all nodes and domains, before nodes are left out. */
interface OwnAffinity {
  readonly topologies: readonly Topology[];
  readonly others: readonly (readonly number[])[];
  readonly countsOld: boolean;
  readonly countsNew: boolean;
}

/** A node of the model. */
interface ChosenNode {
  readonly index: number;
  readonly newPodsBesideOld: readonly number[];
  readonly oldLimit: number;
  readonly old: number;
  readonly signature: string;
  readonly domainlessSignature: string;
}

/** Builds a model from the nodes that decide anything: those with old pods, and those that accept a new one. */
class ModelBuilder {
  private readonly undecided = new Set<string>();
  private readonly blockedNodes = new Set<number>();
  private readonly blockedDomains = new Map<Topology, Set<number>>();
  private readonly antiAffinities: OwnAntiAffinity[] = [];
  /** Spread constraints that count no pod of the rollout, with the fewest pods of a domain. */
  private readonly fixedSpreads: { readonly spread: OwnSpread; readonly least: number }[] = [];
  /** Spread constraints that count the pods of the own node only, and compare them with none. */
  private readonly ownNodeSpreads: { readonly constraint: SpreadConstraint; readonly others: ReadonlyMap<number, number> }[] = [];
  /** Topologies whose label a node must have. */
  private readonly requiredTopologies: Topology[] = [];
  private readonly ownByNode = new Map<number, RunningPod[]>();
  private readonly own: ReadonlySet<RunningPod>;
  /** Nodes that the volumes of each new pod allow. */
  private readonly eligibleByPod: readonly ReadonlySet<number>[] | undefined;

  constructor(private readonly inputs: ModelInputs) {
    this.eligibleByPod = inputs.onOwnVolumes?.map((podSet) => inputs.inventory.eligibleNodes(podSet, 'new').indexes);
    this.own = new Set(inputs.located);
    for (const pod of inputs.located ?? []) {
      const node = inputs.inventory.indexOf(pod.nodeName!)!;
      const known = this.ownByNode.get(node);
      if (known) known.push(pod);
      else this.ownByNode.set(node, [pod]);
    }
  }

  build(): BuiltModel {
    const { sizes, newPodsAdmitted, located, deletedInOrder, inventory, createsBeforeDeletion } = this.inputs;
    this.collectAntiAffinity();
    this.collectExclusiveClaims();
    const spreads = this.collectSpreads();
    const affinity = this.collectAffinity();
    const chosen = this.chooseNodes(spreads, affinity);
    const indexes = chosen.map(({ index }) => index);
    const positions = new Map(indexes.map((index, position) => [index, position]));
    const model: RolloutModel = {
      ...sizes,
      nodes: chosen.map(({ newPodsBesideOld, signature, domainlessSignature }) => ({ newPodsBesideOld, signature, domainlessSignature })),
      ...(located && { oldByNode: chosen.map((node) => node.old) }),
      ...(!located && deletedInOrder && { deletesInUnknownOrder: true }),
      ...(located && deletedInOrder && { deletionOrder: located.map((pod) => positions.get(inventory.indexOf(pod.nodeName!)!)!) }),
      oldLimitByNode: chosen.map(({ oldLimit }) => oldLimit),
      spreads: spreads.map((spread) => selectSpread(spread, indexes)),
      antiAffinities: this.antiAffinities
        .filter(({ topology }) => !topology.isPerNode)
        .map(({ topology, avoidsOld, avoidsNew }): ModelAntiAffinity => ({
          ...selectDomains(topology, indexes).constraint,
          avoidsOld,
          avoidsNew,
        })),
      ...(affinity && { affinity: selectAffinity(affinity, indexes) }),
      ...(this.eligibleByPod && { nodesByPod: this.eligibleByPod.map((eligible) => indexes.map((index) => eligible.has(index))) }),
      ...(createsBeforeDeletion && { createsBeforeDeletion }),
      newPodsAdmitted,
    };
    return { model, undecided: [...this.undecided], nodeIndexes: indexes };
  }

  /** Collects anti-affinity among the pods of the rollout, and blocks the domains of other pods that a new pod avoids, or that avoid it. */
  private collectAntiAffinity(): void {
    const { old, next, pods } = this.inputs;
    const newTerms = listAffinityTerms(next.shape, 'podAntiAffinity');
    const oldTerms = listAffinityTerms(old.shape, 'podAntiAffinity');
    const { namespace } = next.shape;
    for (const term of newTerms) {
      for (const { shape, pods: selected } of pods.selectableBy(term, namespace)) {
        if (term.matches(shape)) for (const pod of selected) this.blockDomainOf(term, pod);
        else if (term.mayMatch(shape)) this.undecided.add('podAntiAffinity');
      }
      if (term.mayMatch(old.shape) || term.mayMatch(next.shape)) this.undecided.add('podAntiAffinity');
      this.addAntiAffinity(term, term.matches(old.shape), term.matches(next.shape));
    }
    for (const { terms, pods: exclusive } of pods.exclusiveTowards(namespace)) {
      for (const term of terms) {
        if (term.matches(next.shape)) for (const pod of exclusive) this.blockDomainOf(term, pod);
        else if (term.mayMatch(next.shape)) this.undecided.add('podAntiAffinity');
      }
    }
    for (const term of oldTerms) {
      if (term.mayMatch(next.shape)) this.undecided.add('podAntiAffinity');
      if (term.matches(next.shape)) this.addAntiAffinity(term, true, false);
    }
  }

  /** A claim that one pod may use is a single domain: it has at most one pod. */
  private collectExclusiveClaims(): void {
    const { exclusiveClaims = [], old, next, pods, inventory } = this.inputs;
    for (const claim of exclusiveClaims) {
      const everywhere = { domainOf: inventory.nodes.map(() => 0), domains: 1, isPerNode: false };
      this.antiAffinities.push({ topology: everywhere, avoidsOld: mountsClaim(old.shape.spec, claim), avoidsNew: true });
      const isUsed = pods
        .inNamespace(next.shape.namespace)
        .some((kind) => kind.pods.some((pod) => !this.own.has(pod) && mountsClaim(pod.spec, claim)));
      if (isUsed) this.blockedDomains.set(everywhere, new Set([0]));
    }
  }

  private blockDomainOf({ topologyKey }: AffinityTerm, pod: RunningPod): void {
    const { inventory } = this.inputs;
    const node = inventory.indexOf(pod.nodeName!);
    if (this.own.has(pod) || node === undefined) return;
    const topology = inventory.topologyOf(topologyKey);
    if (!topology) {
      this.undecided.add('podAntiAffinity');
      return;
    }
    const domain = topology.domainOf[node]!;
    if (domain < 0) return;
    if (topology.isPerNode) this.blockedNodes.add(node);
    else this.blockedDomains.set(topology, (this.blockedDomains.get(topology) ?? new Set()).add(domain));
  }

  private addAntiAffinity({ topologyKey }: AffinityTerm, avoidsOld: boolean, avoidsNew: boolean): void {
    if (!avoidsOld && !avoidsNew) return;
    const topology = this.inputs.inventory.topologyOf(topologyKey);
    if (topology) this.antiAffinities.push({ topology, avoidsOld, avoidsNew });
    else this.undecided.add('podAntiAffinity');
  }

  private collectSpreads(): OwnSpread[] {
    const { inventory, next } = this.inputs;
    const constraints = listSpreadConstraints(next.shape);
    if (constraints.some(({ topologyKey }) => inventory.topologyOf(topologyKey) === undefined)) {
      this.undecided.add('topologySpreadConstraints');
      return [];
    }
    const topologyKeys = constraints.map(({ topologyKey }) => topologyKey);
    const spreads = this.listUnpinned(constraints).map((constraint) => this.buildSpread(constraint, topologyKeys));
    const isFixed = ({ countsOld, countsNew }: OwnSpread) => !countsOld && !countsNew;
    for (const spread of spreads.filter(isFixed)) this.fixedSpreads.push({ spread, least: findLeastCount(spread) });
    return spreads.filter((spread) => !isFixed(spread));
  }

  /**
   * Returns the constraints that concern pods of other nodes. One that honors the affinity of a pod for a single node counts that node only,
   * which needs the label. The least count is that of this node too, or 0 if more domains are required.
   */
  private listUnpinned(constraints: readonly SpreadConstraint[]): readonly SpreadConstraint[] {
    if (this.inputs.isPinned !== true) return constraints;
    for (const constraint of constraints.filter(({ honorsAffinity }) => honorsAffinity)) {
      if (constraint.minDomains > 1) this.ownNodeSpreads.push({ constraint, others: this.countOthersByNode(constraint) });
      this.requiredTopologies.push(this.inputs.inventory.topologyOf(constraint.topologyKey)!);
    }
    return constraints.filter(({ honorsAffinity }) => !honorsAffinity);
  }

  /** Counts the pods of others that a constraint counts, by node. */
  private countOthersByNode(constraint: SpreadConstraint): ReadonlyMap<number, number> {
    const { inventory, pods, next } = this.inputs;
    const counts = new Map<number, number>();
    for (const { shape, pods: kind } of pods.inNamespace(next.shape.namespace)) {
      if (!constraint.counts(shape)) continue;
      for (const pod of kind) {
        const node = inventory.indexOf(pod.nodeName!);
        if (node !== undefined && !pod.isTerminating && !this.own.has(pod)) counts.set(node, (counts.get(node) ?? 0) + 1);
      }
    }
    return counts;
  }

  /** Reports whether the pods of a node itself allow a new pod next to a number of old ones. */
  private allowsOnOwnNode(index: number, oldPods: number): boolean {
    return this.ownNodeSpreads.every(({ constraint, others }) => {
      const old = constraint.counts(this.inputs.old.shape) ? oldPods : 0;
      return (others.get(index) ?? 0) + old + (constraint.countsItself ? 1 : 0) <= constraint.maxSkew;
    });
  }

  private buildSpread(constraint: SpreadConstraint, topologyKeys: readonly string[]): OwnSpread {
    const { inventory, pods, old, next } = this.inputs;
    const { topologyKey, honorsAffinity, honorsTaints, maxSkew, minDomains, countsItself } = constraint;
    const topology = inventory.topologyOf(topologyKey)!;
    const { isCounted, exists } = inventory.countedNodes({ topologyKey, topologyKeys, honorsAffinity, honorsTaints }, next.podSet);
    const others = Array.from({ length: topology.domains }, () => 0);
    for (const { shape, pods: kind } of pods.inNamespace(next.shape.namespace)) {
      if (!constraint.counts(shape)) continue;
      for (const pod of kind) {
        const node = inventory.indexOf(pod.nodeName!);
        if (node !== undefined && isCounted[node] && !pod.isTerminating && !this.own.has(pod)) others[topology.domainOf[node]!]!++;
      }
    }
    const [countsOld, countsNew] = [constraint.counts(old.shape), constraint.counts(next.shape)];
    return { topology, maxSkew, minDomains, countsOld, countsNew, countsItself, isCounted, exists, others };
  }

  private collectAffinity(): OwnAffinity | undefined {
    const { inventory, pods, old, next } = this.inputs;
    const terms = listAffinityTerms(next.shape, 'podAffinity');
    if (terms.length === 0) return undefined;
    const matchesAll = (pod: PodShape) => terms.every((term) => term.matches(pod));
    const topologies = terms.map(({ topologyKey }) => inventory.topologyOf(topologyKey)).filter((topology) => topology !== undefined);
    const kinds = pods.selectableBy(terms[0]!, next.shape.namespace);
    const mayMatch = (pod: PodShape) => terms.some((term) => term.mayMatch(pod));
    if (topologies.length < terms.length || [old.shape, next.shape, ...kinds.map(({ shape }) => shape)].some(mayMatch)) {
      this.undecided.add('podAffinity');
      return undefined;
    }
    const others = topologies.map(({ domains }) => Array.from({ length: domains }, () => 0));
    for (const { shape, pods: kind } of kinds) {
      if (!matchesAll(shape)) continue;
      for (const pod of kind) {
        const node = inventory.indexOf(pod.nodeName!);
        if (node === undefined || this.own.has(pod)) continue;
        for (const [term, { domainOf }] of topologies.entries()) if (domainOf[node]! >= 0) others[term]![domainOf[node]!]!++;
      }
    }
    return { topologies, others, countsOld: matchesAll(old.shape), countsNew: matchesAll(next.shape) };
  }

  /** Reports whether other pods keep new ones off a node. */
  private isBlocked(index: number, avoids: readonly unknown[]): boolean {
    if (this.blockedNodes.has(index) || this.requiredTopologies.some(({ domainOf }) => domainOf[index]! < 0)) return true;
    for (const [{ domainOf }, domains] of this.blockedDomains) if (domains.has(domainOf[index]!)) return true;
    for (const { spread, least } of this.fixedSpreads) {
      const domain = spread.topology.domainOf[index]!;
      const count = spread.exists[domain] === true ? spread.others[domain]! : 0;
      if (domain < 0 || count + (spread.countsItself ? 1 : 0) - least > spread.maxSkew) return true;
    }
    if (avoids.length === 0) return false;
    const { inventory, podsOn, next } = this.inputs;
    const { marks, pool } = inventory.nodes[index]!;
    return (
      avoids.some((mark) => marks.has(mark)) ||
      podsOn(pool.nodeName ?? '').some((pod) => !this.own.has(pod) && hasPortConflict(pod.spec, next.shape.spec))
    );
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
    const { inventory, sizes, old, next, located, freeWithout } = this.inputs;
    const { replicas } = sizes;
    const [oldFootprint, newFootprint] = [this.footprintOf(old.shape), this.footprintOf(next.shape)];
    const { avoids } = buildPortMarks(next.shape.spec);
    const oldPortsExclude = avoids.length > 0 && hasPortConflict(old.shape.spec, next.shape.spec);
    const newPortsExclude = avoids.length > 0 && hasPortConflict(next.shape.spec, next.shape.spec);
    const perNode = this.antiAffinities.filter(({ topology }) => topology.isPerNode);
    const oldTerms = listAffinityTerms(old.shape, 'podAntiAffinity');
    const oldExcludesOld =
      hasPortConflict(old.shape.spec, old.shape.spec) || oldTerms.some((term) => term.topologyKey === HOSTNAME && term.matches(old.shape));
    const mostOld = oldExcludesOld ? 1 : replicas;
    const excludes = (index: number, byOld: boolean): boolean =>
      (byOld ? oldPortsExclude : newPortsExclude) ||
      perNode.some(({ topology, avoidsOld, avoidsNew }) => (byOld ? avoidsOld : avoidsNew) && topology.domainOf[index]! >= 0);
    const eligible = inventory.eligibleNodes(next.onVolumes, 'new');
    const topologies = [
      ...spreads.map(({ topology }) => topology),
      ...this.antiAffinities.map(({ topology }) => topology),
      ...(affinity?.topologies ?? []),
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
    const limit = 2 * replicas + 1;
    const chosenBySignature = new Map<string, number>();
    const add = (index: number, newPodsBesideOld: readonly number[], oldLimit: number, ownPods: number): void => {
      const domainlessSignature = domainlessSignatureOf(index, newPodsBesideOld, oldLimit);
      const signature = domainlessSignature + domainsOf(index);
      const known = ownPods > 0 ? 0 : (chosenBySignature.get(signature) ?? 0);
      const copies = Math.min(inventory.nodes[index]!.count, limit - known);
      if (ownPods === 0) chosenBySignature.set(signature, known + copies);
      for (let copy = 0; copy < copies; copy++)
        chosen.push({ index, newPodsBesideOld, oldLimit, old: ownPods, signature, domainlessSignature });
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
    for (const nodeClass of classes) {
      const free = inventory.classes[nodeClass]!;
      const capacity = countPods(free, newFootprint, replicas);
      const oldCapacity = eligibleForOld ? Math.min(mostOld, countPods(free, oldFootprint, replicas)) : 0;
      const forNew = capacity > 0 ? (eligible.byClass.get(nodeClass) ?? []) : [];
      const forOld = oldCapacity > 0 ? (eligibleForOld!.byClass.get(nodeClass) ?? []) : [];
      for (const index of forOld === forNew || forOld.length === 0 ? forNew : new Set([...forNew, ...forOld])) {
        if (this.ownByNode.has(index)) continue;
        // R old pods and R new ones exclude each other from at most 2R nodes.
        if (isPerNode && chosen.length >= limit + this.ownByNode.size) break;
        const oldLimit = eligibleForOld?.indexes.has(index) === true ? oldCapacity : 0;
        const canRun = capacity > 0 && eligible.indexes.has(index) && !this.isBlocked(index, avoids) && this.allowsOnOwnNode(index, 0);
        if (!canRun && oldLimit === 0) continue;
        if (!canRun)
          add(
            index,
            Array.from({ length: oldLimit + 1 }, () => 0),
            oldLimit,
            0,
          );
        else if (oldLimit === 0) add(index, [excludes(index, false) ? 1 : capacity], 0, 0);
        else add(index, capacitiesOf(index, free, oldLimit), oldLimit, 0);
      }
    }
    return chosen;
  }
}

/** The domains of some nodes, numbered again from 0, with their former numbers. */
interface SelectedDomains {
  readonly constraint: DomainConstraint;
  readonly domains: readonly number[];
}

function selectDomains({ domainOf, isPerNode }: Topology, indexes: readonly number[]): SelectedDomains {
  const numbers = new Map<number, number>();
  const domains: number[] = [];
  const selected = indexes.map((index, position) => {
    const domain = domainOf[index]!;
    if (domain < 0) return -1;
    const known = numbers.get(domain);
    // Several nodes of a pool have a host name each.
    if (known !== undefined && !(isPerNode && indexes.indexOf(index) !== position)) return known;
    numbers.set(domain, domains.length);
    return domains.push(domain) - 1;
  });
  return { constraint: { domainOf: selected, domains: domains.length }, domains };
}

function selectSpread({ topology, isCounted, exists, others, ...spread }: OwnSpread, indexes: readonly number[]): ModelSpread {
  const { constraint, domains } = selectDomains(topology, indexes);
  const selected = new Set(domains);
  let leastOutside = Infinity;
  let domainsOutside = 0;
  exists.forEach((isExisting, domain) => {
    if (!isExisting || selected.has(domain)) return;
    domainsOutside++;
    if (others[domain]! < leastOutside) leastOutside = others[domain]!;
  });
  return {
    ...spread,
    ...constraint,
    isCounted: indexes.map((index) => isCounted[index]!),
    exists: domains.map((domain) => exists[domain]!),
    others: domains.map((domain) => others[domain]!),
    leastOutside,
    domainsOutside,
  };
}

function selectAffinity({ topologies, others, countsOld, countsNew }: OwnAffinity, indexes: readonly number[]): ModelAffinity {
  const selected = topologies.map((topology) => selectDomains(topology, indexes));
  return {
    terms: selected.map(({ constraint }) => constraint),
    others: selected.map(({ domains }, term) => domains.map((domain) => others[term]![domain]!)),
    hasOthers: others.some((counts) => counts.some((count) => count > 0)),
    countsOld,
    countsNew,
  };
}

/** Builds the model of a rollout from its pods and nodes. */
export function buildRolloutModel(inputs: ModelInputs): BuiltModel {
  return new ModelBuilder(inputs).build();
}
