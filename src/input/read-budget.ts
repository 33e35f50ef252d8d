import type { BudgetName, ReadBudgetName } from '../core/findings/input-problem';
import { Deadline } from '../core/budget/deadline';
import { recordLateClock } from '../core/budget/late-clocks';
import type { ReadLimits } from './yaml';

/** Budget for planning. */
export interface PlanBudget {
  /** Maximum size of the plan, as JSON without whitespace. @default 200 */
  readonly 'output-megabytes': number;
  /** Maximum time for planning. Reading has its own budget of the same size. @default 300 */
  readonly seconds: number;
}

/** Budget for reading and planning all files of a run. */
export interface RunBudget extends PlanBudget {
  /** Maximum size of one file, at most 500. @default 100 */
  readonly 'file-megabytes': number;
  /** Maximum size of all files. @default 1000 */
  readonly 'total-megabytes': number;
  /** Maximum size of the expanded aliases of all documents. A plan may be ten times as large. @default 2 */
  readonly 'alias-megabytes': number;
}

export const DEFAULT_BUDGET: RunBudget = {
  'file-megabytes': 100,
  'total-megabytes': 1_000,
  'alias-megabytes': 2,
  'output-megabytes': 200,
  seconds: 300,
};

export const BUDGET_NAMES = Object.keys(DEFAULT_BUDGET) as readonly BudgetName[];

export const BYTES_PER_MEGABYTE = 1_000_000;

/** Tracks how much of its budget a run has used. */
export class BudgetTracker implements ReadLimits {
  private bytes = 0;
  private aliasCharacters = 0;
  private readonly startedAt: number;

  /** @param onLate - what to do if the time is exceeded */
  constructor(
    readonly budget: RunBudget = DEFAULT_BUDGET,
    private readonly now: () => number = Date.now,
    private readonly onLate: () => void = recordLateClock,
  ) {
    this.startedAt = now();
  }

  /** Charges a file. If it exceeds a budget, returns the name of the budget and charges nothing. */
  chargeFile(bytes: number): ReadBudgetName | undefined {
    if (this.isLate()) return 'seconds';
    if (bytes > this.budget['file-megabytes'] * BYTES_PER_MEGABYTE) return 'file-megabytes';
    if (this.bytes + bytes > this.budget['total-megabytes'] * BYTES_PER_MEGABYTE) return 'total-megabytes';
    this.bytes += bytes;
    return undefined;
  }

  /** Does work that does not read files one by one within the time that is left. @throws DeadlineError if it takes longer */
  limit<Result>(work: () => Result): Result {
    return new Deadline(this.budget.seconds - (this.now() - this.startedAt) / 1_000, this.now).limit(work);
  }

  /** Reports whether the time budget is exceeded. */
  readonly isLate = (): boolean => {
    const isLate = this.now() - this.startedAt > this.budget.seconds * 1_000;
    if (isLate) this.onLate();
    return isLate;
  };

  chargeAlias(characters: number): boolean {
    this.aliasCharacters += characters;
    return this.aliasCharacters <= this.budget['alias-megabytes'] * BYTES_PER_MEGABYTE;
  }
}
