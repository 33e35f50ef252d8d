import type { CheckedFindings } from '../cluster/checked-findings';
import type { Finding } from '../core/finding';
import type { Review } from './review';
import type { SharedCheck } from './rules';
import type { Settled } from './settled';

/** A rule that does not hold for a kind, and why. */
export interface NotFor {
  readonly because: string;
}

/** Says that a rule does not hold for a kind. `because` is for those who read the table. */
export function notFor(because: string): NotFor {
  return { because };
}

/**
 * A check for each rule that all pods share, and for those of its own, by code, or why there is none: what passes one over does not compile.
 *
 * Of a workload it takes a {@link Review}; a system whose pods are groups or clusters gives it what it knows of them.
 */
export type ChecksOf<R, Own extends string = never> = Readonly<Record<SharedCheck | Own, ((review: R) => Finding[]) | NotFor>>;

/** The checks of pods that are replaced one by one. */
export type CheckTable<S extends Settled, Own extends string = never> = ChecksOf<Review<S>, Own>;

/** What the rules of a table say, in its order. */
export function checked<R>(table: ChecksOf<R>, review: R): CheckedFindings {
  const found: Finding[] = [];
  for (const check of Object.values(table)) if (typeof check === 'function') for (const finding of check(review)) found.push(finding);
  // No other place may say this of findings: the type of the table is what it stands for.
  return found as readonly Finding[] as CheckedFindings;
}
