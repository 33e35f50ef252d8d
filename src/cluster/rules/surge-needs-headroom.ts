import { suggestManualFix } from '../../core/suggested-fix';
import type { Finding } from '../../core/finding';
import { defineMessage, defineRule } from '../../core/finding';
import type { MoreNodes, CapacityResult, Shortage } from '../../core/capacity-result';
import { formatNanos } from '../../core/quantity';
import { toDisplayValue, formatDisplayValue } from '../../core/display-value';
import type { DisplayValue } from '../../core/display-value';
import { capitalize, pluralize, truncateNames, joinTruncatedNames } from '../../core/text-format';
import { listExtendedResources } from '../capacity/extended-resources';
import { computePodFootprint } from '../capacity/pod-requests';
import { findOwnNodeReason } from '../capacity/scheduling';
import { formatShortage } from '../capacity/shortage';
import { KUBERNETES_FIELD_NAMES, buildLimitEdits, getMaxUnavailablePath, ADVICE_BY_OWNER } from '../strategy-field-names';
import type { StrategyFieldNames, StrategyOwner } from '../strategy-field-names';
import type { CapacityKnowledge, PodRollout, Workload } from '../workload';
import { describeMoreCapacity, adviseOnCapacity, chooseCapacityRemedy } from '../capacity/capacity-advice';
import type { CapacityRemedy } from '../capacity/capacity-advice';

/** What there is one pod of. */
interface RolloutSize {
  readonly replicas: number;
  /** @default replica */
  readonly per?: 'replica' | 'node';
}

interface SurgeData extends RolloutSize {
  readonly maxUnavailable: DisplayValue;
  /** Pods that are created before old ones go. */
  readonly extraPods: number;
  /** Extended resources that each of them asks for. */
  readonly scarceResources: readonly string[];
  readonly names: StrategyFieldNames;
  /** Why no two of the pods go on one node. */
  readonly ownNodeReason?: NonNullable<ReturnType<typeof findOwnNodeReason>>;
  readonly strategyOwner?: StrategyOwner;
  /** Pods to let go at once, so that the rollout moves without surge. @default 1 */
  readonly inPlace?: number;
}

interface InsufficientCapacityData extends RolloutSize {
  readonly podsThatFit: number;
  readonly shortage: Shortage;
  readonly deadlockWave: number;
  readonly names: StrategyFieldNames;
  readonly remedy: CapacityRemedy;
}

/** A new Revision beside the old one. */
interface RevisionData {
  /** Pods that run before. */
  readonly replicas: number;
  /** Pods that the new Revision gets before any old one goes. */
  readonly newPods: number;
  /** Extended resources that they ask for together. */
  readonly scarceResources: readonly ScarceResource[];
}

interface ScarceResource {
  readonly resource: string;
  /** Of all new pods: a quantity. */
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
  return replicas === 0 ? '' : ` beside the ${pluralize(replicas, 'pod')} of the old one, which go after it is ready`;
}

function formatNewPods({ newPods }: RevisionData): string {
  return newPods === 1 ? '1 more pod' : `${newPods} more pods`;
}

function formatMorePods(count: number): string {
  return count === 1 ? '1 more pod' : `up to ${count} more pods`;
}

/** What must not be missing. */
function formatAvailabilityRequirement({ replicas, per }: RolloutSize): string {
  if (per === 'node') {
    return replicas === 1
      ? 'does not leave the only node without an available pod'
      : `leaves none of ${replicas} nodes without an available pod`;
  }
  return replicas === 1 ? 'does not let the only replica be missing' : `lets none of ${replicas} replicas be missing`;
}

/** The advice of the owners where no old pod goes first as it is, so that room is all that is left to find. */
const CAPACITY_ADVICE_BY_OWNER: typeof ADVICE_BY_OWNER = {
  ...ADVICE_BY_OWNER,
  'kserve-head': 'Keep room for a second head: the nodes of one model are replaced as a whole.',
};

/** What there has to be room for before any old pod goes. */
function formatNeed({ replicas, per, extraPods }: SurgeData): string {
  if (per !== 'node') return `the cluster needs room for ${formatMorePods(extraPods)}`;
  if (extraPods > 1) return `up to ${extraPods} nodes at once need room for a second pod`;
  return `${replicas === 1 ? 'it needs' : 'each node in turn needs'} room for a second pod`;
}

/** Why a new pod finds no room, as far as the shortage does not say it. */
function formatShortageCause({ podsThatFit, replicas, per }: InsufficientCapacityData): string {
  if (podsThatFit >= replicas) return 'there is no room for a new one';
  const few = podsThatFit === 0 ? 'none' : `only ${podsThatFit}`;
  return `${few} of the ${per === 'node' ? 'pods' : 'replicas'} ${podsThatFit > 1 ? 'find' : 'finds'} room at all`;
}

function formatOwnNodeReason({ ownNodeReason }: SurgeData): string {
  if (ownNodeReason === undefined) return '';
  return ` No two of these pods go on one node (${ownNodeReason}), so every one more needs a node without any.`;
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

/** A rollout that needs room for a new pod before an old one goes. */
export const surgeNeedsHeadroom = defineRule({
  code: 'kubernetes/surge-needs-headroom',
  since: '0.1.0',
  severity: ['warning', 'error'],
  fires:
    'maxUnavailable resolves to 0, or Knative brings up a Revision, and room for another pod is scarceResources: ' +
    'the pods ask for an extended resource, no two of them go on one node, or what is in view has no room.',
  why:
    'The controller deletes no old pod until a new one is ready. Where the new one finds no room (a full quota, no free GPU, ' +
    'one pod a node) the rollout stands still for good, with the old pods healthy. The default 25% comes to 0 for 1, 2 and 3 replicas. ' +
    'A warning where the pods ask for an extended resource such as a GPU, which a cluster seldom has to spare, ' +
    'or keep each other off their nodes; an error where a ResourceQuota in view, or the capacity given with `--capacity`, has no room. ' +
    'Nothing is said of ordinary pods, which find room as a rule, nor where the nodes in view have room.',
  fix: 'Keep room for maxSurge pods, or allow one pod to go first: `maxSurge: 0` with `maxUnavailable: 1`.',
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
        `${data.names.maxUnavailable} ${formatDisplayValue(data.maxUnavailable)} ${formatAvailabilityRequirement(data)}: no old pod goes before a new one is ready, so ${formatNeed(data)}` +
        `${data.scarceResources.length > 0 ? `, with ${joinTruncatedNames(truncateNames(data.scarceResources))}` : ''}. Without room the rollout stands still.${formatOwnNodeReason(data)}`,
      help: ({ per, extraPods, names, strategyOwner, inPlace = 1 }) =>
        strategyOwner
          ? CAPACITY_ADVICE_BY_OWNER[strategyOwner]
          : `Keep room for ${per === 'node' ? 'a second pod on each node' : formatMorePods(extraPods)}, or write ${names.maxSurge}: 0 and ${names.maxUnavailable}: ${inPlace} to replace pods in place.`,
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
        `${data.names.maxUnavailable} comes to 0 for ${pluralize(data.replicas, data.per ?? 'replica')}: no old pod goes before a new one is ready, and ` +
        `${formatShortageCause(data)}: ${formatShortage(data.shortage)}. The rollout stands still at wave ${data.deadlockWave} for good.`,
      help: ({ remedy: change }) => adviseOnCapacity(change),
      suggestedFix: ({ names, remedy: change }, path) =>
        suggestManualFix(...(change.way === 'in-place' ? buildLimitEdits(path, names, 0, change.inPlace ?? 1) : [])),
      sample: INSUFFICIENT_CAPACITY_SAMPLE,
      variants: [
        { ...INSUFFICIENT_CAPACITY_SAMPLE, podsThatFit: 1, remedy: { ...INSUFFICIENT_CAPACITY_SAMPLE.remedy, way: 'fewer-replicas' } },
        { ...INSUFFICIENT_CAPACITY_SAMPLE, per: 'node', podsThatFit: 2 },
      ],
    }),
    revision: defineMessage<RevisionData>({
      text: (data) =>
        `Knative brings up a new Revision of ${pluralize(data.newPods, 'pod')}${formatOldPods(data)}, so the cluster needs room for ` +
        `${formatNewPods(data)}${formatScarceResources(data)}. Without room the rollout stands still.`,
      help: (data) => `Keep room for ${formatNewPods(data)}; Knative has no maxSurge, a new service in mode Standard has one.`,
      deduplicationKey: (data) => [data],
      sample: REVISION_SAMPLE,
      variants: [{ ...REVISION_SAMPLE, replicas: 0, newPods: 1, scarceResources: [{ resource: 'nvidia.com/gpu', more: '1' }] }],
    }),
    revisionInsufficientCapacity: defineMessage<RevisionCapacityData>({
      text: (data) =>
        `Knative brings up a new Revision of ${pluralize(data.newPods, 'pod')}${formatOldPods(data)}, and there is no room for it: ` +
        `${formatShortage(data.shortage)}. The rollout stands still at wave ${data.deadlockWave} for good.`,
      help: ({ replicas, newPods, shortage, moreNodes }) =>
        `${capitalize(describeMoreCapacity({ shortage, peakPods: replicas + newPods, ...(moreNodes && { moreNodes }) }))}; ` +
        'or replace pods in place in a new service in mode Standard, with maxSurge: 0 and maxUnavailable: 1.',
      sample: REVISION_CAPACITY_SAMPLE,
      variants: [{ ...REVISION_CAPACITY_SAMPLE, replicas: 0, newPods: 1, podsThatFit: 0, scarceResources: [], deadlockWave: 1 }],
    }),
  },
});

/** What the containers of so many pods ask for of extended resources, sorted by name. */
function listScarceResources(podSpec: unknown, pods: number): ScarceResource[] {
  const amounts = computePodFootprint(podSpec);
  return listExtendedResources(podSpec).map((resource) => ({
    resource,
    more: formatNanos((amounts.get(resource) ?? 0n) * BigInt(pods)),
  }));
}

/**
 * Is headroom what a rollout without room lacks? A quota without room refuses the first new pod in any case;
 * nodes on which not even the replicas fit have nothing to do with it.
 */
export function isHeadroomShortage({ unavailable, replicas }: PodRollout, { verdict, shortage, podsThatFit }: CapacityResult): boolean {
  return verdict === 'deadlocks' && unavailable === 0 && (shortage?.kind === 'quota' || podsThatFit >= replicas);
}

/**
 * Says that a rollout needs room before it can start: as a warning where room for such pods is scarceResources and none is known,
 * as an error where there is none. Nothing for 0 replicas.
 *
 * @param inPlace pods that have to be let go at once for the rollout to move without surge
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
  const path = getMaxUnavailablePath(workload);
  if (capacity && !rejection && capacity.verdict === 'deadlocks') {
    if (!isHeadroomShortage(rollout, capacity)) return [];
    const { podsThatFit, shortage, deadlockWave } = capacity;
    const remedy = { ...chooseCapacityRemedy(workload, rollout, capacity, 'fewer-replicas'), ...(inPlace > 1 && { inPlace }) };
    const data = { replicas, ...per, podsThatFit, shortage: shortage!, deadlockWave: deadlockWave!, names, remedy };
    return [surgeNeedsHeadroom.createFinding('insufficientCapacity', { path, severity: 'error', data })];
  }
  const scarceResources = listExtendedResources(workload.template.spec);
  const ownNodeReason = findOwnNodeReason(workload);
  if (known.hasCapacity || (scarceResources.length === 0 && ownNodeReason === undefined)) return [];
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
  return [surgeNeedsHeadroom.createFinding('surge', { path, data })];
}

/**
 * Says that a new Revision needs room for all of its pods beside the old one: a warning where they ask for what is scarceResources,
 * an error where there is no room. Else there is nothing to say.
 */
export function checkRevisionNeedsHeadroom(
  workload: Workload,
  rollout: PodRollout,
  { verdict: capacity, rejection }: CapacityKnowledge,
): Finding[] {
  const { replicas, newPods } = { replicas: rollout.replicas, newPods: rollout.surge };
  const path = workload.strategyPath;
  const data = { replicas, newPods, scarceResources: listScarceResources(workload.template.spec, newPods) };
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
