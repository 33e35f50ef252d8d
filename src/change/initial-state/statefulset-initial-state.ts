import type { InitialRevision } from '../../core/document/initial-state';
import { getFieldsAt, nameOf, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { StatefulPodState, StatefulSetState } from '../../cluster/rollout/initial-state';
import { MAX_LISTED_ROWS } from '../../core/simulations/row-limit';
import {
  toCount,
  resolveHealth,
  isPodReady,
  hasUnobservedGeneration,
  parseCount,
  revisionLabelOf,
  findMatchingRevision,
} from './workload-initial-state';
import type { InitialStateQuery, WorkloadInitialState } from './workload-initial-state';

/** Returns the ordinal after the last dash of a pod's name. */
function ordinalOf(pod: Manifest): number | undefined {
  const name = nameOf(pod);
  return parseCount(name.slice(name.lastIndexOf('-') + 1));
}

/** The revisions of a StatefulSet that are known. */
interface KnownRevisions {
  /** The revision with NEW's template; undefined if NEW's template is a new revision. */
  readonly target?: string;
  /** The value of status.currentRevision. */
  readonly current?: string;
  /** The value of status.updateRevision. */
  readonly last?: string;
  readonly isUnderWay: boolean;
  /** Whether NEW has the template that OLD has. */
  readonly isSameTemplate: boolean;
  /** Pods of the last revision. */
  readonly updated: number;
}

function toNonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function resolveRevisions(query: InitialStateQuery): KnownRevisions {
  const { manifest, replicas, isLive, isSameTemplate } = query;
  const status: Fields = isLive ? getFieldsAt(manifest, 'status') : {};
  const current = toNonEmptyString(status.currentRevision);
  const last = toNonEmptyString(status.updateRevision);
  const found = isLive ? findMatchingRevision(query) : undefined;
  const target = (found && nameOf(found)) ?? (isSameTemplate ? last : undefined);
  const isUnderWay = current !== undefined && last !== undefined && current !== last;
  const updated = isUnderWay ? Math.min(replicas, toCount(status.updatedReplicas) ?? 0) : replicas;
  return { ...(target && { target }), ...(current && { current }), ...(last && { last }), isUnderWay, isSameTemplate, updated };
}

function firstOrdinalOf(manifest: Manifest): number {
  return toCount(getValueAt(manifest, 'spec', 'ordinals', 'start')) ?? 0;
}

/** Returns the states of the pods in the input, by index. */
function listPodStates({ manifest }: InitialStateQuery, pods: readonly Manifest[], { target }: KnownRevisions): StatefulPodState[] {
  const first = firstOrdinalOf(manifest);
  return pods.flatMap((pod) => {
    const ordinal = ordinalOf(pod);
    if (ordinal === undefined || ordinal < first) return [];
    return [{ index: ordinal - first, isNew: target !== undefined && revisionLabelOf(pod) === target, available: isPodReady(pod) }];
  });
}

/** Returns the pods of a status that shows none that is ready. With Parallel the controller replaces them at once; else it waits for each. */
function listDownPods(query: InitialStateQuery, { isUnderWay, isSameTemplate }: KnownRevisions): StatefulSetState | undefined {
  const { manifest, replicas } = query;
  const isDown = replicas > 0 && countUnreadyByStatus(query) === replicas;
  const isParallel = getValueAt(manifest, 'spec', 'podManagementPolicy') === 'Parallel';
  if (!isDown || !isParallel || isUnderWay || isSameTemplate || replicas > MAX_LISTED_ROWS) return undefined;
  return { pods: Array.from({ length: replicas }, (_, index) => ({ index, isNew: false, available: false })) };
}

/** Builds the state from the status only. The controller goes down from the highest index, so the updated pods have the highest indexes. */
function buildStateFromStatus(
  { replicas }: InitialStateQuery,
  { target, current, last, isUnderWay, isSameTemplate, updated }: KnownRevisions,
): StatefulSetState {
  if (!isUnderWay) return { updatedFrom: isSameTemplate ? 0 : replicas };
  const firstUpdated = replicas - updated;
  if (isSameTemplate || target === last) return { updatedFrom: firstUpdated };
  if (target === undefined || target !== current || replicas > MAX_LISTED_ROWS) return {};
  const pods = Array.from({ length: replicas }, (_, index) => ({ index, isNew: index < firstUpdated, available: true }));
  return { pods };
}

/** Counts the pods that the status shows as not available; undefined if it does not show that. */
function countUnreadyByStatus({ manifest, replicas, isLive }: InitialStateQuery): number | undefined {
  const status = getFieldsAt(manifest, 'status');
  const ready = toCount(status.availableReplicas) ?? toCount(status.readyReplicas);
  return isLive && ready !== undefined ? Math.max(0, replicas - ready) : undefined;
}

function countOldPods({ updatedFrom, pods }: StatefulSetState, before: number): number {
  return pods ? pods.filter(({ index, isNew }) => index < before && !isNew).length : Math.min(before, updatedFrom ?? before);
}

function listInitialRevisions(query: InitialStateQuery, pods: readonly Manifest[], knownRevisions: KnownRevisions): InitialRevision[] {
  const { manifest, replicas, isLive } = query;
  const status = getFieldsAt(manifest, 'status');
  if (pods.length > 0) {
    const hashes = [...new Set(pods.map(revisionLabelOf))];
    return hashes.map((hash) => {
      const own = pods.filter((pod) => revisionLabelOf(pod) === hash);
      return { ...(typeof hash === 'string' && { revision: hash }), replicas: own.length, available: own.filter(isPodReady).length };
    });
  }
  const ready = toCount(status.availableReplicas) ?? toCount(status.readyReplicas) ?? replicas;
  const available = isLive ? Math.min(replicas, ready) : replicas;
  if (!knownRevisions.isUnderWay)
    return replicas === 0 ? [] : [{ ...(knownRevisions.last && isLive && { revision: knownRevisions.last }), replicas, available }];
  const oldAvailable = Math.min(replicas - knownRevisions.updated, available);
  return [
    { revision: String(knownRevisions.current), replicas: replicas - knownRevisions.updated, available: oldAvailable },
    { revision: String(knownRevisions.last), replicas: knownRevisions.updated, available: available - oldAvailable },
  ].filter((revision) => revision.replicas > 0);
}

/** Returns the ordinal of the pod that the current rollout replaced last, if a pod is unavailable and no pods are in the input. */
function findLastReplacedOrdinal(query: InitialStateQuery, knownRevisions: KnownRevisions): number | undefined {
  const { manifest, replicas } = query;
  if (!knownRevisions.isUnderWay || knownRevisions.updated === 0 || !countUnreadyByStatus(query)) return undefined;
  return firstOrdinalOf(manifest) + replicas - knownRevisions.updated;
}

/**
 * Reports whether the strategy holds the other pods on the old revision, so that the controller has nothing more to do.
 * Source: kubectl pkg/polymorphichelpers/rollout_status.go ("partitioned roll out complete").
 */
function isHeldOnPurpose({ manifest, replicas }: InitialStateQuery, { updated }: KnownRevisions): boolean {
  if ((toCount(getValueAt(manifest, 'status', 'readyReplicas')) ?? 0) < replicas) return false;
  const strategy = getFieldsAt(manifest, 'spec', 'updateStrategy');
  if (strategy.type === 'OnDelete') return true;
  return updated >= replicas - (toCount(getValueAt(strategy, 'rollingUpdate', 'partition')) ?? 0);
}

/** Resolves the initial state of a StatefulSet. */
export function resolveStatefulSetState(query: InitialStateQuery): WorkloadInitialState {
  const { manifest, replicas, isLive, owned } = query;
  const knownRevisions = resolveRevisions(query);
  const pods = isLive ? owned.ownedBy(manifest, 'Pod') : [];
  const podStates = listPodStates(query, pods, knownRevisions);
  const point: StatefulSetState =
    podStates.length > 0 ? { pods: podStates } : (listDownPods(query, knownRevisions) ?? buildStateFromStatus(query, knownRevisions));
  const isCurrentNew = knownRevisions.target !== undefined && knownRevisions.target === knownRevisions.current;
  const isUnobserved = isLive && hasUnobservedGeneration(manifest);
  const isUnderWay = isUnobserved || (knownRevisions.isUnderWay && !isHeldOnPurpose(query, knownRevisions));
  const health = isLive ? resolveHealth(manifest, isUnderWay) : undefined;
  const unready = podStates.length === 0 ? (countUnreadyByStatus(query) ?? 0) : 0;
  const isDown = unready > 0 && unready === replicas;
  const suspectedOrdinal =
    podStates.length > 0 || knownRevisions.isSameTemplate ? undefined : findLastReplacedOrdinal(query, knownRevisions);
  return {
    rolloutState: {
      replicas,
      revisions: listInitialRevisions(query, pods, knownRevisions),
      underWay: isUnderWay,
      ...(health && { health }),
    },
    startingPoint: {
      before: replicas,
      ...(isDown && { unready: replicas }),
      stateful: { ...point, firstOrdinal: firstOrdinalOf(manifest), ...(isCurrentNew && { isCurrentNew }) },
    },
    oldPods: countOldPods(point, replicas),
    ...(suspectedOrdinal !== undefined && { waitsPerhapsFor: suspectedOrdinal }),
    ...(isDown && !knownRevisions.isUnderWay && !knownRevisions.isSameTemplate && { waitsPerhapsFor: firstOrdinalOf(manifest) }),
    ...(unready > 0 && !knownRevisions.isSameTemplate && { unreadyPods: unready }),
  };
}
