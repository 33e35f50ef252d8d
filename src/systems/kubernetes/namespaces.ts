import type { Workload } from '../../core/workload';

/** Workloads by namespace; those without one stand under the empty name. */
export function workloadsByNamespace(workloads: readonly Workload[]): ReadonlyMap<string, readonly Workload[]> {
  const byNamespace = new Map<string, Workload[]>();
  for (const workload of workloads) {
    const namespace = workload.namespace ?? '';
    const known = byNamespace.get(namespace);
    if (known) known.push(workload);
    else byNamespace.set(namespace, [workload]);
  }
  return byNamespace;
}
