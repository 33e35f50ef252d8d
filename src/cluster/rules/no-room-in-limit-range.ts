import { at } from '../../core/field-path';
import { message, partOf } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { listedFirst } from '../../core/words';
import type { FirstNames } from '../../core/words';
import type { NamesOfPods } from '../added-pods';
import type { PlanContext } from '../context';
import { limitRangeName } from '../room/limit-range-refusal';
import type { ResourceLimit } from '../room/limits';
import type { PodSet } from '../workload';
import { noRoom } from './no-room';

interface NarrowedData {
  /** `LimitRange "defaults"` */
  readonly limitRange: string;
  /** Whose pods it refuses. */
  readonly of: FirstNames;
  /** Why it refuses those of the first, as the server says it. */
  readonly words: string;
}

/** What is said of a LimitRange that an apply makes or changes, and that refuses pods like those that run. */
export const noRoomInLimitRange = partOf(noRoom, {
  narrowed: message<NarrowedData>({
    text: ({ limitRange, of, words }) =>
      `${limitRange} refuses pods like those of ${listedFirst(of)} from now on (${words}). None of them goes for that, ` +
      'but one that goes for another reason, such as an eviction or a rollout, is refused when it is to be made anew.',
    help: ({ limitRange }) => `Let ${limitRange} allow what these pods ask for, or change their resources first.`,
    sample: {
      limitRange: 'LimitRange "defaults"',
      of: { names: ['Deployment shop/web'] },
      words: 'maximum cpu usage per Container is 2, but limit is 4',
    },
  }),
});

/** Do pods of a set run before the apply and after it, none of which it replaces? */
function staysAsItIs(podSet: PodSet): boolean {
  const { replicas, running = replicas, isNew } = podSet;
  const rolls = 'rollout' in podSet && podSet.rollout !== undefined;
  return !rolls && !isNew && Math.min(replicas, running) > 0;
}

/** LimitRanges that an apply makes or changes, and that refuse pods like those that run before it and after it. */
export function changedLimitRangeFindings(limits: readonly ResourceLimit[], context: PlanContext, namesOf: NamesOfPods): Finding[] {
  const { isChanged } = context;
  if (!isChanged) return [];
  const byRange = new Map<Manifest, { readonly words: string; readonly podSets: PodSet[] }>();
  for (const { limitRange, refusal, perPod } of limits) {
    if (!limitRange || refusal?.kind !== 'limit-range' || !isChanged(limitRange)) continue;
    const staying = [...perPod.keys()].filter(staysAsItIs);
    if (staying.length === 0) continue;
    const known = byRange.get(limitRange) ?? { words: refusal.words, podSets: [] };
    for (const podSet of staying) known.podSets.push(podSet);
    byRange.set(limitRange, known);
  }
  return [...byRange].flatMap(([limitRange, { words, podSets }]) => {
    const of = namesOf(podSets, '');
    if (!of) return [];
    const path = at`spec.limits`;
    const source = context.locate(limitRange, path);
    const data = { limitRange: limitRangeName(limitRange), of, words };
    return [noRoomInLimitRange.finding('narrowed', { path, severity: 'warning', data, ...(source && { source }) })];
  });
}
