import { fieldsAt, isFields, listAt, nameOf, namespaceOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { NANOS, formatNanos, nanosOf } from '../../core/quantity';
import type { PodSet } from '../workload';
import { resourceUse } from './limits';
import type { ResourceLimit } from './limits';
import type { Refusal } from './refusal';
import { byNamespace } from '../namespaces';
import { isCounted, isScoped, quotaName, sameScopes } from './quota';

/** What every container has to name where a quota limits it, and where: CPU and memory alone. Source: `validationSet` of pods.go. */
const TO_BE_NAMED: Readonly<Record<string, readonly ['requests' | 'limits', string]>> = {
  cpu: ['requests', 'cpu'],
  memory: ['requests', 'memory'],
  'requests.cpu': ['requests', 'cpu'],
  'requests.memory': ['requests', 'memory'],
  'limits.cpu': ['limits', 'cpu'],
  'limits.memory': ['limits', 'memory'],
};

/** Does a container name a resource? A request of 0 is one, and a limit is a request as well. */
function isNamed(container: Fields, resource: string): boolean {
  const [kind, name] = TO_BE_NAMED[resource]!;
  const limits = fieldsAt(container, 'resources', 'limits');
  const named = kind === 'limits' ? limits : { ...limits, ...fieldsAt(container, 'resources', 'requests') };
  return named[name] !== undefined && named[name] !== null;
}

/** With resources of the pod itself its containers need not name any. */
function namesOwnResources(podSpec: Fields): boolean {
  const names = ['requests', 'limits'].flatMap((kind) => Object.keys(fieldsAt(podSpec, 'resources', kind)));
  return names.some((name) => /^(cpu|memory|hugepages-.+)$/.test(name));
}

interface NamedContainer {
  readonly name: string;
  /** Of its resources, in the pod's spec. */
  readonly path: readonly (string | number)[];
  readonly fields: Fields;
}

function containersOf(podSpec: Fields): NamedContainer[] {
  return ['containers', 'initContainers'].flatMap((list) =>
    listAt(podSpec, list).flatMap((fields, index) =>
      isFields(fields) ? { name: String(fields.name), path: [list, index, 'resources'], fields } : [],
    ),
  );
}

/**
 * Why a quota on CPU or memory refuses every pod of a template: one of its containers does not name what the quota limits.
 *
 * Source: k/k pkg/quota/v1/evaluator/core/pods.go, `Constraints`.
 */
function unnamedRefusal(quota: Manifest, podSpec: Fields): Refusal | undefined {
  if (namesOwnResources(podSpec)) return undefined;
  const containers = containersOf(podSpec);
  const resources = Object.keys(fieldsAt(quota, 'spec', 'hard')).filter((resource) => Object.hasOwn(TO_BE_NAMED, resource));
  const unnamed = resources.toSorted().flatMap((resource) => {
    const without = containers.filter(({ fields }) => !isNamed(fields, resource));
    return without.length === 0 ? [] : { resource, without };
  });
  if (unnamed.length === 0) return undefined;
  const fields = new Set(unnamed.map(({ resource }) => `resources.${TO_BE_NAMED[resource]!.join('.')}`));
  const names = new Set(unnamed.flatMap(({ without }) => without.map(({ name }) => name)));
  return {
    kind: 'unnamed',
    quota: nameOf(quota),
    unnamed: unnamed.map(({ resource, without }) => ({ resource, containers: without.map(({ name }) => name).toSorted() })),
    fields: [...fields],
    containers: [...names],
    field: unnamed[0]!.without[0]!.path,
  };
}

/** A ResourceQuota counts them by this name. */
const REPLICA_SETS = 'count/replicasets.apps';

/**
 * Why a quota lets no Deployment of its namespace roll out or come to be: each has a ReplicaSet, and a rollout begins with one more.
 *
 * What else there is, as old ReplicaSets kept for a rollback, is known from the quota's status alone.
 */
function replicaSetRefusal(quota: Manifest, deployments: number): Refusal | undefined {
  const hard = nanosOf(fieldsAt(quota, 'spec', 'hard')[REPLICA_SETS]);
  if (hard === undefined || isScoped(quota)) return undefined;
  const inView = BigInt(deployments) * NANOS;
  const counted = nanosOf(fieldsAt(quota, 'status', 'used')[REPLICA_SETS]) ?? 0n;
  const used = counted > inView ? counted : inView;
  if (hard - used >= NANOS) return undefined;
  const [usedText, hardText, needed] = [used, hard, used + NANOS].map((amount) => formatNanos(amount));
  return { kind: 'replica-sets', quota: nameOf(quota), used: usedText!, hard: hardText!, needed: needed! };
}

/** Does each rollout of these pods begin with a ReplicaSet more, as a Deployment's does? */
function isOfReplicaSets(podSet: PodSet): boolean {
  return 'addsReplicaSet' in podSet && podSet.addsReplicaSet === true && !podSet.countOnly;
}

/** Do they need a ReplicaSet now? A scale does with the one that there is. */
function addsReplicaSet(podSet: PodSet): boolean {
  return isOfReplicaSets(podSet) && (podSet.isNew === true || ('rollout' in podSet && podSet.rollout !== undefined));
}

function refusalLimit(quota: Manifest, podSet: PodSet, refusal: Refusal): ResourceLimit {
  return {
    kind: 'quota',
    name: quotaName(quota),
    resource: 'pods',
    total: 0n,
    ...resourceUse([podSet], () => NANOS),
    refusesPods: true,
    refusal,
  };
}

/** What a quota wants every container to name, for the pods that it counts: two of which this is the same refuse the same pods. */
function sameDemands(quota: Manifest): string {
  const named = Object.keys(fieldsAt(quota, 'spec', 'hard')).filter((resource) => Object.hasOwn(TO_BE_NAMED, resource));
  return JSON.stringify([sameScopes(quota), named.toSorted()]);
}

/** The first of the quotas that make each demand: of a thousand that make the same one, the others have nothing to add. */
function firstOfEachDemand(quotas: readonly Manifest[]): Manifest[] {
  const known = new Map<string, Manifest>();
  for (const quota of quotas) {
    const demands = sameDemands(quota);
    if (!known.has(demands)) known.set(demands, quota);
  }
  return [...known.values()];
}

/** The quotas of a namespace that let no new pod of a set in, whatever they have left: of several the first. */
function refusalsIn(quotas: readonly Manifest[], podSets: readonly PodSet[]): ResourceLimit[] {
  const deployments = podSets.filter((podSet) => isOfReplicaSets(podSet) && !podSet.isNew).length;
  const noReplicaSets = quotas.flatMap((quota) => {
    const refusal = replicaSetRefusal(quota, deployments);
    return refusal ? [{ quota, refusal }] : [];
  });
  const demanding = firstOfEachDemand(quotas);
  const place = new Map(quotas.map((quota, index) => [quota, index]));
  return podSets.flatMap((podSet) => {
    const podSpec = fieldsAt(podSet.template, 'spec');
    const isJudged = !podSet.countOnly && !podSet.resourcesAreFilledIn;
    const unnamed = (isJudged ? demanding : []).flatMap((quota) => {
      const refusal = isCounted(quota, podSpec) ? unnamedRefusal(quota, podSpec) : undefined;
      return refusal ? [{ quota, refusal }] : [];
    });
    const noReplicaSet = addsReplicaSet(podSet) ? noReplicaSets.slice(0, 1) : [];
    // Of one quota the names that are missing come first.
    const [first] = [...unnamed, ...noReplicaSet].toSorted((a, b) => place.get(a.quota)! - place.get(b.quota)!);
    return first ? refusalLimit(first.quota, podSet, first.refusal) : [];
  });
}

/** The quotas that let no new pod of a set in, whatever they have left, each as a limit on that set. */
export function allQuotaRefusals(quotas: readonly Manifest[], podSets: readonly PodSet[]): ResourceLimit[] {
  const quotasOf = new Map<string, Manifest[]>();
  for (const quota of quotas) {
    const namespace = namespaceOf(quota) ?? '';
    const known = quotasOf.get(namespace);
    if (known) known.push(quota);
    else quotasOf.set(namespace, [quota]);
  }
  const podSetsOf = byNamespace(podSets);
  return [...quotasOf].flatMap(([namespace, own]) => refusalsIn(own, podSetsOf.get(namespace) ?? []));
}
