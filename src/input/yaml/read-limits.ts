import { checkTimeNow } from '../../core/budget/deadline';

/** Number of nodes that the full reader reads between two checks of the time budget. */
export const NODES_PER_TIME_CHECK = 10_000;

/** Limits that all documents of a run share. `BudgetTracker` implements them. */
export interface ReadLimits {
  /** Budgets, which the error of an exceeded one names. */
  readonly budget: { readonly seconds: number; readonly 'alias-megabytes': number };
  /** Reports whether the time budget is exceeded. */
  readonly isLate: () => boolean;
  /** Charges the characters that an alias expands to, and reports whether all aliases are within their budget. */
  chargeAlias(characters: number): boolean;
}

/** Limits of a text that is a small part of a run: the time of the work that runs now. Expanded aliases have only the limit of their number. */
export const WITHIN_TIME: ReadLimits = {
  budget: { seconds: Infinity, 'alias-megabytes': Infinity },
  isLate: () => {
    checkTimeNow();
    return false;
  },
  chargeAlias: () => true,
};
