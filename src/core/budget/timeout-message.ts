import { pluralize } from '../text/text-format';

/** What a message about exceeded seconds says next to the work and the seconds. */
export interface TimeoutDetails {
  /** What follows from it: `so nothing is written`. */
  readonly effect?: string;
  /** What makes the work smaller: `name fewer files`. */
  readonly reduce?: string;
  /** How the user gives the work more time. @default - by the budget of the run */
  readonly raise?: string;
}

/** Formats that work takes more than its seconds: `rendering takes more than 5 seconds; raise the budget with --budget seconds=10, if you trust this input`. */
export function formatTimeout(work: string, seconds: number, { effect, reduce, raise }: TimeoutDetails = {}): string {
  const problem = [`${work} takes more than ${pluralize(seconds, 'second')}`, effect].filter(Boolean).join(', ');
  const raiseBudget = `raise the budget with --budget seconds=${2 * seconds}, if you trust this input`;
  return `${problem}; ${[reduce, raise ?? raiseBudget].filter(Boolean).join(', or ')}`;
}
