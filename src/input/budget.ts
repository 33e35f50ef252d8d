import type { BudgetName, ReadingBudget } from '../core/reading-problem';

/** What planning may take. */
export interface PlanBudget {
  /** Of the plan, as JSON without blanks. @default 200 */
  readonly 'output-megabytes': number;
  /** For planning; reading may take as many of its own. @default 300 */
  readonly seconds: number;
}

/** What reading and planning may take, all files of a run together. */
export interface RunBudget extends PlanBudget {
  /** Of one file. @default 100 */
  readonly 'file-megabytes': number;
  /** Of all files. @default 1000 */
  readonly 'total-megabytes': number;
  /** Of what aliases stand for, written out, in all documents. @default 10 */
  readonly 'alias-megabytes': number;
}

export const DEFAULT_BUDGET: RunBudget = {
  'file-megabytes': 100,
  'total-megabytes': 1_000,
  'alias-megabytes': 10,
  'output-megabytes': 200,
  seconds: 300,
};

/** The names of the budgets. */
export const BUDGETS = Object.keys(DEFAULT_BUDGET) as readonly BudgetName[];

/** Bytes. */
export const MEGABYTE = 1_000_000;

/** Thrown where aliases stand for more than they may. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
}

/** What a run has taken of its budget so far. */
export class Spending {
  private bytes = 0;
  private aliased = 0;
  private readonly began: number;

  constructor(
    readonly budget: RunBudget = DEFAULT_BUDGET,
    private readonly now: () => number = Date.now,
  ) {
    this.began = now();
  }

  /** Which budget a file exceeds, if it does; then nothing is taken of it. */
  takeFile(bytes: number): ReadingBudget | undefined {
    if (bytes > this.budget['file-megabytes'] * MEGABYTE) return 'file-megabytes';
    if (this.bytes + bytes > this.budget['total-megabytes'] * MEGABYTE) return 'total-megabytes';
    if (this.isLate()) return 'seconds';
    this.bytes += bytes;
    return undefined;
  }

  /** Has reading taken longer than it may? */
  readonly isLate = (): boolean => this.now() - this.began > this.budget.seconds * 1_000;

  /**
   * Takes the characters that an alias stands for.
   *
   * @throws BudgetError where that is too many
   */
  takeAliased(characters: number): void {
    this.aliased += characters;
    if (this.aliased > this.budget['alias-megabytes'] * MEGABYTE) throw new BudgetError();
  }
}
