import type { Workload } from '../../core/workload';

/** A limit on what the pods of several workloads may use of one resource together. Amounts are in billionths. */
export interface ResourceLimit {
  /** `ResourceQuota "gpus"`, `capacity`. */
  readonly name: string;
  readonly resource: string;
  /** What there is for them all. */
  readonly total: bigint;
  /** What they use while nothing rolls out. */
  readonly steady: bigint;
  /** What one pod of each workload uses; workloads that use nothing are left out. */
  readonly perPod: ReadonlyMap<Workload, bigint>;
}

/** What a limit allows: in all, or besides the pods that run now. */
export type Allowance = { readonly total: bigint } | { readonly free: bigint };

/** A limit on the workloads that use something of it; undefined where none does. */
export function resourceLimit(
  name: string,
  resource: string,
  allowance: Allowance,
  workloads: readonly Workload[],
  useOf: (workload: Workload) => bigint,
): ResourceLimit | undefined {
  const perPod = new Map<Workload, bigint>();
  let steady = 0n;
  for (const workload of workloads) {
    const use = useOf(workload);
    if (use === 0n) continue;
    perPod.set(workload, use);
    steady += use * BigInt(workload.replicas);
  }
  if (perPod.size === 0) return undefined;
  return { name, resource, total: 'total' in allowance ? allowance.total : steady + allowance.free, steady, perPod };
}

/** What a limit leaves for one workload while the pods of the others stay as they are. */
export function leftFor(workload: Workload, limit: ResourceLimit): bigint {
  const others = limit.steady - (limit.perPod.get(workload) ?? 0n) * BigInt(workload.replicas);
  return limit.total > others ? limit.total - others : 0n;
}

/** How many pods of a workload a limit allows at once while the pods of the others stay as they are. */
export function podsAllowed(workload: Workload, limit: ResourceLimit): number {
  const use = limit.perPod.get(workload);
  return use === undefined ? Infinity : Number(leftFor(workload, limit) / use);
}
