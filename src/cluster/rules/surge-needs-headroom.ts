import type { MoreNodes, CapacityResult, Shortage } from '../../core/document/capacity-result';
import { toDisplayValue, formatDisplayValue } from '../../core/text/display-value';
import type { DisplayValue } from '../../core/text/display-value';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { formatNanos } from '../../core/values/quantity';
import { suggestManualFix } from '../../core/findings/suggested-fix';
import { capitalize, pluralize, truncateNames, joinTruncatedNames } from '../../core/text/text-format';
import { describeMoreCapacity, adviseOnCapacity, chooseCapacityRemedy, formatInPlace } from '../capacity/capacity-advice';
import type { CapacityRemedy } from '../capacity/capacity-advice';
import { findOwnNodeReason } from '../capacity/nodes/scheduling';
import { listExtendedResources, computePodFootprint } from '../capacity/pod-requests';
import { formatShortage } from '../capacity/shortage';
import type { PodRollout } from '../rollout/pod-rollout';
import { KUBERNETES_FIELD_NAMES, buildLimitEdits, getMaxUnavailablePath, ADVICE_BY_OWNER } from '../rollout/strategy-field-names';
import type { StrategyFieldNames, StrategyOwner } from '../rollout/strategy-field-names';
import type { CapacityKnowledge, Workload } from '../rollout/workload';

/** What the rollout counts: replicas, or nodes with one pod each. */
interface RolloutSize {
  readonly replicas: number;
  /** @default replica */
  readonly per?: 'replica' | 'node';
}

interface SurgeData extends RolloutSize {
  readonly maxUnavailable: DisplayValue;
  /** Pods created before old ones are deleted. */
  readonly extraPods: number;
  /** Extended resources that each of them requests. */
  readonly scarceResources: readonly string[];
  readonly names: StrategyFieldNames;
  /** Why no two of the pods fit on one node. */
  readonly ownNodeReason?: NonNullable<ReturnType<typeof findOwnNodeReason>>;
  readonly strategyOwner?: StrategyOwner;
  /** Pods to delete at once so that the rollout proceeds without surge. @default 1 */
  readonly inPlace?: number;
}

interface InsufficientCapacityData extends RolloutSize {
  readonly podsThatFit: number;
  readonly shortage: Shortage;
  readonly deadlockWave: number;
  readonly names: StrategyFieldNames;
  readonly remedy: CapacityRemedy;
  /** Whether maxUnavailable is written as 0. @default false: it rounds to 0 */
  readonly isZero?: true;
}

/** A new Revision that runs next to the old one. */
interface RevisionData {
  /** Pods of the old Revision. */
  readonly replicas: number;
  /** Pods of the new Revision created before any old pod is deleted. */
  readonly newPods: number;
  /** Extended resources that they request together. */
  readonly scarceResources: readonly ScarceResource[];
  /** Whether the object is a Service of Knative itself. @default - KServe writes it */
  readonly isWithoutKserve?: true;
}

interface ScarceResource {
  readonly resource: string;
  /** The total of all new pods. A quantity. */
  readonly more: string;
}

interface RevisionCapacityData extends RevisionData {
  readonly podsThatFit: number;
  readonly shortage: Shortage;
  readonly deadlockWave: number;
  readonly moreNodes?: MoreNodes;
}

function formatScarceResources({ scarceResources }: RevisionData): string {
  return scarceResources.length === 0
    ? ''
    : `, with ${joinTruncatedNames(truncateNames(scarceResources.map(({ resource, more }) => `${more} more ${resource}`)))}`;
}

function formatOldPods({ replicas }: RevisionData): string {
  return replicas === 0 ? '' : ` next to the ${pluralize(replicas, 'pod')} of the old one, which are deleted after it is ready`;
}

function formatNewPods({ newPods }: RevisionData): string {
  return newPods === 1 ? '1 more pod' : `${newPods} more pods`;
}

function formatMorePods(count: number): string {
  return count === 1 ? '1 more pod' : `up to ${count} more pods`;
}

/** Formats what must stay available. */
function formatAvailabilityRequirement({ replicas, per }: RolloutSize): string {
  if (per === 'node') {
    return replicas === 1
      ? 'does not allow the only node to be without an available pod'
      : `allows none of the ${replicas} nodes to be without an available pod`;
  }
  return replicas === 1 ? 'does not allow the only replica to be unavailable' : `allows none of the ${replicas} replicas to be unavailable`;
}

/** Advice by owner, for an owner that deletes no old pod first, so that capacity is the only remedy. */
const CAPACITY_ADVICE_BY_OWNER: typeof ADVICE_BY_OWNER = {
  ...ADVICE_BY_OWNER,
  'kserve-head': 'Keep capacity for a second head: all nodes of a model are replaced together.',
};

/** Returns data with its pods. Each node of a DaemonSet has one, so that others stay available. */
function withReplicas<Data extends RolloutSize>(data: Data): Data {
  return data.per === 'node' ? { ...data, replicas: Infinity } : data;
}

/** Formats the capacity needed before any old pod is deleted. */
function formatNeed({ replicas, per, extraPods }: SurgeData): string {
  if (per !== 'node') return `the cluster needs capacity for ${formatMorePods(extraPods)}`;
  if (extraPods > 1) return `up to ${extraPods} nodes at once need capacity for a second pod`;
  return `${replicas === 1 ? 'it needs' : 'each node in turn needs'} capacity for a second pod`;
}

/** Formats why a new pod does not fit, in addition to what the shortage says. */
function formatShortageCause({ podsThatFit, replicas, per }: InsufficientCapacityData): string {
  if (podsThatFit >= replicas) return 'a new one does not fit';
  const few = podsThatFit === 0 ? 'none' : `only ${podsThatFit}`;
  return `${few} of the ${per === 'node' ? 'pods' : 'replicas'} ${podsThatFit > 1 ? 'fit' : 'fits'}`;
}

function formatOwnNodeReason({ ownNodeReason }: SurgeData): string {
  if (ownNodeReason === undefined) return '';
  return ` No two of these pods fit on one node (${ownNodeReason}), so every additional pod needs a node without one.`;
}

const SURGE_SAMPLE: SurgeData = {
  replicas: 2,
  maxUnavailable: '25%',
  extraPods: 1,
  scarceResources: ['nvidia.com/gpu'],
  names: KUBERNETES_FIELD_NAMES,
};

const GPU_SHORTAGE: Shortage = {
  kind: 'quota',
  limit: 'ResourceQuota "gpus"',
  resource: 'requests.nvidia.com/gpu',
  needed: '4',
  available: '3',
};

const REVISION_SAMPLE: RevisionData = { replicas: 4, newPods: 4, scarceResources: [{ resource: 'nvidia.com/gpu', more: '4' }] };

const REVISION_CAPACITY_SAMPLE: RevisionCapacityData = {
  ...REVISION_SAMPLE,
  podsThatFit: 6,
  shortage: { ...GPU_SHORTAGE, needed: '8', available: '6' },
  deadlockWave: 2,
};

const INSUFFICIENT_CAPACITY_SAMPLE: InsufficientCapacityData = {
  replicas: 3,
  podsThatFit: 3,
  shortage: GPU_SHORTAGE,
  deadlockWave: 1,
  names: KUBERNETES_FIELD_NAMES,
  remedy: { way: 'in-place', names: KUBERNETES_FIELD_NAMES, peakPods: 4, shortage: GPU_SHORTAGE },
};

/** A rollout that needs capacity for a new pod before it deletes an old one. */
export const surgeNeedsHeadroom = defineRule({
  code: 'kubernetes/surge-needs-headroom',
  since: '0.1.0',
  severity: ['warning', 'error'],
  fires:
    'maxUnavailable resolves to 0, or Knative creates a Revision, and capacity for another pod is scarce: ' +
    'the pods request an extended resource, no two of them fit on one node, or a ResourceQuota or the given capacity is too small.',
  why:
    'The controller deletes no old pod until a new one is ready. If the new one does not fit (a full quota, no free GPU, ' +
    'one pod per node), the rollout deadlocks, with the old pods healthy. The default 25% rounds to 0 for 1, 2 and 3 replicas. ' +
    'It is a warning if the pods request an extended resource such as a GPU, which clusters seldom have to spare, ' +
    'or if they keep each other off their nodes. ' +
    'It is an error if a ResourceQuota in the input, or the capacity given with `--capacity`, is too small. ' +
    'Ordinary pods usually fit, so nothing is reported for them, nor if the known nodes have enough capacity.',
  fix: 'Keep capacity for maxSurge pods, or let one pod be deleted first: `maxSurge: 0` with `maxUnavailable: 1`.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: model
spec:
  replicas: 2
  selector:
    matchLabels:
      app: model
  template:
    metadata:
      labels:
        app: model
    spec:
      containers:
        - name: model
          image: model:2
          readinessProbe: { httpGet: { path: /ready, port: 8080 } }
          resources:
            limits: { nvidia.com/gpu: 1 }
`,
  fixedExample: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: model
spec:
  replicas: 2
  strategy:
    rollingUpdate:
      maxSurge: 0
      maxUnavailable: 1
  selector:
    matchLabels:
      app: model
  template:
    metadata:
      labels:
        app: model
    spec:
      containers:
        - name: model
          image: model:2
          readinessProbe: { httpGet: { path: /ready, port: 8080 } }
          resources:
            limits: { nvidia.com/gpu: 1 }
`,
  messages: {
    surge: defineMessage<SurgeData>({
      text: (data) =>
        `${data.names.maxUnavailable} ${formatDisplayValue(data.maxUnavailable)} ${formatAvailabilityRequirement(data)}: no old pod is deleted before a new one is ready, so ${formatNeed(data)}` +
        `${data.scarceResources.length > 0 ? `, with ${joinTruncatedNames(truncateNames(data.scarceResources))}` : ''}. Without that capacity the rollout deadlocks.${formatOwnNodeReason(data)}`,
      help: (data) =>
        data.strategyOwner
          ? CAPACITY_ADVICE_BY_OWNER[data.strategyOwner]
          : `Keep capacity for ${data.per === 'node' ? 'a second pod on each node' : formatMorePods(data.extraPods)}, or write ${formatInPlace(withReplicas(data))}.`,
      suggestedFix: ({ names, strategyOwner, inPlace = 1 }, path) =>
        suggestManualFix(...(strategyOwner ? [] : buildLimitEdits(path, names, 0, inPlace))),
      deduplicationKey: (data) => [data],
      sample: SURGE_SAMPLE,
      variants: [
        { ...SURGE_SAMPLE, replicas: 8, maxUnavailable: 0, extraPods: 4 },
        { ...SURGE_SAMPLE, scarceResources: [], ownNodeReason: 'required anti-affinity' },
        { ...SURGE_SAMPLE, strategyOwner: 'kserve-worker' },
        { ...SURGE_SAMPLE, replicas: 12, per: 'node', maxUnavailable: 0, extraPods: 3 },
        { ...SURGE_SAMPLE, replicas: 4, per: 'node', maxUnavailable: 0, inPlace: 2 },
        { ...SURGE_SAMPLE, replicas: 1, per: 'node', maxUnavailable: 0 },
        { ...SURGE_SAMPLE, replicas: 1 },
      ],
    }),
    insufficientCapacity: defineMessage<InsufficientCapacityData>({
      text: (data) =>
        `${data.names.maxUnavailable} ${data.isZero ? 'is' : 'rounds to'} 0 for ${pluralize(data.replicas, data.per ?? 'replica')}, so no old pod is deleted before a new one is ready, and ` +
        `${formatShortageCause(data)}: ${formatShortage(data.shortage)}. The rollout deadlocks at wave ${data.deadlockWave}.`,
      help: (data) => adviseOnCapacity(data.remedy, withReplicas(data).replicas),
      suggestedFix: ({ names, remedy }, path) =>
        suggestManualFix(...(remedy.way === 'in-place' ? buildLimitEdits(path, names, 0, remedy.inPlace ?? 1) : [])),
      sample: INSUFFICIENT_CAPACITY_SAMPLE,
      variants: [
        { ...INSUFFICIENT_CAPACITY_SAMPLE, podsThatFit: 1, remedy: { ...INSUFFICIENT_CAPACITY_SAMPLE.remedy, way: 'fewer-replicas' } },
        { ...INSUFFICIENT_CAPACITY_SAMPLE, per: 'node', podsThatFit: 2 },
        { ...INSUFFICIENT_CAPACITY_SAMPLE, isZero: true },
      ],
    }),
    revision: defineMessage<RevisionData>({
      text: (data) =>
        `Knative creates a new Revision of ${pluralize(data.newPods, 'pod')}${formatOldPods(data)}, so the cluster needs capacity for ` +
        `${formatNewPods(data)}${formatScarceResources(data)}. Without that capacity the rollout deadlocks.`,
      help: (data) =>
        `Keep capacity for ${formatNewPods(data)}. Knative has no maxSurge${data.isWithoutKserve ? '' : ', but a new service in mode Standard has one'}.`,
      deduplicationKey: (data) => [data],
      sample: REVISION_SAMPLE,
      variants: [
        { ...REVISION_SAMPLE, isWithoutKserve: true },
        { ...REVISION_SAMPLE, replicas: 0, newPods: 1, scarceResources: [{ resource: 'nvidia.com/gpu', more: '1' }] },
      ],
    }),
    revisionInsufficientCapacity: defineMessage<RevisionCapacityData>({
      text: (data) =>
        `Knative creates a new Revision of ${pluralize(data.newPods, 'pod')}${formatOldPods(data)}, and it does not fit: ` +
        `${formatShortage(data.shortage)}. The rollout deadlocks at wave ${data.deadlockWave}.`,
      help: ({ replicas, newPods, shortage, moreNodes, isWithoutKserve }) =>
        capitalize(describeMoreCapacity({ shortage, peakPods: replicas + newPods, ...(moreNodes && { moreNodes }) })) +
        (isWithoutKserve
          ? ', or lower min-scale in the same apply.'
          : ', or replace pods in place in a new service in mode Standard, with maxSurge: 0 and maxUnavailable: 1.'),
      sample: REVISION_CAPACITY_SAMPLE,
      variants: [
        { ...REVISION_CAPACITY_SAMPLE, isWithoutKserve: true },
        { ...REVISION_CAPACITY_SAMPLE, replicas: 0, newPods: 1, podsThatFit: 0, scarceResources: [], deadlockWave: 1 },
      ],
    }),
  },
});

/** Returns what a number of pods request of extended resources, sorted by name. */
function listScarceResources(podSpec: unknown, pods: number): ScarceResource[] {
  const amounts = computePodFootprint(podSpec);
  return listExtendedResources(podSpec).map((resource) => ({
    resource,
    more: formatNanos((amounts.get(resource) ?? 0n) * BigInt(pods)),
  }));
}

/**
 * Reports whether a rollout deadlocks only for lack of headroom. A full quota refuses the first new pod in any case. If not even the
 * replicas fit on the nodes, headroom is not the cause.
 */
export function isHeadroomShortage({ unavailable, replicas }: PodRollout, { verdict, shortage, podsThatFit }: CapacityResult): boolean {
  return verdict === 'deadlocks' && unavailable === 0 && (shortage?.kind === 'quota' || podsThatFit >= replicas);
}

/**
 * Reports that a rollout needs headroom before it can start. It is an error if there is none. It is a warning if such headroom is scarce
 * and none is known. Nothing is reported for 0 replicas.
 *
 * @param inPlace pods to delete at once so that the rollout proceeds without surge
 */
export function checkSurgeNeedsHeadroom(
  workload: Workload,
  rollout: PodRollout,
  maxUnavailable: unknown,
  known: CapacityKnowledge,
  inPlace = 1,
): Finding[] {
  const { replicas, surge, unavailable } = rollout;
  const { names, strategyOwner } = workload;
  const { verdict: capacity, rejection } = known;
  const per = workload.onePerNode ? { per: 'node' as const } : {};
  if (replicas === 0 || unavailable > 0) return [];
  if (capacity && !rejection && capacity.verdict === 'deadlocks') {
    if (!isHeadroomShortage(rollout, capacity)) return [];
    const { podsThatFit, shortage, deadlockWave } = capacity;
    const remedy = chooseCapacityRemedy(workload, rollout, capacity, { ...known, fewer: 'fewer-replicas', inPlace });
    const isZero = maxUnavailable === 0 || maxUnavailable === '0%';
    const size = { replicas, ...per, podsThatFit, ...(isZero && { isZero: true as const }) };
    const data = { ...size, shortage: shortage!, deadlockWave: deadlockWave!, names, remedy };
    return [surgeNeedsHeadroom.createFinding('insufficientCapacity', { path: getMaxUnavailablePath(workload), severity: 'error', data })];
  }
  const scarceResources = listExtendedResources(workload.template.spec);
  const ownNodeReason = findOwnNodeReason(workload);
  if ((scarceResources.length === 0 && ownNodeReason === undefined) || known.headroom().hasCapacity) return [];
  const data = {
    replicas,
    ...per,
    maxUnavailable: toDisplayValue(maxUnavailable),
    extraPods: Math.min(surge, replicas),
    scarceResources,
    names,
    ...(ownNodeReason && { ownNodeReason }),
    ...(inPlace > 1 && { inPlace }),
    ...(strategyOwner && { strategyOwner }),
  };
  return [surgeNeedsHeadroom.createFinding('surge', { path: getMaxUnavailablePath(workload), data })];
}

/**
 * Reports that a new Revision needs capacity for all of its pods next to the old one. It is an error if there is none, and a warning if the
 * pods request extended resources. Otherwise nothing is reported.
 */
export function checkRevisionNeedsHeadroom(
  workload: Workload,
  rollout: PodRollout,
  { verdict: capacity, rejection }: CapacityKnowledge,
): Finding[] {
  const { peakPods, surge: newPods } = rollout;
  const replicas = peakPods - newPods;
  const path = workload.strategyPath;
  const isWithoutKserve = workload.strategyOwner === 'knative-service' && { isWithoutKserve: true as const };
  const data = { replicas, newPods, scarceResources: listScarceResources(workload.template.spec, newPods), ...isWithoutKserve };
  if (capacity && !rejection && capacity.verdict === 'deadlocks') {
    if (!isHeadroomShortage(rollout, capacity)) return [];
    const { podsThatFit, shortage, deadlockWave, moreNodes } = capacity;
    const shortageData = { podsThatFit, shortage: shortage!, deadlockWave: deadlockWave!, ...(moreNodes && { moreNodes }) };
    return [
      surgeNeedsHeadroom.createFinding('revisionInsufficientCapacity', { path, severity: 'error', data: { ...data, ...shortageData } }),
    ];
  }
  return data.scarceResources.length > 0 ? [surgeNeedsHeadroom.createFinding('revision', { path, severity: 'warning', data })] : [];
}
