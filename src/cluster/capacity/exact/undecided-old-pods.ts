import type { Fields } from '../../../core/manifest';
import { getFieldsAt, getListAt, getValueAt } from '../../../core/manifest';
import type { PodSet } from '../../workload';
import type { CapacityEvaluation } from '../rollout-capacity';
import { buildUncertainEvaluation } from '../uncertain-evaluation';
import { buildFittingResult, formatShortage } from '../shortage';
import { joinWords } from '../../../core/text-format';
import { formatFootprint } from './old-pods';

/** The reason if old pods differ from new ones and only numbers of pods were compared. */
const OLD_REQUESTS = 'old pods with other requests';
const OLD_CONSTRAINTS = 'old pods with other node constraints';

/** Returns a key of the nodes that a pod accepts. */
export function formatConstraints({ nodeSelector, affinity, tolerations }: Fields): string {
  return JSON.stringify([nodeSelector, affinity, tolerations]);
}

/** Returns a key of the nodes that a pod accepts, without the tolerations of conditions, which the API server and controllers add. */
export function formatNodeRules(spec: Fields): string {
  const tolerations = getListAt(spec, 'tolerations').filter((each) => !String(getValueAt(each, 'key')).startsWith('node.kubernetes.io/'));
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
