import type { Finding } from '../../core/findings/finding';

declare const BY_TABLE: unique symbol;

/**
 * Findings from a table that has a check, or a reason for none, for each rule that all rollouts share.
 *
 * Only `runChecks` of workloads/rule-table.ts creates it. A system that replaces pods, one by one, in groups or with a second cluster, does not compile without
 * such a table.
 */
export type ExhaustiveFindings = readonly Finding[] & { readonly [BY_TABLE]: true };
