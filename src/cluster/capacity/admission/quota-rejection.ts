import { groupBy } from '../../../core/collections/group-by';
import { getFieldsAt, isFields, getListAt, nameOf, namespaceOf } from '../../../core/manifest/manifest';
import type { Fields, Manifest } from '../../../core/manifest/manifest';
import { NANOS_PER_UNIT, formatNanos, parseQuantityNanos } from '../../../core/values/quantity';
import { groupByNamespace } from '../../context/group-by-namespace';
import type { PodSet } from '../../rollout/pod-set';
import type { Workload } from '../../rollout/workload';
import { computeResourceUse } from '../limits';
import type { ResourceLimit } from '../limits';
import type { AdmissionRejection } from '../../rejections/admission-rejection';
import { isCountedByQuota, hasQuotaScopes, formatQuotaName } from './quota';
import { toSafeText } from '../../../core/text/value-text';

/**
 * Fields that every container must set if a quota limits the resource, which is only required for CPU and memory. Source: `validationSet`
 * of k/k pkg/quota/v1/evaluator/core/pods.go.
 */
const REQUIRED_CONTAINER_FIELDS: Readonly<Record<string, readonly ['requests' | 'limits', string]>> = {
  cpu: ['requests', 'cpu'],
  memory: ['requests', 'memory'],
  'requests.cpu': ['requests', 'cpu'],
  'requests.memory': ['requests', 'memory'],
  'limits.cpu': ['limits', 'cpu'],
  'limits.memory': ['limits', 'memory'],
};

/** Reports whether a container sets a resource. A request of 0 counts, and a limit counts as a request. */
function isResourceSet(container: Fields, resource: string): boolean {
  const [kind, name] = REQUIRED_CONTAINER_FIELDS[resource]!;
  const limits = getFieldsAt(container, 'resources', 'limits');
  const requiredResources = kind === 'limits' ? limits : { ...limits, ...getFieldsAt(container, 'resources', 'requests') };
  return requiredResources[name] !== undefined && requiredResources[name] !== null;
}

/** Reports whether a pod has pod-level resources. Its containers then need not set any. */
function hasPodLevelResources(podSpec: Fields): boolean {
  const names = ['requests', 'limits'].flatMap((kind) => Object.keys(getFieldsAt(podSpec, 'resources', kind)));
  return names.some((name) => /^(cpu|memory|hugepages-.+)$/.test(name));
}

interface NamedContainer {
  readonly name: string;
  /** Path of its resources in the pod spec. */
  readonly path: readonly (string | number)[];
  readonly fields: Fields;
}

function listContainers(podSpec: Fields): NamedContainer[] {
  return ['containers', 'initContainers'].flatMap((list) =>
    getListAt(podSpec, list).flatMap((fields, index) =>
      isFields(fields) ? { name: toSafeText(fields.name), path: [list, index, 'resources'], fields } : [],
    ),
  );
}

/**
 * Returns why a quota on CPU or memory refuses every pod of a template: one of its containers does not set a limited resource.
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
    const lackingContainers = containers.filter(({ fields }) => !isResourceSet(fields, resource));
    return lackingContainers.length === 0 ? [] : { resource, lackingContainers };
  });
  if (unnamed.length === 0) return undefined;
  const fields = new Set(unnamed.map(({ resource }) => `resources.${REQUIRED_CONTAINER_FIELDS[resource]!.join('.')}`));
  const names = new Set(unnamed.flatMap(({ lackingContainers }) => lackingContainers.map(({ name }) => name)));
  return {
    kind: 'unnamed',
    quota: nameOf(quota),
    unnamed: unnamed.map(({ resource, lackingContainers }) => ({
      resource,
      containers: lackingContainers.map(({ name }) => name).toSorted(),
    })),
    fields: [...fields],
    containers: [...names],
    field: unnamed[0]!.lackingContainers[0]!.path,
  };
}

/** The resource name of ReplicaSets in a ResourceQuota. */
const REPLICA_SET_COUNT = 'count/replicasets.apps';

/**
 * Returns why a quota refuses every rollout and every new Deployment of its namespace: each Deployment has a ReplicaSet, and a rollout
 * creates another one.
 *
 * Other ReplicaSets, such as old ones kept for a rollback, are only known from the status of the quota.
 */
function findReplicaSetRejection(quota: Manifest, deployments: number): AdmissionRejection | undefined {
  const hard = parseQuantityNanos(getFieldsAt(quota, 'spec', 'hard')[REPLICA_SET_COUNT]);
  if (hard === undefined || hasQuotaScopes(quota)) return undefined;
  const known = BigInt(deployments) * NANOS_PER_UNIT;
  const counted = parseQuantityNanos(getFieldsAt(quota, 'status', 'used')[REPLICA_SET_COUNT]) ?? 0n;
  const used = counted > known ? counted : known;
  if (hard - used >= NANOS_PER_UNIT) return undefined;
  const [usedText, hardText, needed] = [used, hard, used + NANOS_PER_UNIT].map((amount) => formatNanos(amount));
  return { kind: 'replica-sets', quota: nameOf(quota), used: usedText!, hard: hardText!, needed: needed! };
}

/** Reports whether each rollout of these pods creates another ReplicaSet, as that of a Deployment does. */
function hasReplicaSets(podSet: PodSet): boolean {
  const { controller } = podSet as Partial<Workload>;
  return controller?.traits.addsReplicaSet === true && !podSet.countOnly;
}

/** Reports whether the plan creates a ReplicaSet for these pods. Scaling uses the existing one. */
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

/**
 * Returns the quotas of a namespace that refuse every new pod of a set, regardless of what is left. If there are several, the first one
 * counts.
 */
function findRejectionsInNamespace(quotas: readonly Manifest[], podSets: readonly PodSet[]): ResourceLimit[] {
  const deployments = podSets.filter((podSet) => hasReplicaSets(podSet) && !podSet.isNew).length;
  const replicaSetRejections = quotas.flatMap((quota) => {
    const rejection = findReplicaSetRejection(quota, deployments);
    return rejection ? [{ quota, rejection }] : [];
  });
  const quotaIndex = new Map(quotas.map((quota, index) => [quota, index]));
  return podSets.flatMap((podSet) => {
    const podSpec = getFieldsAt(podSet.template, 'spec');
    const isEvaluated = !podSet.countOnly && !podSet.hasDefaultedResources;
    const unnamed = (isEvaluated ? quotas : []).flatMap((quota) => {
      const rejection = isCountedByQuota(quota, podSpec) ? findMissingResourceRejection(quota, podSpec) : undefined;
      return rejection ? [{ quota, rejection }] : [];
    });
    const firstReplicaSetRejection = shouldAddReplicaSet(podSet) ? replicaSetRejections.slice(0, 1) : [];
    // For the same quota, missing resources come first.
    const [first] = [...unnamed, ...firstReplicaSetRejection].toSorted((a, b) => quotaIndex.get(a.quota)! - quotaIndex.get(b.quota)!);
    return first ? buildRejectionLimit(first.quota, podSet, first.rejection) : [];
  });
}

/** Returns the quotas that refuse every new pod of a set, regardless of what is left, each as a limit on that set. */
export function findQuotaRejections(quotas: readonly Manifest[], podSets: readonly PodSet[]): ResourceLimit[] {
  const quotasOf = groupBy(quotas, (quota) => namespaceOf(quota) ?? '');
  const podSetsOf = groupByNamespace(podSets);
  return [...quotasOf].flatMap(([namespace, own]) => findRejectionsInNamespace(own, podSetsOf.get(namespace) ?? []));
}
