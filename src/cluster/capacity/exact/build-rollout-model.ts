import type { PlanCache } from '../../../core/plan-cache';
import { getFieldsAt, getListAt } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import type { PodSet } from '../../workload';
import { canRunOn, findUntoleratedTaint, hasLabels, nodeRulesOf, traitOf } from '../node-affinity';
import type { NodePool } from '../node-pools';
import { computePodFootprint } from '../pod-requests';
import type { Amounts } from '../pod-requests';
import { remainingOf } from '../remaining-capacity';
import { buildPortMarks } from '../scheduling';
import type { DeviceInventory } from './claimed-devices';
import { listAffinityTerms, listSpreadConstraints } from './pod-shape';
import type { AffinityTerm, PodShape, SpreadConstraint } from './pod-shape';
import type { ModelAffinity, ModelAntiAffinity, ModelSpread, RolloutModel, RolloutSizes } from './rollout-model';
import type { RunningPod } from './running-pods';

const HOSTNAME = 'kubernetes.io/hostname';

/** A node with the pods that stay on it during the rollout. */
export interface SurroundedNode {
  readonly pool: NodePool;
  /** Resources that those pods leave. */
  readonly free: Amounts;
  readonly pods: readonly RunningPod[];
  /** Marks of pods that are assumed to be on the node. */
  readonly marks: ReadonlySet<unknown>;
}

/** Old or new pods of a rollout. */
export interface RevisionPods {
  readonly shape: PodShape;
  readonly podSet: PodSet;
}

/** What a model is built from. */
export interface ModelInputs {
  readonly sizes: RolloutSizes;
  readonly old: RevisionPods;
  readonly next: RevisionPods;
  readonly nodes: readonly SurroundedNode[];
  /** Old pods by node, in the order of `nodes`. Undefined if their nodes are not known. */
  readonly oldByNode?: readonly number[];
  readonly newPodsAdmitted: readonly number[];
  readonly devices: DeviceInventory;
  readonly cache: PlanCache;
}

/** A model, and the constraints that the input does not decide. They are left out of the model. */
export interface BuiltModel {
  readonly model: RolloutModel;
  readonly undecided: readonly string[];
}

function addAmounts(amounts: Amounts, others: Amounts | undefined): Amounts {
  return others === undefined || others.size === 0 ? amounts : new Map([...amounts, ...others]);
}

/** Returns how many pods fit into what is left of a node. */
function countPods(free: Amounts, footprint: Amounts, most: number): number {
  let pods = most;
  for (const [resource, request] of footprint) {
    const left = remainingOf(free, resource);
    if (left === undefined || request === 0n) continue;
    if (left < request) return 0;
    const fitting = left / request;
    if (fitting < BigInt(pods)) pods = Number(fitting);
  }
  return pods;
}

/** Returns what a number of pods leaves. It may be less than 0. */
function subtractPods(free: Amounts, footprint: Amounts, pods: number): Amounts {
  if (pods === 0) return free;
  const left = new Map(free);
  for (const [resource, request] of footprint) {
    const amount = left.get(resource);
    if (amount !== undefined) left.set(resource, amount - request * BigInt(pods));
  }
  return left;
}

/** Domains of nodes by topology key. */
class Topology {
  private readonly byKey = new Map<string, { readonly domainOf: number[]; readonly domains: number } | undefined>();

  constructor(private readonly nodes: readonly SurroundedNode[]) {}

  /** Returns the domain of each node, -1 for nodes without the label. Returns undefined if the labels of a node are not known. */
  domainsOf(key: string): { readonly domainOf: readonly number[]; readonly domains: number } | undefined {
    if (this.byKey.has(key)) return this.byKey.get(key);
    const values = new Map<string, number>();
    let isKnown = true;
    const domainOf = this.nodes.map(({ pool }, index) => {
      const own = traitOf(pool, key);
      // Every node of a pool has its own host name.
      const value = own === undefined && key === HOSTNAME ? `#${index}` : own;
      if (value === undefined) isKnown = false;
      if (value === null || value === undefined) return -1;
      const domain = values.get(value) ?? values.size;
      values.set(value, domain);
      return domain;
    });
    const result = isKnown ? { domainOf, domains: values.size } : undefined;
    this.byKey.set(key, result);
    return result;
  }
}

/** Reports whether each domain has one node, so that a constraint concerns pods of the same node only. */
function isPerNode(domainOf: readonly number[], domains: number): boolean {
  return domains === domainOf.filter((domain) => domain >= 0).length;
}

function portsConflict(leaving: Fields, arriving: Fields): boolean {
  const leaves = new Set(buildPortMarks(leaving).leaves);
  return buildPortMarks(arriving).avoids.some((mark) => leaves.has(mark));
}

/** Which pods of the rollout exclude a new pod from their node. */
interface NodeExclusion {
  readonly byOld: boolean;
  readonly byNew: boolean;
}

class ModelBuilder {
  private readonly topology: Topology;
  private readonly undecided = new Set<string>();
  private readonly blocked: boolean[];
  private readonly exclusion: NodeExclusion[];
  private readonly antiAffinities: ModelAntiAffinity[] = [];

  constructor(private readonly inputs: ModelInputs) {
    const { nodes, old, next } = inputs;
    this.topology = new Topology(nodes);
    this.blocked = nodes.map((node) => this.isBlocked(node));
    const ports = { byOld: portsConflict(old.shape.spec, next.shape.spec), byNew: portsConflict(next.shape.spec, next.shape.spec) };
    this.exclusion = nodes.map(() => ports);
  }

  private isBlocked({ pool, pods, marks }: SurroundedNode): boolean {
    const { next, cache } = this.inputs;
    if (pool.isDown || !canRunOn(next.podSet, pool, 'new', cache)) return true;
    const { avoids } = buildPortMarks(next.shape.spec);
    return avoids.some((mark) => marks.has(mark)) || (avoids.length > 0 && pods.some((pod) => portsConflict(pod.spec, next.shape.spec)));
  }

  build(): BuiltModel {
    const { sizes, oldByNode, newPodsAdmitted, nodes, old, next, devices } = this.inputs;
    const newTerms = listAffinityTerms(next.shape, 'podAntiAffinity');
    const oldTerms = listAffinityTerms(old.shape, 'podAntiAffinity');
    this.applyOthersAntiAffinity(newTerms);
    const hasUnknownNamespaces =
      newTerms.some((term) => [old.shape, next.shape, ...nodes.flatMap(({ pods }) => pods)].some((pod) => term.mayMatch(pod))) ||
      [...oldTerms, ...nodes.flatMap(({ pods }) => pods.flatMap((pod) => listAffinityTerms(pod, 'podAntiAffinity')))].some((term) =>
        term.mayMatch(next.shape),
      );
    if (hasUnknownNamespaces) this.undecided.add('podAntiAffinity');
    for (const term of newTerms) this.addAntiAffinity(term, term.matches(old.shape), term.matches(next.shape));
    for (const term of oldTerms) if (term.matches(next.shape)) this.addAntiAffinity(term, true, false);
    const spreads = this.buildSpreads();
    const affinity = this.buildAffinity();
    const footprints = [old.shape, next.shape].map(({ spec, namespace }) => {
      const claimed = devices.devicesOf(spec, namespace);
      if (claimed === undefined) this.undecided.add('resourceClaims');
      return addAmounts(computePodFootprint(spec), claimed);
    });
    const [oldFootprint, newFootprint] = [footprints[0]!, footprints[1]!];
    const oldExcludesOld = oldTerms.some((term) => term.topologyKey === HOSTNAME && term.matches(old.shape));
    const oldPortsConflict = portsConflict(old.shape.spec, old.shape.spec);
    const { replicas } = sizes;
    const capacities = new Map<string, readonly number[]>();
    const relevant = new Set([...oldFootprint.keys(), ...newFootprint.keys()]);
    const oldLimits: number[] = [];
    const modelNodes = nodes.map(({ pool, free, marks }, index) => {
      const canHoldOld = oldByNode === undefined && canRunOn(old.podSet, pool, 'old', this.inputs.cache);
      const mostOld = oldExcludesOld || oldPortsConflict ? 1 : replicas;
      const oldLimit = oldByNode?.[index] ?? (canHoldOld ? countPods(free, oldFootprint, mostOld) : 0);
      oldLimits.push(oldLimit);
      const { byOld, byNew } = this.exclusion[index]!;
      const amounts = [...relevant].map((resource) => `${remainingOf(free, resource)}`).join(' ');
      const key = `${oldLimit} ${this.blocked[index]} ${byOld} ${byNew} ${amounts}`;
      const counts =
        capacities.get(key) ??
        Array.from({ length: oldLimit + 1 }, (_, pods) => {
          if (this.blocked[index] || (byOld && pods > 0)) return 0;
          return countPods(subtractPods(free, oldFootprint, pods), newFootprint, byNew ? 1 : replicas);
        });
      capacities.set(key, counts);
      return { key: `${key} ${marks.size}`, counts, index };
    });
    const domains = [...spreads, ...this.antiAffinities, ...(affinity?.terms ?? [])].map(({ domainOf, domains: count }) => ({
      domainOf,
      // The only node of its domain is like any other only node of a domain.
      isOwn: isPerNode(domainOf, count),
    }));
    const model: RolloutModel = {
      ...sizes,
      nodes: modelNodes.map(({ key, counts, index }) => ({
        newPodsBesideOld: counts,
        signature: [
          key,
          ...domains.map(({ domainOf, isOwn }) => (isOwn ? `${domainOf[index]! >= 0}` : `${domainOf[index]}`)),
          ...spreads.map(({ isCounted, others, domainOf }) => `${isCounted[index]} ${others[domainOf[index]!] ?? ''}`),
          ...(affinity?.others.map((counted, term) => `${counted[affinity.terms[term]!.domainOf[index]!] ?? ''}`) ?? []),
        ].join('|'),
      })),
      ...(oldByNode && { oldByNode }),
      oldLimitByNode: oldLimits,
      spreads,
      antiAffinities: this.antiAffinities,
      ...(affinity && { affinity }),
      newPodsAdmitted,
    };
    return { model, undecided: [...this.undecided] };
  }

  /** Blocks the domains of pods of others that a new pod avoids, or that avoid it. */
  private applyOthersAntiAffinity(newTerms: readonly AffinityTerm[]): void {
    const { nodes, next } = this.inputs;
    nodes.forEach(({ pods }, index) => {
      for (const pod of pods) {
        for (const term of newTerms) if (term.matches(pod)) this.blockDomain(term.topologyKey, index);
        for (const term of listAffinityTerms(pod, 'podAntiAffinity')) {
          if (term.matches(next.shape)) this.blockDomain(term.topologyKey, index);
        }
      }
    });
  }

  private blockDomain(key: string, node: number): void {
    const topology = this.topology.domainsOf(key);
    if (!topology) {
      this.undecided.add('podAntiAffinity');
      return;
    }
    const own = topology.domainOf[node]!;
    if (own < 0) return;
    topology.domainOf.forEach((domain, index) => {
      if (domain === own) this.blocked[index] = true;
    });
  }

  private addAntiAffinity({ topologyKey }: AffinityTerm, avoidsOld: boolean, avoidsNew: boolean): void {
    if (!avoidsOld && !avoidsNew) return;
    const topology = this.topology.domainsOf(topologyKey);
    if (!topology) {
      this.undecided.add('podAntiAffinity');
      return;
    }
    const { domainOf, domains } = topology;
    if (!isPerNode(domainOf, domains)) {
      this.antiAffinities.push({ domainOf, domains, avoidsOld, avoidsNew });
      return;
    }
    domainOf.forEach((domain, index) => {
      const { byOld, byNew } = this.exclusion[index]!;
      if (domain >= 0) this.exclusion[index] = { byOld: byOld || avoidsOld, byNew: byNew || avoidsNew };
    });
  }

  private buildSpreads(): ModelSpread[] {
    const constraints = listSpreadConstraints(this.inputs.next.shape);
    const topologies = constraints.map(({ topologyKey }) => this.topology.domainsOf(topologyKey));
    if (topologies.some((topology) => topology === undefined)) {
      this.undecided.add('topologySpreadConstraints');
      return [];
    }
    return constraints.map((constraint, position) =>
      this.buildSpread(
        constraint,
        position,
        topologies.map((topology) => topology!),
      ),
    );
  }

  private buildSpread(
    constraint: SpreadConstraint,
    position: number,
    topologies: readonly { readonly domainOf: readonly number[]; readonly domains: number }[],
  ): ModelSpread {
    const { nodes, old, next, cache } = this.inputs;
    const { domainOf, domains } = topologies[position]!;
    const rules = nodeRulesOf(next.podSet, cache);
    const isCounted = nodes.map(
      ({ pool }, index) =>
        topologies.every((topology) => topology.domainOf[index]! >= 0) &&
        (!constraint.honorsAffinity || hasLabels(rules, pool)) &&
        (!constraint.honorsTaints || findUntoleratedTaint(rules, pool) === undefined),
    );
    const exists = Array.from({ length: domains }, () => false);
    const others = Array.from({ length: domains }, () => 0);
    nodes.forEach(({ pods }, index) => {
      if (!isCounted[index]) return;
      exists[domainOf[index]!] = true;
      others[domainOf[index]!]! += pods.filter((pod) => !pod.isTerminating && constraint.counts(pod)).length;
    });
    return {
      domainOf,
      domains,
      maxSkew: constraint.maxSkew,
      minDomains: constraint.minDomains,
      countsOld: constraint.counts(old.shape),
      countsNew: constraint.counts(next.shape),
      countsItself: constraint.countsItself,
      isCounted,
      exists,
      others,
    };
  }

  private buildAffinity(): ModelAffinity | undefined {
    const { nodes, old, next } = this.inputs;
    const terms = listAffinityTerms(next.shape, 'podAffinity');
    if (terms.length === 0) return undefined;
    const matchesAll = (pod: PodShape) => terms.every((term) => term.matches(pod));
    const topologies = terms.map(({ topologyKey }) => this.topology.domainsOf(topologyKey));
    const all = [old.shape, next.shape, ...nodes.flatMap((node) => node.pods)];
    if (topologies.some((topology) => topology === undefined) || terms.some((term) => all.some((pod) => term.mayMatch(pod)))) {
      this.undecided.add('podAffinity');
      return undefined;
    }
    const known = topologies.map((topology) => topology!);
    const others = known.map(({ domainOf, domains }) => {
      const counts = Array.from({ length: domains }, () => 0);
      nodes.forEach(({ pods }, index) => {
        if (domainOf[index]! >= 0) counts[domainOf[index]!]! += pods.filter(matchesAll).length;
      });
      return counts;
    });
    return { terms: known, others, countsOld: matchesAll(old.shape), countsNew: matchesAll(next.shape) };
  }
}

/** Builds the model of a rollout from its pods and nodes. */
export function buildRolloutModel(inputs: ModelInputs): BuiltModel {
  return new ModelBuilder(inputs).build();
}

/** Reports whether pods have a constraint that concerns pods of other nodes. */
export function listTopologyFields(podSpec: unknown): string[] {
  return [
    ...(getListAt(podSpec, 'topologySpreadConstraints').length > 0 ? ['topologySpreadConstraints'] : []),
    ...['podAffinity', 'podAntiAffinity'].filter(
      (kind) => getListAt(getFieldsAt(podSpec, 'affinity'), kind, 'requiredDuringSchedulingIgnoredDuringExecution').length > 0,
    ),
  ];
}
