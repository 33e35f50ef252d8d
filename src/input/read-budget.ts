import type { BudgetName, ReadBudgetName } from '../core/input-problem';

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
export const BUDGET_NAMES = Object.keys(DEFAULT_BUDGET) as readonly BudgetName[];

/** Bytes. */
export const BYTES_PER_MEGABYTE = 1_000_000;

/** Thrown where aliases stand for more than they may. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
}

/** What a run has taken of its budget so far. */
export class BudgetTracker {
  private bytes = 0;
  private aliasCharacters = 0;
  private readonly startedAt: number;

  constructor(
    readonly budget: RunBudget = DEFAULT_BUDGET,
    private readonly now: () => number = Date.now,
  ) {
    this.startedAt = now();
  }

  /** Which budget a file exceeds, if it does; then nothing is taken of it. */
  chargeFile(bytes: number): ReadBudgetName | undefined {
    if (bytes > this.budget['file-megabytes'] * BYTES_PER_MEGABYTE) return 'file-megabytes';
    if (this.bytes + bytes > this.budget['total-megabytes'] * BYTES_PER_MEGABYTE) return 'total-megabytes';
    if (this.isLate()) return 'seconds';
    this.bytes += bytes;
    return undefined;
  }

  /** Has reading taken longer than it may? */
  readonly isLate = (): boolean => this.now() - this.startedAt > this.budget.seconds * 1_000;

  /**
   * Takes the characters that an alias stands for.
   *
   * @throws BudgetError where that is too many
   */
  chargeAlias(characters: number): void {
    this.aliasCharacters += characters;
    if (this.aliasCharacters > this.budget['alias-megabytes'] * BYTES_PER_MEGABYTE) throw new BudgetError();
  }
}
