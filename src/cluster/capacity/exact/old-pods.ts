import { getFieldsAt, nameOf, getListAt, getValueAt } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { joinWords } from '../../../core/text/text-format';
import type { PodSet } from '../../rollout/pod-set';
import { formatAmounts } from '../amounts';
import { buildUncertainEvaluation } from '../capacity-evaluation';
import type { CapacityEvaluation } from '../capacity-evaluation';
import { computePodFootprint } from '../pod-requests';
import { buildFittingResult, formatShortage } from '../shortage';
import type { RunningPod } from '../surroundings/running-pods';
import type { Surroundings } from '../surroundings/surroundings';
import type { RolloutProcess } from './rollout-process';
import { toSafeText } from '../../../core/text/value-text';

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
  const { replicas, running = replicas } = podSet;
  if (live.length !== running || live.some(({ isTerminating }) => isTerminating)) return undefined;
  const replaced = process.kind === 'ordered' ? selectOrdinals(live, process.ordinals) : live;
  if (!replaced || !areAlike(replaced)) return undefined;
  // The nodes of a DaemonSet are compared on their own.
  const onKnownNodes = surroundings?.ownPods.get(podSet)?.length ?? 0;
  // A capacity may replace all nodes of the pods.
  const nodesAreKnown = !podSet.onePerNode && (surroundings?.pools.length ?? 0) > 0 && onKnownNodes > 0;
  // Which of the pods on these nodes a smaller number of replicas deletes is not known.
  if (nodesAreKnown && (onKnownNodes !== live.length || running > replicas)) return undefined;
  const [{ spec, labels }] = replaced as [RunningPod];
  // The name of a node is of one pod only.
  return { spec: { ...spec, nodeName: undefined }, labels, ...(nodesAreKnown && { located: replaced }) };
}

/** The reason if old pods differ from new ones and only numbers of pods were compared. */
export const OLD_REQUESTS = 'old pods with other requests';
export const OLD_CONSTRAINTS = 'old pods with other node constraints';

/** Returns a key of the nodes that a pod accepts. */
export function formatConstraints({ nodeSelector, affinity, tolerations }: Fields): string {
  return JSON.stringify([nodeSelector, affinity, tolerations]);
}

/** Returns a key of the nodes that a pod accepts, without the tolerations of conditions, which the API server and controllers add. */
export function formatNodeRules(spec: Fields): string {
  const tolerations = getListAt(spec, 'tolerations').filter(
    (each) => !toSafeText(getValueAt(each, 'key')).startsWith('node.kubernetes.io/'),
  );
  return formatConstraints({ ...spec, tolerations });
}

/**
 * Returns an evaluation that takes old pods for new ones, as uncertain if they differ in what decides.
 *
 * 4 old pods of 1 GPU and 5 new ones of 2 GPUs deadlock at a quota of 11 if the old pods request 2 GPUs too, and fit as they are.
 *
 * @param exceedsLimit whether the new pods alone exceed a limit, so that the rollout deadlocks whatever the old ones request
 */
export function withUndecidedOldPods(
  { template, oldTemplate }: PodSet,
  base: CapacityEvaluation,
  exceedsLimit: () => boolean,
): CapacityEvaluation {
  if (oldTemplate === undefined) return base;
  const [old, next] = [getFieldsAt(oldTemplate, 'spec'), getFieldsAt(template, 'spec')];
  const { verdict, peakPods, podsThatFit, shortage } = base.verdict;
  const isByLimit = shortage?.kind === 'quota' || shortage?.kind === 'capacity';
  const isWithoutNode = shortage?.kind === 'labels' || shortage?.kind === 'taints';
  const because = [
    ...(!isWithoutNode && formatFootprint(old) !== formatFootprint(next) ? [OLD_REQUESTS] : []),
    ...(!isByLimit && formatConstraints(old) !== formatConstraints(next) ? [OLD_CONSTRAINTS] : []),
  ];
  if (because.length === 0 || verdict === 'may-not-fit' || (verdict === 'deadlocks' && exceedsLimit())) return base;
  const message = shortage
    ? `May not fit: ${formatShortage(shortage, 'with old pods like the new ones it peaks at')}, and plans do not model ${joinWords(because)}.`
    : buildFittingResult(peakPods, podsThatFit, because).message;
  return buildUncertainEvaluation({ peakPods, podsThatFit, because, message });
}
