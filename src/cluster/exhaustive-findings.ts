import type { Finding } from '../core/finding';

declare const BY_TABLE: unique symbol;

/**
 * What is said of pods by a table that has a check, or a reason for none, for each rule that all pods share.
 *
 * `checked` of workloads/checks.ts alone makes it: whatever replaces pods, one by one, in groups or with a second cluster, does not compile
 * without such a table.
 */
export type ExhaustiveFindings = readonly Finding[] & { readonly [BY_TABLE]: true };
