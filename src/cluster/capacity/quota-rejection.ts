import { getFieldsAt, isFields, getListAt, nameOf, namespaceOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { NANOS_PER_UNIT, formatNanos, parseQuantityNanos } from '../../core/quantity';
import type { PodSet } from '../workload';
import { computeResourceUse } from './limits';
import type { ResourceLimit } from './limits';
import type { AdmissionRejection } from './admission-rejection';
import { groupByNamespace } from '../group-by-namespace';
import { isCountedByQuota, hasQuotaScopes, formatQuotaName, formatQuotaScopeKey } from './quota';

/** What every container has to name where a quota limits it, and where: CPU and memory alone. Source: `validationSet` of pods.go. */
const REQUIRED_CONTAINER_FIELDS: Readonly<Record<string, readonly ['requests' | 'limits', string]>> = {
  cpu: ['requests', 'cpu'],
  memory: ['requests', 'memory'],
  'requests.cpu': ['requests', 'cpu'],
  'requests.memory': ['requests', 'memory'],
  'limits.cpu': ['limits', 'cpu'],
  'limits.memory': ['limits', 'memory'],
};

/** Does a container name a resource? A request of 0 is one, and a limit is a request as well. */
function isResourceSet(container: Fields, resource: string): boolean {
  const [kind, name] = REQUIRED_CONTAINER_FIELDS[resource]!;
  const limits = getFieldsAt(container, 'resources', 'limits');
  const requiredResources = kind === 'limits' ? limits : { ...limits, ...getFieldsAt(container, 'resources', 'requests') };
  return requiredResources[name] !== undefined && requiredResources[name] !== null;
}

/** With resources of the pod itself its containers need not name any. */
function hasPodLevelResources(podSpec: Fields): boolean {
  const names = ['requests', 'limits'].flatMap((kind) => Object.keys(getFieldsAt(podSpec, 'resources', kind)));
  return names.some((name) => /^(cpu|memory|hugepages-.+)$/.test(name));
}

interface NamedContainer {
  readonly name: string;
  /** Of its resources, in the pod's spec. */
  readonly path: readonly (string | number)[];
  readonly fields: Fields;
}

function listContainers(podSpec: Fields): NamedContainer[] {
  return ['containers', 'initContainers'].flatMap((list) =>
    getListAt(podSpec, list).flatMap((fields, index) =>
      isFields(fields) ? { name: String(fields.name), path: [list, index, 'resources'], fields } : [],
    ),
  );
}

/**
 * Why a quota on CPU or memory refuses every pod of a template: one of its containers does not name what the quota limits.
 *
 * Source: k/k pkg/quota/v1/evaluator/core/pods.go, `Constraints`.
 */
function findMissingResourceRejection(quota: Manifest, podSpec: Fields): AdmissionRejection | undefined {
  if (hasPodLevelResources(podSpec)) return undefined;
  const containers = listContainers(podSpec);
  const resources = Object.keys(getFieldsAt(quota, 'spec', 'hard')).filter((resource) =>
    Object.hasOwn(REQUIRED_CONTAINER_FIELDS, resource),
  );
  const unnamed = resources.toSorted().flatMap((resource) => {
    const containersWithout = containers.filter(({ fields }) => !isResourceSet(fields, resource));
    return containersWithout.length === 0 ? [] : { resource, without: containersWithout };
  });
  if (unnamed.length === 0) return undefined;
  const fields = new Set(unnamed.map(({ resource }) => `resources.${REQUIRED_CONTAINER_FIELDS[resource]!.join('.')}`));
  const names = new Set(unnamed.flatMap(({ without: containersWithout }) => containersWithout.map(({ name }) => name)));
  return {
    kind: 'unnamed',
    quota: nameOf(quota),
    unnamed: unnamed.map(({ resource, without: containersWithout }) => ({
      resource,
      containers: containersWithout.map(({ name }) => name).toSorted(),
    })),
    fields: [...fields],
    containers: [...names],
    field: unnamed[0]!.without[0]!.path,
  };
}

/** A ResourceQuota counts them by this name. */
const REPLICA_SET_COUNT = 'count/replicasets.apps';

/**
 * Why a quota lets no Deployment of its namespace roll out or come to be: each has a ReplicaSet, and a rollout begins with one more.
 *
 * What else there is, as old ReplicaSets kept for a rollback, is known from the quota's status alone.
 */
function findReplicaSetRejection(quota: Manifest, deployments: number): AdmissionRejection | undefined {
  const hard = parseQuantityNanos(getFieldsAt(quota, 'spec', 'hard')[REPLICA_SET_COUNT]);
  if (hard === undefined || hasQuotaScopes(quota)) return undefined;
  const inView = BigInt(deployments) * NANOS_PER_UNIT;
  const counted = parseQuantityNanos(getFieldsAt(quota, 'status', 'used')[REPLICA_SET_COUNT]) ?? 0n;
  const used = counted > inView ? counted : inView;
  if (hard - used >= NANOS_PER_UNIT) return undefined;
  const [usedText, hardText, needed] = [used, hard, used + NANOS_PER_UNIT].map((amount) => formatNanos(amount));
  return { kind: 'replica-sets', quota: nameOf(quota), used: usedText!, hard: hardText!, needed: needed! };
}

/** Does each rollout of these pods begin with a ReplicaSet more, as a Deployment's does? */
function hasReplicaSets(podSet: PodSet): boolean {
  return 'addsReplicaSet' in podSet && podSet.addsReplicaSet === true && !podSet.countOnly;
}

/** Do they need a ReplicaSet now? A scale does with the one that there is. */
function shouldAddReplicaSet(podSet: PodSet): boolean {
  return hasReplicaSets(podSet) && (podSet.isNew === true || ('rollout' in podSet && podSet.rollout !== undefined));
}

function buildRejectionLimit(quota: Manifest, podSet: PodSet, rejection: AdmissionRejection): ResourceLimit {
  return {
    kind: 'quota',
    name: formatQuotaName(quota),
    resource: 'pods',
    total: 0n,
    ...computeResourceUse([podSet], () => NANOS_PER_UNIT),
    refusesPods: true,
    rejection,
  };
}

/** What a quota wants every container to name, for the pods that it counts: two of which this is the same refuse the same pods. */
function formatDemandKey(quota: Manifest): string {
  const requiredResources = Object.keys(getFieldsAt(quota, 'spec', 'hard')).filter((resource) =>
    Object.hasOwn(REQUIRED_CONTAINER_FIELDS, resource),
  );
  return JSON.stringify([formatQuotaScopeKey(quota), requiredResources.toSorted()]);
}

/** The first of the quotas that make each demand: of a thousand that make the same one, the others have nothing to add. */
function deduplicateByDemand(quotas: readonly Manifest[]): Manifest[] {
  const known = new Map<string, Manifest>();
  for (const quota of quotas) {
    const demands = formatDemandKey(quota);
    if (!known.has(demands)) known.set(demands, quota);
  }
  return [...known.values()];
}

/** The quotas of a namespace that let no new pod of a set in, whatever they have left: of several the first. */
function findRejectionsInNamespace(quotas: readonly Manifest[], podSets: readonly PodSet[]): ResourceLimit[] {
  const deployments = podSets.filter((podSet) => hasReplicaSets(podSet) && !podSet.isNew).length;
  const replicaSetRejections = quotas.flatMap((quota) => {
    const rejection = findReplicaSetRejection(quota, deployments);
    return rejection ? [{ quota, refusal: rejection }] : [];
  });
  const distinctQuotas = deduplicateByDemand(quotas);
  const quotaIndex = new Map(quotas.map((quota, index) => [quota, index]));
  return podSets.flatMap((podSet) => {
    const podSpec = getFieldsAt(podSet.template, 'spec');
    const isEvaluated = !podSet.countOnly && !podSet.hasDefaultedResources;
    const unnamed = (isEvaluated ? distinctQuotas : []).flatMap((quota) => {
      const rejection = isCountedByQuota(quota, podSpec) ? findMissingResourceRejection(quota, podSpec) : undefined;
      return rejection ? [{ quota, refusal: rejection }] : [];
    });
    const firstReplicaSetRejection = shouldAddReplicaSet(podSet) ? replicaSetRejections.slice(0, 1) : [];
    // Of one quota the names that are missing come first.
    const [first] = [...unnamed, ...firstReplicaSetRejection].toSorted((a, b) => quotaIndex.get(a.quota)! - quotaIndex.get(b.quota)!);
    return first ? buildRejectionLimit(first.quota, podSet, first.refusal) : [];
  });
}

/** The quotas that let no new pod of a set in, whatever they have left, each as a limit on that set. */
export function findQuotaRejections(quotas: readonly Manifest[], podSets: readonly PodSet[]): ResourceLimit[] {
  const quotasOf = new Map<string, Manifest[]>();
  for (const quota of quotas) {
    const namespace = namespaceOf(quota) ?? '';
    const known = quotasOf.get(namespace);
    if (known) known.push(quota);
    else quotasOf.set(namespace, [quota]);
  }
  const podSetsOf = groupByNamespace(podSets);
  return [...quotasOf].flatMap(([namespace, own]) => findRejectionsInNamespace(own, podSetsOf.get(namespace) ?? []));
}
