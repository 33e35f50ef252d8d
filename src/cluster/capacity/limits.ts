import type { Manifest } from '../../core/manifest';
import type { PlanCache } from '../../core/plan-cache';
import type { PodSet } from '../workload';
import type { AdmissionRejection } from './admission-rejection';

/** A limit on what pods may use of one resource together. Amounts are in billionths. */
export interface ResourceLimit {
  readonly kind: 'quota' | 'capacity' | 'nodes';
  /** `ResourceQuota "gpus"`, `capacity`, `node pools`. */
  readonly name: string;
  readonly resource: string;
  /** What there is for them all. */
  readonly total: bigint;
  /** What they use while nothing rolls out. */
  readonly steady: bigint;
  /** The same before an apply that changes their number; with the more of both numbers of each set, and with the fewer. */
  readonly before: bigint;
  readonly maxUse: bigint;
  readonly minUse: bigint;
  /** What one pod of each set uses; sets that use nothing are left out. */
  readonly perPod: ReadonlyMap<PodSet, bigint>;
  /** Are pods beyond it refused, as a quota does? Elsewhere they exist and wait for a node. @default false */
  readonly refusesPods?: boolean;
  readonly rejection?: AdmissionRejection;
  /** The ResourceQuota that sets it. @default - none does */
  readonly quota?: Manifest;
  /** The LimitRange that lets none of the pods in. @default - none does */
  readonly limitRange?: Manifest;
}

/** What a limit allows: in all, or besides the pods that run now, and then never more than `atMost` in all. */
export type Allowance = { readonly total: bigint } | { readonly free: bigint; readonly atMost?: bigint };

function computeTotal(allowance: Allowance, before: bigint): bigint {
  if ('total' in allowance) return allowance.total;
  const { free, atMost } = allowance;
  return atMost !== undefined && atMost < before + free ? atMost : before + free;
}

/** What pods use of a resource. */
export type ResourceUse = Pick<ResourceLimit, 'perPod' | 'steady' | 'before' | 'maxUse' | 'minUse'>;

/** What those of the pods that use something use of a resource. */
export function computeResourceUse(podSets: readonly PodSet[], usePerPod: (podSet: PodSet) => bigint): ResourceUse {
  const perPod = new Map<PodSet, bigint>();
  let [steady, before, most, least] = [0n, 0n, 0n, 0n];
  for (const podSet of podSets) {
    const use = usePerPod(podSet);
    if (use === 0n) continue;
    perPod.set(podSet, use);
    const { replicas, running = replicas } = podSet;
    const [after, now] = [use * BigInt(replicas), use * BigInt(running)];
    steady += after;
    before += now;
    most += now > after ? now : after;
    least += now < after ? now : after;
  }
  return { perPod, steady, before, maxUse: most, minUse: least };
}

/** A limit on the pods that use something of it; undefined where none does. */
export function buildResourceLimit(
  { kind, name, resource }: Pick<ResourceLimit, 'kind' | 'name' | 'resource'>,
  allowance: Allowance,
  use: ResourceUse,
): ResourceLimit | undefined {
  if (use.perPod.size === 0) return undefined;
  return { kind, name, resource, total: computeTotal(allowance, use.before), ...use };
}

/** Of limits on the same use of the same pods, such as those of a thousand quotas on CPU, the tightest, which decides: the first of several. */
export function pickTightestLimits(limits: readonly ResourceLimit[]): ResourceLimit[] {
  const tightest = new Map<ResourceLimit['perPod'], ResourceLimit>();
  for (const limit of limits) {
    const known = tightest.get(limit.perPod);
    if (!known || limit.total < known.total) tightest.set(limit.perPod, limit);
  }
  return [...tightest.values()];
}

/** The limits that decide on each set of pods. */
export function groupLimitsByPodSet(limits: readonly ResourceLimit[]): ReadonlyMap<PodSet, readonly ResourceLimit[]> {
  const byPodSet = new Map<PodSet, ResourceLimit[]>();
  for (const limit of pickTightestLimits(limits)) {
    for (const podSet of limit.perPod.keys()) {
      const known = byPodSet.get(podSet);
      if (known) known.push(limit);
      else byPodSet.set(podSet, [limit]);
    }
  }
  return byPodSet;
}

/** What so many pods of each set use. */
export function computeUse(podSets: readonly PodSet[], pods: readonly number[], { perPod }: Pick<ResourceLimit, 'perPod'>): bigint {
  return podSets.reduce((use, podSet, index) => use + (perPod.get(podSet) ?? 0n) * BigInt(pods[index]!), 0n);
}

/** What sets of pods use while nothing rolls out. */
export function computeSteadyUse(podSets: readonly PodSet[], limit: ResourceLimit): bigint {
  return computeUse(
    podSets,
    podSets.map(({ replicas }) => replicas),
    limit,
  );
}

/** What a limit leaves for the pods of a rollout while the others stay as they are. */
export function computeRemaining(podSets: readonly PodSet[], limit: ResourceLimit): bigint {
  const otherUse = limit.steady - computeSteadyUse(podSets, limit);
  return limit.total > otherUse ? limit.total - otherUse : 0n;
}

/** The same where they come before the pods that an apply adds to the others. */
function computeMaxRemaining(podSets: readonly PodSet[], limit: ResourceLimit): bigint {
  const otherUse = limit.minUse - computeUse(podSets, podSets.map(countKeptPods), limit);
  return limit.total > otherUse ? limit.total - otherUse : 0n;
}

/** Pods that run before an apply and after it. */
export function countKeptPods({ replicas, running = replicas }: PodSet): number {
  return Math.min(running, replicas);
}

/** How many pods of one set a limit allows at once while the others stay as they are. */
export function computeAllowedPods(podSet: PodSet, limit: ResourceLimit): number {
  const use = limit.perPod.get(podSet);
  return use === undefined ? Infinity : Number(computeRemaining([podSet], limit) / use);
}

/** The same where they come before the pods that an apply adds to the others. */
export function computeMaxAllowedPods(podSet: PodSet, limit: ResourceLimit): number {
  const use = limit.perPod.get(podSet);
  return use === undefined ? Infinity : Number(computeMaxRemaining([podSet], limit) / use);
}

/** What a limit has for sets of pods of which so many hold their places, whoever else wants them. */
export function computeRemainingAfterReserved(podSets: readonly PodSet[], reservedPods: readonly number[], limit: ResourceLimit): bigint {
  const [left, most, own] = [
    computeRemaining(podSets, limit),
    computeMaxRemaining(podSets, limit),
    computeUse(podSets, reservedPods, limit),
  ];
  const reservedUse = own < most ? own : most;
  return left > reservedUse ? left : reservedUse;
}

/** Does an apply add pods to a set? */
export function isGrowing({ replicas, running = replicas }: PodSet): boolean {
  return running < replicas;
}

function isShrinking({ replicas, running = replicas }: PodSet): boolean {
  return running > replicas;
}

interface ChangingPodSets {
  readonly growing: readonly PodSet[];
  readonly shrinking: readonly PodSet[];
}

const changingPodSetsByLimit = () => new WeakMap<ResourceLimit, ChangingPodSets>();

/** The sets that use something of a limit and that the apply adds pods to, or takes some from. */
export function findChangingPodSets(limit: ResourceLimit, cache: PlanCache): ChangingPodSets {
  const known = cache.getOrCreate(changingPodSetsByLimit);
  const all = [...(known.has(limit) ? [] : limit.perPod.keys())];
  const users = known.get(limit) ?? { growing: all.filter(isGrowing), shrinking: all.filter(isShrinking) };
  known.set(limit, users);
  return users;
}
