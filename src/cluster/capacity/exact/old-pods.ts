import type { Fields } from '../../../core/manifest';
import { getFieldsAt, nameOf } from '../../../core/manifest';
import type { PodSet } from '../../workload';
import { formatAmounts } from '../amounts';
import { computePodFootprint } from '../pod-requests';
import type { RolloutProcess } from './rollout-process';
import type { RunningPod } from './running-pods';
import type { Surroundings } from './surroundings';

/** Returns a key of what a pod requests. */
export function formatFootprint(podSpec: unknown): string {
  return formatAmounts(computePodFootprint(podSpec));
}

/** The old pods of a rollout. */
export interface OldPods {
  readonly spec: Fields | undefined;
  readonly labels: Fields;
  /** Pods on known nodes. Undefined if it is not known where all of them are. */
  readonly located?: readonly RunningPod[];
}

/** Reports whether all pods request the same. */
export function areAlike(pods: readonly RunningPod[]): boolean {
  const first = formatFootprint(pods[0]!.spec);
  return pods.every(({ spec }) => formatFootprint(spec) === first);
}

/** Returns the pods with these ordinals in their names, in this order. */
function selectOrdinals(pods: readonly RunningPod[], ordinals: readonly number[]): readonly RunningPod[] | undefined {
  const byOrdinal = new Map(pods.map((pod) => [/-(\d+)$/.exec(nameOf(pod.pod))?.[1], pod]));
  const selected = ordinals.flatMap((ordinal) => byOrdinal.get(`${ordinal}`) ?? []);
  return selected.length === ordinals.length ? selected : undefined;
}

/** Resolves the old pods: the live ones if all of them are known, or else those of the template before the apply. */
export function resolveOldPods(podSet: PodSet, process: RolloutProcess, surroundings: Surroundings | undefined): OldPods | undefined {
  const live = surroundings?.allOwnPods.get(podSet) ?? [];
  const template = podSet.oldTemplate;
  const templateSpec = template && getFieldsAt(template, 'spec');
  const templateLabels = getFieldsAt(template ?? podSet.template, 'metadata', 'labels');
  if (live.length === 0) return { spec: templateSpec, labels: templateLabels };
  // Pods that are deleted, wait or differ are no steady state.
  if (live.length !== podSet.replicas || live.some(({ isTerminating }) => isTerminating)) return undefined;
  const replaced = process.kind === 'ordered' ? selectOrdinals(live, process.ordinals) : live;
  if (!replaced || !areAlike(replaced)) return undefined;
  // The nodes of a DaemonSet are compared on their own.
  const onKnownNodes = surroundings?.ownPods.get(podSet)?.length ?? 0;
  // A capacity may replace all nodes of the pods.
  const nodesAreKnown = !podSet.onePerNode && (surroundings?.pools.length ?? 0) > 0 && onKnownNodes > 0;
  if (nodesAreKnown && onKnownNodes !== live.length) return undefined;
  const [{ spec, labels }] = replaced as [RunningPod];
  // The name of a node is of one pod only.
  return { spec: { ...spec, nodeName: undefined }, labels, ...(nodesAreKnown && { located: replaced }) };
}
