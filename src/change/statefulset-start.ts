import type { StartingRevision } from '../core/rollout-start';
import { fieldsAt, nameOf, valueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import type { StatefulPodState, StatefulPoint } from '../cluster/starting-point';
import { MAX_ROWS } from '../core/simulations/shown-rows';
import { count, healthOf, isReady, isUnseen, numberIn, revisionLabelOf, revisionOf } from './workload-start';
import type { StartQuery, WorkloadStart } from './workload-start';

/** The index behind the last dash of a pod's name. */
function ordinalOf(pod: Manifest): number | undefined {
  const name = nameOf(pod);
  return numberIn(name.slice(name.lastIndexOf('-') + 1));
}

/** What is known of a set's revisions. */
interface Revisions {
  /** The one whose template NEW has; undefined where it is a new one. */
  readonly wanted?: string;
  /** Of status.currentRevision and status.updateRevision. */
  readonly current?: string;
  readonly last?: string;
  readonly isUnderWay: boolean;
  /** Has NEW the template that OLD has? */
  readonly equalsLast: boolean;
  /** Pods of the last revision. */
  readonly updated: number;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function revisionsOf(query: StartQuery): Revisions {
  const { given, replicas, isLive, isSameTemplate: equalsLast } = query;
  const status: Fields = isLive ? fieldsAt(given, 'status') : {};
  const current = text(status.currentRevision);
  const last = text(status.updateRevision);
  const found = isLive ? revisionOf(query) : undefined;
  const wanted = (found && nameOf(found)) ?? (equalsLast ? last : undefined);
  const isUnderWay = current !== undefined && last !== undefined && current !== last;
  const updated = isUnderWay ? Math.min(replicas, count(status.updatedReplicas) ?? 0) : replicas;
  return { ...(wanted && { wanted }), ...(current && { current }), ...(last && { last }), isUnderWay, equalsLast, updated };
}

/** The pods that are in view, by their index. */
function podsInView({ given }: StartQuery, pods: readonly Manifest[], { wanted }: Revisions): StatefulPodState[] {
  const first = count(valueAt(given, 'spec', 'ordinals', 'start')) ?? 0;
  return pods.flatMap((pod) => {
    const ordinal = ordinalOf(pod);
    if (ordinal === undefined || ordinal < first) return [];
    return [{ index: ordinal - first, isNew: wanted !== undefined && revisionLabelOf(pod) === wanted, available: isReady(pod) }];
  });
}

/** Where the status alone tells: the controller goes from the highest index down, so the updated pods are those on top. */
function pointByStatus({ replicas }: StartQuery, { wanted, current, last, isUnderWay, equalsLast, updated }: Revisions): StatefulPoint {
  if (!isUnderWay) return { updatedFrom: equalsLast ? 0 : replicas };
  const firstUpdated = replicas - updated;
  if (equalsLast || wanted === last) return { updatedFrom: firstUpdated };
  if (wanted === undefined || wanted !== current || replicas > MAX_ROWS) return {};
  const pods = Array.from({ length: replicas }, (_, index) => ({ index, isNew: index < firstUpdated, available: true }));
  return { pods };
}

function oldPodsOf({ updatedFrom, pods }: StatefulPoint, before: number): number {
  return pods ? pods.filter(({ index, isNew }) => index < before && !isNew).length : Math.min(before, updatedFrom ?? before);
}

function startingRevisions(query: StartQuery, pods: readonly Manifest[], known: Revisions): StartingRevision[] {
  const { given, replicas, isLive } = query;
  const status = fieldsAt(given, 'status');
  if (pods.length > 0) {
    const hashes = [...new Set(pods.map(revisionLabelOf))];
    return hashes.map((hash) => {
      const own = pods.filter((pod) => revisionLabelOf(pod) === hash);
      return { ...(typeof hash === 'string' && { revision: hash }), replicas: own.length, available: own.filter(isReady).length };
    });
  }
  const ready = count(status.availableReplicas) ?? count(status.readyReplicas) ?? replicas;
  const available = isLive ? Math.min(replicas, ready) : replicas;
  if (!known.isUnderWay) return replicas === 0 ? [] : [{ ...(known.last && isLive && { revision: known.last }), replicas, available }];
  const oldAvailable = Math.min(replicas - known.updated, available);
  return [
    { revision: String(known.current), replicas: replicas - known.updated, available: oldAvailable },
    { revision: String(known.last), replicas: known.updated, available: available - oldAvailable },
  ].filter((revision) => revision.replicas > 0);
}

/** The ordinal of the pod that a rollout under way has replaced last, where some pod is not available and none is in view. */
function replacedLast({ given, replicas, isLive }: StartQuery, known: Revisions): number | undefined {
  const status = fieldsAt(given, 'status');
  const ready = count(status.availableReplicas) ?? count(status.readyReplicas);
  if (!isLive || !known.isUnderWay || known.updated === 0 || ready === undefined || ready >= replicas) return undefined;
  return (count(valueAt(given, 'spec', 'ordinals', 'start')) ?? 0) + replicas - known.updated;
}

/** Where a StatefulSet stands. */
export function statefulSetStart(query: StartQuery): WorkloadStart {
  const { given, replicas, isLive, owned } = query;
  const known = revisionsOf(query);
  const pods = isLive ? owned.of(given, 'Pod') : [];
  const inView = podsInView(query, pods, known);
  const point: StatefulPoint = inView.length > 0 ? { pods: inView } : pointByStatus(query, known);
  const isCurrentNew = known.wanted !== undefined && known.wanted === known.current;
  const isUnderWay = known.isUnderWay || (isLive && isUnseen(given));
  const health = isLive ? healthOf(given, isUnderWay) : undefined;
  const waits = inView.length > 0 || known.equalsLast ? undefined : replacedLast(query, known);
  return {
    start: {
      replicas,
      revisions: startingRevisions(query, pods, known),
      underWay: isUnderWay,
      ...(health && { health }),
    },
    point: { before: replicas, stateful: { ...point, ...(isCurrentNew && { isCurrentNew }) } },
    oldPods: oldPodsOf(point, replicas),
    ...(waits !== undefined && { waitsPerhapsFor: waits }),
  };
}
