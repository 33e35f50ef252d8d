import type { Finding } from '../core/finding';
import { nameOf, namespaceOf } from '../core/manifest';
import { resourceOf } from '../core/rollout';
import type { PlannedRollout, ResourceRef } from '../core/rollout';
import { MOST_NAMED } from '../core/words';
import type { FirstNames } from '../core/words';
import { together } from '../core/together';
import type { PlanContext } from './context';
import type { Limits } from './room/rollout-room';
import { otherPods } from './room/other-pods';
import type { OtherPods } from './room/other-pods';
import { besideOthers } from './room/beside-others';
import { podsThatStay } from './room/limits';
import { scaleRoom } from './room/scale-room';
import type { AddedPods, ScaleRoom } from './room/scale-room';
import { noRoomForAddedFindings } from './rules/no-room-for-added';
import type { AddedTo } from './rules/no-room-for-added';
import { podSetsOf, workloadIn } from './workload';
import type { PodSet, SystemRollout } from './workload';

function isAdded({ replicas, running = replicas }: PodSet): boolean {
  return running < replicas;
}

/** Does nothing of it roll out, so that its pods are at most added to? */
function isAtRest({ pods }: SystemRollout): boolean {
  if (pods === undefined) return false;
  if (pods.of === 'workload') return pods.workload.rollout === undefined;
  return pods.of === 'groups' ? pods.groups.rows.length === 0 : pods.clusters.rows.length <= 1;
}

/**
 * The pods that an apply adds to those of an object that does not roll out; of a plan without an apply all that such an object wants,
 * as of a Deployment that is paused. Undefined where none is added.
 */
function addedPodsOf(rollout: SystemRollout, { changedPods }: PlanContext): AddedPods | undefined {
  if (!isAtRest(rollout)) return undefined;
  const podSets = podSetsOf(rollout);
  if (changedPods) return podSets.some(isAdded) ? { podSets, staying: podSets.map(podsThatStay) } : undefined;
  if (rollout.pods?.of !== 'workload' || podSets.every(({ replicas }) => replicas === 0)) return undefined;
  return { podSets, staying: podSets.map(() => 0) };
}

/** The room for the pods that are added to each object; those that nothing limits are left out. */
export function roomForAdded(
  planned: readonly SystemRollout[],
  limits: Limits,
  context: PlanContext,
): ReadonlyMap<SystemRollout, ScaleRoom> {
  const rooms = new Map<SystemRollout, ScaleRoom>();
  for (const rollout of planned) {
    context.deadline?.check();
    const added = addedPodsOf(rollout, context);
    const room = added && besideOthers(scaleRoom, added, limits);
    // Where no apply is planned nobody knows whether pods that a quota refuses outright run already.
    if (room && (context.changedPods || !room.refusal)) rooms.set(rollout, room);
  }
  return rooms;
}

/** `Deployment shop/web`. */
export function resourceName({ kind, namespace, name, component }: ResourceRef): string {
  const part = component === undefined ? '' : ` (${component})`;
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}${part}`;
}

function nameOfOther({ object }: OtherPods): string {
  return resourceName(resourceOf(object, nameOf(object), namespaceOf(object)));
}

/** The objects of sets of pods as a sentence names them, but for the one that it is about; undefined where there is no other. */
export type NamesOfPods = (podSets: readonly PodSet[], own: string) => FirstNames | undefined;

/** The names of all objects by their sets of pods; made once the first of them is asked for, and those of one list of sets once. */
export function namesOfPods(planned: readonly SystemRollout[], context: PlanContext): NamesOfPods {
  let byPodSet: ReadonlyMap<PodSet, string> | undefined;
  const all = () => [
    ...planned.flatMap((rollout) => podSetsOf(rollout).map((podSet) => [podSet, resourceName(rollout.resource)] as const)),
    ...otherPods(context).map((other) => [other.podSet, nameOfOther(other)] as const),
  ];
  const known = new Map<readonly PodSet[], ReadonlySet<string>>();
  return (podSets, own) => {
    byPodSet ??= new Map(all());
    const names = known.get(podSets) ?? new Set(podSets.flatMap((podSet) => byPodSet!.get(podSet) ?? []));
    known.set(podSets, names);
    return firstOthers(names, own);
  };
}

function firstOthers(names: ReadonlySet<string>, own: string): FirstNames | undefined {
  const first: string[] = [];
  for (const name of names) {
    if (name !== own) first.push(name);
    if (first.length === MOST_NAMED) break;
  }
  const more = names.size - (names.has(own) ? 1 : 0) - first.length;
  if (first.length === 0) return undefined;
  return more > 0 ? { names: first, more } : { names: first };
}

/** What is said of pods that an apply adds to what is no rollout: a Job, a ReplicaSet of its own, a bare Pod. */
export function addedElsewhereFindings(limits: Limits, context: PlanContext, names: NamesOfPods): Finding[] {
  if (!context.changedPods) return [];
  return otherPods(context).flatMap((other) => {
    const { object, podSet, sizePath: path } = other;
    if (!isAdded(podSet)) return [];
    context.deadline?.check();
    const staying = podsThatStay(podSet);
    const room = besideOthers(scaleRoom, { podSets: [podSet], staying: [staying] }, limits);
    if (!room) return [];
    const source = context.locate(object, path);
    const of = nameOfOther(other);
    const to = {
      path,
      of,
      pods: podSet.replicas,
      running: staying,
      inOrder: false,
      endsByItself: other.endsByItself,
      ...(source && { source }),
    };
    return noRoomForAddedFindings(to, room, names(room.others, of));
  });
}

function addedTo(rollout: SystemRollout): Pick<AddedTo, 'path' | 'inOrder' | 'groupSize'> | undefined {
  const { pods } = rollout;
  const workload = workloadIn(rollout);
  if (workload) return { path: workload.replicasPath ?? workload.sizePath, inOrder: workload.startsInOrder ?? false };
  if (pods?.of === 'clusters') return { path: pods.clusters.path, inOrder: false };
  if (pods?.of !== 'groups') return undefined;
  const { path, fewer } = pods.groups;
  return { path, inOrder: false, ...(fewer && { groupSize: fewer.perGroup.reduce((size, each) => size + each, 0) }) };
}

/** An object that does not roll out, with what becomes of the pods that are added to it. */
export function withAddedPods(
  own: PlannedRollout,
  rollout: SystemRollout,
  room: ScaleRoom | undefined,
  names: NamesOfPods,
): PlannedRollout {
  const to = addedTo(rollout);
  const podSets = podSetsOf(rollout);
  // Of pods that are known by their number alone it can't be said that they fit.
  const isKnown = room?.verdict.shortage !== undefined || podSets.every(({ countOnly }) => !countOnly);
  if (!room || !to || !isKnown) return own;
  const pods = podSets.reduce((sum, { replicas }) => sum + replicas, 0);
  const running = podSets.reduce((sum, podSet) => sum + podsThatStay(podSet), 0);
  const findings = noRoomForAddedFindings({ ...to, pods, running }, room, names(room.others, resourceName(rollout.resource)));
  return { ...own, room: room.verdict, findings: together(own.findings, findings) };
}
