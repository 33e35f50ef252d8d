/**
 * Values of the priority classes of the cluster's own pods, in ascending order. Every cluster has them, and none is its default. Source: k/k
 * pkg/apis/scheduling/v1/helpers.go, `systemPriorityClasses`.
 */
export const SYSTEM_PRIORITIES: ReadonlyMap<unknown, number> = new Map([
  ['system-cluster-critical', 2_000_000_000],
  ['system-node-critical', 2_000_001_000],
]);
