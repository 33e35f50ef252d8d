import { addToGroup } from '../../../core/collections/group-by';
import { getFieldsAt, getListAt, getOwnValue, getValueAt, isFields, nameOf, namespaceOf } from '../../../core/manifest/manifest';
import type { Fields, Manifest } from '../../../core/manifest/manifest';
import { memoizePerPlan } from '../../context/context';
import type { PlanContext } from '../../context/context';
import { CONTEXT_KINDS } from '../../kinds/context-kinds';
import type { PodSet } from '../../rollout/pod-set';
import { withPodSets } from '../../rollout/system-rollout';
import type { SystemRollout } from '../../rollout/system-rollout';
import type { Workload } from '../../rollout/workload';
import { listProvisionedTerms } from './provisioned-volumes';
import { listRunningPods } from './running-pods';
import type { RunningPod } from './running-pods';

/** Returns the key of a claim. */
export function formatClaimKey(namespace: string, name: unknown): string {
  return JSON.stringify([namespace, name]);
}

const listVolumes = memoizePerPlan((context) => ({
  claims: new Map(
    context
      .all(CONTEXT_KINDS.persistentVolumeClaim)
      .map((claim): [string, Manifest] => [formatClaimKey(namespaceOf(claim) ?? 'default', nameOf(claim)), claim]),
  ),
  volumes: new Map(context.all(CONTEXT_KINDS.persistentVolume).map((volume): [unknown, Manifest] => [nameOf(volume), volume])),
}));

/** Labels of a volume and of nodes with the zone or region. A volume's older label also stands for the newer label of a node. */
const TOPOLOGY_LABELS: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region': 'topology.kubernetes.io/region',
};

const WITHOUT_TOPOLOGY = { matchExpressions: Object.keys(TOPOLOGY_LABELS).map((key) => ({ key, operator: 'DoesNotExist' })) };

/**
 * Returns the terms of the nodes that a zone or region in a volume's labels allows: those with one of its values, and those without any such
 * label. Several values are separated by `__`.
 *
 * Source: k/k pkg/scheduler/framework/plugins/volumezone/volume_zone.go, `Filter`.
 */
function buildTopologyTerms([label, value]: readonly [string, string]): readonly Fields[] {
  const values = value.split('__');
  const own = { matchExpressions: [{ key: label, operator: 'In', values }] };
  const newer = getOwnValue(TOPOLOGY_LABELS, label)!;
  if (newer === label) return [own, WITHOUT_TOPOLOGY];
  const byNewer = [
    { key: label, operator: 'DoesNotExist' },
    { key: newer, operator: 'In', values },
  ];
  return [own, { matchExpressions: byNewer }, WITHOUT_TOPOLOGY];
}

/** Lists what a volume requires of its nodes: alternative terms of node selectors, and all lists hold. */
function listVolumeTerms(volume: Manifest): readonly (readonly unknown[])[] {
  const required = getValueAt(volume, 'spec', 'nodeAffinity', 'required');
  const labels = Object.entries(getFieldsAt(volume, 'metadata', 'labels')).filter(
    (entry): entry is [string, string] => Object.hasOwn(TOPOLOGY_LABELS, entry[0]) && typeof entry[1] === 'string',
  );
  return [...(isFields(required) ? [getListAt(required, 'nodeSelectorTerms')] : []), ...labels.map(buildTopologyTerms)];
}

/** Finds the volume that a claim is bound to. */
function findVolume(claim: Manifest | undefined, context: PlanContext): Manifest | undefined {
  return claim && listVolumes(context).volumes.get(getValueAt(claim, 'spec', 'volumeName'));
}

function findClaim(name: unknown, { namespace = 'default' }: PodSet, context: PlanContext): Manifest | undefined {
  return listVolumes(context).claims.get(formatClaimKey(namespace, name));
}

/** Lists the names of the claims that the volumes of a pod or template name. */
export function listClaimNames(podSpec: unknown): readonly string[] {
  const names = getListAt(podSpec, 'volumes').map((volume) => getValueAt(volume, 'persistentVolumeClaim', 'claimName'));
  return names.filter((name) => typeof name === 'string');
}

function joinTerms(a: unknown, b: unknown): Fields {
  const join = (field: string) => [...getListAt(a, field), ...getListAt(b, field)];
  return { matchExpressions: join('matchExpressions'), matchFields: join('matchFields') };
}

/** Returns a pod set that also requires nodes: one of the terms of each list. */
function withNodeTerms<Pods extends PodSet>(podSet: Pods, required: readonly (readonly unknown[])[]): Pods {
  if (required.length === 0) return podSet;
  const spec = getFieldsAt(podSet.template, 'spec');
  const affinity = getFieldsAt(spec, 'affinity');
  const nodeAffinity = getFieldsAt(affinity, 'nodeAffinity');
  const own = nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution;
  const all = isFields(own) ? [getListAt(own, 'nodeSelectorTerms'), ...required] : required;
  const nodeSelectorTerms = all.reduce((joined, terms) => joined.flatMap((a) => terms.map((b) => joinTerms(a, b))));
  const merged = { ...nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
  return { ...podSet, template: { ...podSet.template, spec: { ...spec, affinity: { ...affinity, nodeAffinity: merged } } } };
}

/** Returns a pod set that also requires the nodes of the volumes of some claims. */
function withNodesOfClaims<Pods extends PodSet>(podSet: Pods, names: readonly string[], context: PlanContext): Pods {
  const terms = names.flatMap((name) => {
    const volume = findVolume(findClaim(name, podSet, context), context);
    return volume ? listVolumeTerms(volume) : [];
  });
  return withNodeTerms(podSet, terms);
}

/** Returns the name of a claim without the ordinal of a StatefulSet's pod at its end: `data-db-` for `data-db-0`. */
function omitOrdinal(name: string): string {
  const end = name.lastIndexOf('-') + 1;
  return /^\d+$/.test(name.slice(end)) ? name.slice(0, end) : name;
}

/** Returns the keys of the claims that have a volume, without ordinals. */
const getBoundClaims = memoizePerPlan((context) => {
  const bound = [...listVolumes(context).claims.values()].filter((claim) => typeof getValueAt(claim, 'spec', 'volumeName') === 'string');
  return new Set(bound.map((claim) => formatClaimKey(namespaceOf(claim) ?? 'default', omitOrdinal(nameOf(claim)))));
});

/** Reports whether a claim that the controller of a StatefulSet made for one of its pods has a volume already. */
function hasOwnVolume({ claimTemplates = [], name, namespace = 'default' }: Workload, context: PlanContext): boolean {
  const bound = getBoundClaims(context);
  return claimTemplates.some((template) => bound.has(formatClaimKey(namespace, `${template}-${name}-`)));
}

/** Lists the specs of the claims of a pod for which volumes are provisioned: those of its own, and those that have no volume yet. */
function listUnboundClaims(podSet: PodSet, context: PlanContext): readonly unknown[] {
  const { template } = podSet;
  const { claimTemplateSpecs = [] } = podSet as Partial<Workload>;
  const ephemeral = getListAt(template.spec, 'volumes').map((volume) => getValueAt(volume, 'ephemeral', 'volumeClaimTemplate', 'spec'));
  const named = listClaimNames(template.spec)
    .map((name) => findClaim(name, podSet, context))
    .filter((claim) => claim !== undefined && typeof getValueAt(claim, 'spec', 'volumeName') !== 'string');
  // Volumes that exist may be those of an earlier class.
  const own = claimTemplateSpecs.length === 0 || hasOwnVolume(podSet as Workload, context) ? [] : claimTemplateSpecs;
  return [...ephemeral, ...named.map((claim) => getFieldsAt(claim, 'spec')), ...own];
}

/**
 * Returns a pod set that also requires the nodes of the volumes that its pods mount: the zone of a disk in the cloud, the node of a local
 * one, or the topologies in which its class provisions a new one.
 *
 * Source: k/k pkg/scheduler/framework/plugins/volumebinding/binder.go, `checkBoundClaims`.
 */
export function withVolumeNodes<Pods extends PodSet>(podSet: Pods, context: PlanContext): Pods {
  const onVolumes = withNodesOfClaims(podSet, listClaimNames(podSet.template.spec), context);
  return withNodeTerms(onVolumes, listProvisionedTerms(listUnboundClaims(podSet, context), context));
}

/** Lists the claims that the controller of a StatefulSet made for the pod with an ordinal. */
function listOwnClaims({ claimTemplates = [], name }: Workload, ordinal: number): readonly string[] {
  return claimTemplates.map((template) => `${template}-${name}-${ordinal}`);
}

/** Returns the pods of a StatefulSet with some ordinals, each with the nodes of its own volumes. Returns undefined if no node is excluded. */
export function listPodsOnOwnVolumes(
  workload: Workload,
  ordinals: readonly number[],
  context: PlanContext,
): readonly Workload[] | undefined {
  const pods = ordinals.map((ordinal) => withNodesOfClaims(workload, listOwnClaims(workload, ordinal), context));
  return pods.some((pod) => pod !== workload) ? pods : undefined;
}

/** Reports whether the volume of each claim that belongs to a pod with one of the ordinals is in the input. */
export function areOwnVolumesKnown(workload: Workload, ordinals: readonly number[], context: PlanContext): boolean {
  return ordinals.every((ordinal) =>
    listOwnClaims(workload, ordinal).every((name) => findVolume(findClaim(name, workload, context), context) !== undefined),
  );
}

function hasMode(claim: Manifest | undefined, mode: string): boolean {
  return getListAt(claim, 'spec', 'accessModes').includes(mode);
}

/** Reports whether the volume of a claim of the input is attached to one node at a time. */
export function isOnOneNode(name: string, podSet: PodSet, context: PlanContext): boolean {
  const claim = findClaim(name, podSet, context);
  return hasMode(claim, 'ReadWriteOnce') && !hasMode(claim, 'ReadWriteMany') && !hasMode(claim, 'ReadOnlyMany');
}

/** Reports whether the volume that a claim is bound to is in the input. */
export function isVolumeKnown(name: string, podSet: PodSet, context: PlanContext): boolean {
  return findVolume(findClaim(name, podSet, context), context) !== undefined;
}

/**
 * Adds the claims that only one pod of the cluster may use to the pods of a rollout.
 *
 * Source: k/k pkg/scheduler/framework/plugins/volumerestrictions/volume_restrictions.go, `PreFilter`.
 */
export function withExclusiveClaims(rollout: SystemRollout, context: PlanContext): SystemRollout {
  return withPodSets(rollout, (podSet) => {
    const exclusiveClaims = listClaimNames(podSet.template.spec).filter((name) =>
      hasMode(findClaim(name, podSet, context), 'ReadWriteOncePod'),
    );
    return exclusiveClaims.length === 0 ? podSet : { ...podSet, exclusiveClaims };
  });
}

/** Returns the running pods that mount claims which only one pod of the cluster may use, by claim, and by its name without an ordinal. */
const getExclusiveUsers = memoizePerPlan((context) => {
  const users = new Map<string, RunningPod[]>();
  const { claims } = listVolumes(context);
  if (![...claims.values()].some((claim) => hasMode(claim, 'ReadWriteOncePod'))) return users;
  for (const pod of listRunningPods(context)) {
    for (const name of listClaimNames(pod.spec)) {
      if (!hasMode(claims.get(formatClaimKey(pod.namespace, name)), 'ReadWriteOncePod')) continue;
      for (const key of new Set([name, omitOrdinal(name)])) addToGroup(users, formatClaimKey(pod.namespace, key), pod);
    }
  }
  return users;
});

/** Lists the running pods that mount a claim which the pods of a set mount too, and which only one pod of the cluster may use. */
export function listExclusiveUsers(podSet: PodSet, context: PlanContext): readonly RunningPod[] {
  const { namespace = 'default', exclusiveClaims = [] } = podSet;
  const { claimTemplates = [], name = '' } = podSet as Partial<Workload>;
  if (exclusiveClaims.length + claimTemplates.length === 0) return [];
  const keys = [...exclusiveClaims, ...claimTemplates.map((template) => `${template}-${name}-`)];
  return keys.flatMap((key) => getExclusiveUsers(context).get(formatClaimKey(namespace, key)) ?? []);
}

/**
 * Reports whether the nodes that the claims of a template allow are known: each is bound to a volume of the input, and it can be used on
 * several nodes, or by one pod only. A disk that is attached to one node may not be able to follow a pod to another.
 */
export function areVolumesDecided(podSet: PodSet, context: PlanContext): boolean {
  return listClaimNames(podSet.template.spec).every((name) => {
    const claim = findClaim(name, podSet, context);
    const isMovable = ['ReadWriteMany', 'ReadOnlyMany', 'ReadWriteOncePod'].some((mode) => hasMode(claim, mode));
    return isMovable && findVolume(claim, context) !== undefined;
  });
}
