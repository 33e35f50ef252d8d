import { findMin } from '../../../core/values/min-max';
import type { PodSet } from '../../rollout/pod-set';
import type { Amounts } from '../../../core/values/quantity';
import { hasPortConflict } from '../nodes/scheduling';
import { hasClaim } from '../nodes/unmodelled-constraints';
import type { DeviceInventory } from '../surroundings/claimed-devices';
import type { NodeInventory, Topology } from '../surroundings/node-inventory';
import type { SelectableIndex } from '../surroundings/pod-index';
import { listAffinityTerms, listSpreadConstraints } from '../nodes/pod-shape';
import type { AffinityTerm, PodShape, SpreadConstraint } from '../nodes/pod-shape';
import type { RunningPod } from '../surroundings/running-pods';
import { BlockedNodes, findBlockedNodes } from './blocked-nodes';
import type { OwnAffinity, OwnAntiAffinity, OwnSpread } from './model-domains';
import type { RolloutSizes } from './rollout-model';

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
  readonly pods: SelectableIndex;
  readonly podsOn: (nodeName: string) => readonly RunningPod[];
  /** Old pods, on known nodes. Undefined if their nodes are not known. */
  readonly located?: readonly RunningPod[];
  /** Old pods on unknown nodes that no new one replaces. @default 0 */
  readonly keptOld?: number;
  /** Whether other pods keep old pods on unknown nodes off none, because no placement would be left. @default false */
  readonly placesOldAnywhere?: boolean;
  /** Whether the old pods are deleted in the order in which they are listed. */
  readonly deletedInOrder?: boolean;
  /** Whether the affinity of each pod allows one node only, as that of a DaemonSet does. @default false */
  readonly isPinned?: boolean;
  /** Whether a new pod may be created before the old pods that it replaces are gone. */
  readonly createsBeforeDeletion?: boolean;
  /** The new pods with the nodes of their own volumes, in the order in which they are created. @default - they have none */
  readonly onOwnVolumes?: readonly PodSet[];
  /** Returns what old pods leave again on the node that they are on. */
  readonly freeWithout: (free: Amounts, pods: readonly RunningPod[]) => Amounts;
  readonly newPodsAdmitted: readonly number[];
  readonly devices: DeviceInventory;
}

/** Returns the fewest pods of a domain, 0 if there are too few domains. */
function findLeastCount({ exists, others, minDomains }: OwnSpread): number {
  const counts = others.filter((_, domain) => exists[domain]);
  return counts.length < Math.max(1, minDomains) ? 0 : findMin(counts);
}

/** What pods say about each other: the nodes that other pods block, and the constraints that the pods of a rollout change themselves. */
export class RolloutConstraints {
  protected readonly undecided = new Set<string>();
  private readonly blocked = new BlockedNodes();
  /** Nodes that other pods keep old pods off, if the nodes of these are not known. */
  protected blockedForOld = new BlockedNodes();
  /** Topologies with at most one old pod in each domain, if the nodes of these are not known. */
  protected readonly exclusiveForOld: Topology[] = [];
  protected readonly antiAffinities: OwnAntiAffinity[] = [];
  /** Spread constraints that count no pod of the rollout, with the fewest pods of a domain. */
  private readonly fixedSpreads: { readonly spread: OwnSpread; readonly least: number }[] = [];
  /** Spread constraints that count the pods of the own node only, and compare them with none. */
  private readonly ownNodeSpreads: { readonly constraint: SpreadConstraint; readonly others: ReadonlyMap<number, number> }[] = [];
  /** Topologies whose label a node must have. */
  private readonly requiredTopologies: Topology[] = [];
  protected readonly own: ReadonlySet<RunningPod>;

  constructor(protected readonly inputs: ModelInputs) {
    this.own = new Set(inputs.located);
  }

  /** Collects anti-affinity among the pods of the rollout, and blocks the domains of other pods that a new pod avoids, or that avoid it. */
  protected collectAntiAffinity(): void {
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
    for (const { term, pods: exclusive } of pods.exclusiveTowards(next.shape)) {
      if (term.matches(next.shape)) for (const pod of exclusive) this.blockDomainOf(term, pod);
      else if (term.mayMatch(next.shape)) this.undecided.add('podAntiAffinity');
    }
    for (const term of oldTerms) {
      if (term.mayMatch(next.shape)) this.undecided.add('podAntiAffinity');
      if (term.matches(next.shape)) this.addAntiAffinity(term, true, false);
    }
    if (!this.inputs.located && !this.inputs.placesOldAnywhere) this.collectOldPlaces(oldTerms);
  }

  /**
   * Collects where old pods on unknown nodes cannot be, because other pods or another old pod would have kept them off.
   *
   * Their spread constraints and pod affinity exclude no places: pods that were deleted and nodes that joined since may have broken these.
   */
  private collectOldPlaces(oldTerms: readonly AffinityTerm[]): void {
    const { old, inventory, pods } = this.inputs;
    this.blockedForOld = findBlockedNodes(old.shape, pods, inventory);
    for (const term of oldTerms) {
      const topology = inventory.topologyOf(term.topologyKey);
      if (topology && term.matches(old.shape)) this.exclusiveForOld.push(topology);
    }
  }

  /** A claim that one pod may use is a single domain: it has at most one pod. */
  protected collectExclusiveClaims(): void {
    const { old, next, pods, inventory } = this.inputs;
    for (const claim of next.podSet.exclusiveClaims ?? []) {
      const everywhere = { domainOf: inventory.nodes.map(() => 0), domains: 1, isPerNode: false };
      this.antiAffinities.push({ topology: everywhere, avoidsOld: hasClaim(old.shape.spec, claim), avoidsNew: true });
      const isUsed = pods
        .inNamespace(next.shape.namespace)
        .some((kind) => kind.pods.some((pod) => !this.own.has(pod) && hasClaim(pod.spec, claim)));
      if (isUsed) this.blocked.addDomainOf(everywhere, 0);
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
    this.blocked.addDomainOf(topology, node);
  }

  private addAntiAffinity({ topologyKey }: AffinityTerm, avoidsOld: boolean, avoidsNew: boolean): void {
    if (!avoidsOld && !avoidsNew) return;
    const topology = this.inputs.inventory.topologyOf(topologyKey);
    if (topology) this.antiAffinities.push({ topology, avoidsOld, avoidsNew });
    else this.undecided.add('podAntiAffinity');
  }

  protected collectSpreads(): OwnSpread[] {
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
    for (const { shape, pods: kind } of pods.selectableBy(constraint, next.shape.namespace)) {
      if (!constraint.counts(shape)) continue;
      for (const pod of kind) {
        const node = inventory.indexOf(pod.nodeName!);
        if (node !== undefined && !pod.isTerminating && !this.own.has(pod)) counts.set(node, (counts.get(node) ?? 0) + 1);
      }
    }
    return counts;
  }

  /** Reports whether the pods of a node itself allow a new pod next to a number of old ones. */
  protected allowsOnOwnNode(index: number, oldPods: number): boolean {
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
    for (const { shape, pods: kind } of pods.selectableBy(constraint, next.shape.namespace)) {
      if (!constraint.counts(shape)) continue;
      for (const pod of kind) {
        const node = inventory.indexOf(pod.nodeName!);
        if (node !== undefined && isCounted[node] && !pod.isTerminating && !this.own.has(pod)) others[topology.domainOf[node]!]!++;
      }
    }
    const [countsOld, countsNew] = [constraint.counts(old.shape), constraint.counts(next.shape)];
    return { topology, maxSkew, minDomains, countsOld, countsNew, countsItself, isCounted, exists, others };
  }

  protected collectAffinity(): OwnAffinity | undefined {
    const { inventory, pods, old, next } = this.inputs;
    const terms = listAffinityTerms(next.shape, 'podAffinity');
    if (terms.length === 0) return undefined;
    const matchesAll = (pod: PodShape) => terms.every((term) => term.matches(pod));
    const topologies = terms.map(({ topologyKey }) => inventory.topologyOf(topologyKey)).filter((topology) => topology !== undefined);
    const mayMatch = (pod: PodShape) => terms.some((term) => term.mayMatch(pod));
    const shapes = terms.flatMap((term) => pods.selectableBy(term, next.shape.namespace).map(({ shape }) => shape));
    if (topologies.length < terms.length || [old.shape, next.shape, ...shapes].some(mayMatch)) {
      this.undecided.add('podAffinity');
      return undefined;
    }
    const others = topologies.map(({ domains }) => Array.from({ length: domains }, () => 0));
    for (const { shape, pods: kind } of pods.selectableBy(terms[0]!, next.shape.namespace)) {
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
  protected isBlocked(index: number, avoids: readonly unknown[]): boolean {
    if (this.blocked.has(index) || this.requiredTopologies.some(({ domainOf }) => domainOf[index]! < 0)) return true;
    for (const { spread, least } of this.fixedSpreads) {
      const domain = spread.topology.domainOf[index]!;
      const count = spread.exists[domain] === true ? spread.others[domain]! : 0;
      if (domain < 0 || count + (spread.countsItself ? 1 : 0) - least > spread.maxSkew) return true;
    }
    return this.isPortUsed(index, this.inputs.next.shape, avoids);
  }

  /** Reports whether another pod uses a host port of a pod on a node. */
  protected isPortUsed(index: number, { spec }: PodShape, avoids: readonly unknown[]): boolean {
    if (avoids.length === 0) return false;
    const { inventory, podsOn } = this.inputs;
    const { marks, pool } = inventory.nodes[index]!;
    return (
      avoids.some((mark) => marks.has(mark)) ||
      podsOn(pool.nodeName ?? '').some((pod) => !this.own.has(pod) && hasPortConflict(pod.spec, spec))
    );
  }
}
