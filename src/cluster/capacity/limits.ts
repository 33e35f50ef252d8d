import { addToGroup } from '../../core/collections/group-by';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { PlanCache } from '../../core/collections/plan-cache';
import type { PodSet } from '../rollout/pod-set';
import type { AdmissionRejection } from '../rejections/admission-rejection';

/** A limit on what pods together may use of one resource. Amounts are in billionths. */
export interface ResourceLimit {
  readonly kind: 'quota' | 'capacity' | 'nodes';
  /** `ResourceQuota "gpus"`, `capacity`, `node pools`. */
  readonly name: string;
  readonly resource: string;
  /** Amount that is allowed in total. */
  readonly total: bigint;
  /** Use while nothing rolls out, after the apply. */
  readonly steady: bigint;
  /** Use before the apply. Old pods use their own amounts. */
  readonly before: bigint;
  /** The larger use of each set, before or after the apply. */
  readonly maxUse: bigint;
  /** The smaller use of each set, before or after the apply. */
  readonly minUse: bigint;
  /** Use of one new pod of each set. Sets that use nothing are left out. */
  readonly perPod: ReadonlyMap<PodSet, bigint>;
  /** Use of each set whose use the apply changes: by pods that request more or less, or by more or fewer pods. */
  readonly changes: ReadonlyMap<PodSet, UseChange>;
  /** What the limit allows, before the running pods are added. */
  readonly allowance?: Allowance;
  /** Returns what one pod uses. @default - the requests of the resource */
  readonly useOf?: (podSpec: Fields) => bigint;
  /** Whether pods beyond the limit are refused, as by a quota. Otherwise they exist and wait for a node. @default false */
  readonly refusesPods?: boolean;
  readonly rejection?: AdmissionRejection;
  /** The ResourceQuota that sets the limit. @default - none does */
  readonly quota?: Manifest;
  /** The LimitRange that refuses all of the pods. @default - none does */
  readonly limitRange?: Manifest;
}

/** What a set uses of a limit before and after an apply. */
export interface UseChange {
  readonly now: bigint;
  readonly after: bigint;
}

/** What a limit allows: in total, or in addition to the running pods and at most `atMost` in total. */
export type Allowance = { readonly total: bigint } | { readonly free: bigint; readonly atMost?: bigint };

function computeTotal(allowance: Allowance, before: bigint): bigint {
  if ('total' in allowance) return allowance.total;
  const { free, atMost } = allowance;
  return atMost !== undefined && atMost < before + free ? atMost : before + free;
}

/** What pods use of a resource. */
export type ResourceUse = Pick<ResourceLimit, 'perPod' | 'changes' | 'steady' | 'before' | 'maxUse' | 'minUse'>;

/**
 * Computes what pods use of a resource. Sets that use nothing are left out.
 *
 * @param usePerPod returns the use of one pod of the template of a set
 */
export function computeResourceUse(podSets: readonly PodSet[], usePerPod: (podSet: PodSet) => bigint): ResourceUse {
  const perPod = new Map<PodSet, bigint>();
  const changes = new Map<PodSet, UseChange>();
  let [steady, before, maxUse, minUse] = [0n, 0n, 0n, 0n];
  for (const podSet of podSets) {
    const use = usePerPod(podSet);
    const { replicas, running = replicas, oldTemplate } = podSet;
    const oldUse = oldTemplate === undefined ? use : usePerPod({ ...podSet, template: oldTemplate });
    if (use > 0n) perPod.set(podSet, use);
    const [after, now] = [use * BigInt(replicas), oldUse * BigInt(running)];
    if (after !== now) changes.set(podSet, { now, after });
    steady += after;
    before += now;
    maxUse += now > after ? now : after;
    minUse += now < after ? now : after;
  }
  return { perPod, changes, steady, before, maxUse, minUse };
}

/** Builds a limit on the pods that use a resource. Returns undefined if no pod uses it. */
export function buildResourceLimit(
  { kind, name, resource }: Pick<ResourceLimit, 'kind' | 'name' | 'resource'>,
  allowance: Allowance,
  use: ResourceUse,
): ResourceLimit | undefined {
  if (use.perPod.size === 0) return undefined;
  return { kind, name, resource, total: computeTotal(allowance, use.before), allowance, ...use };
}

/**
 * Returns the tightest of all limits on the same use of the same pods, such as a thousand quotas on CPU. If several are equal, it is the
 * first.
 */
export function pickTightestLimits(limits: readonly ResourceLimit[]): ResourceLimit[] {
  const tightest = new Map<ResourceLimit['perPod'], ResourceLimit>();
  for (const limit of limits) {
    const known = tightest.get(limit.perPod);
    if (!known || limit.total < known.total) tightest.set(limit.perPod, limit);
  }
  return [...tightest.values()];
}

/** Returns the limits that apply to each pod set. */
export function groupLimitsByPodSet(limits: readonly ResourceLimit[]): ReadonlyMap<PodSet, readonly ResourceLimit[]> {
  const byPodSet = new Map<PodSet, ResourceLimit[]>();
  for (const limit of pickTightestLimits(limits)) {
    for (const podSet of limit.perPod.keys()) {
      addToGroup(byPodSet, podSet, limit);
    }
  }
  return byPodSet;
}

/** Computes what a number of pods of each set uses. */
export function computeUse(podSets: readonly PodSet[], pods: readonly number[], { perPod }: Pick<ResourceLimit, 'perPod'>): bigint {
  return podSets.reduce((use, podSet, index) => use + (perPod.get(podSet) ?? 0n) * BigInt(pods[index]!), 0n);
}

/** Computes what pod sets use while nothing rolls out. */
export function computeSteadyUse(podSets: readonly PodSet[], limit: ResourceLimit): bigint {
  return computeUse(
    podSets,
    podSets.map(({ replicas }) => replicas),
    limit,
  );
}

/** Computes what a limit leaves for the pods of a rollout while the others stay as they are. */
export function computeRemaining(podSets: readonly PodSet[], limit: ResourceLimit): bigint {
  const otherUse = limit.steady - computeSteadyUse(podSets, limit);
  return limit.total > otherUse ? limit.total - otherUse : 0n;
}

/** Computes what a limit leaves for pods that are scheduled before the pods that an apply adds to the others. */
function computeMaxRemaining(podSets: readonly PodSet[], limit: ResourceLimit): bigint {
  const ownUse = podSets.reduce((use, podSet) => {
    const { now, after } = limit.changes.get(podSet) ?? {
      now: computeSteadyUse([podSet], limit),
      after: computeSteadyUse([podSet], limit),
    };
    return use + (now < after ? now : after);
  }, 0n);
  const otherUse = limit.minUse - ownUse;
  return limit.total > otherUse ? limit.total - otherUse : 0n;
}

/** Returns the number of pods that run both before and after an apply. */
export function countKeptPods({ replicas, running = replicas }: PodSet): number {
  return Math.min(running, replicas);
}

/** Returns how many pods of one set a limit allows at once while the others stay as they are. */
export function computeAllowedPods(podSet: PodSet, limit: ResourceLimit): number {
  const use = limit.perPod.get(podSet);
  return use === undefined ? Infinity : Number(computeRemaining([podSet], limit) / use);
}

/** Returns how many pods of one set a limit allows at once if they are scheduled before the pods that an apply adds to the others. */
export function computeMaxAllowedPods(podSet: PodSet, limit: ResourceLimit): number {
  const use = limit.perPod.get(podSet);
  return use === undefined ? Infinity : Number(computeMaxRemaining([podSet], limit) / use);
}

/** Computes what a limit leaves for pod sets with reserved pods, which no other object can displace. */
export function computeRemainingAfterReserved(podSets: readonly PodSet[], reservedPods: readonly number[], limit: ResourceLimit): bigint {
  const [left, maxLeft, ownUse] = [
    computeRemaining(podSets, limit),
    computeMaxRemaining(podSets, limit),
    computeUse(podSets, reservedPods, limit),
  ];
  const reservedUse = ownUse < maxLeft ? ownUse : maxLeft;
  return left > reservedUse ? left : reservedUse;
}

/** Reports whether an apply adds pods to a set. */
export function isGrowing({ replicas, running = replicas }: PodSet): boolean {
  return running < replicas;
}

/** Pod sets whose use of a limit an apply changes. */
interface ChangingPodSets {
  readonly growing: readonly PodSet[];
  readonly shrinking: readonly PodSet[];
}

function listChangingPodSets(changes: ResourceLimit['changes']): ChangingPodSets {
  const list = (isChanged: (change: UseChange) => boolean) => [...changes].flatMap(([podSet, change]) => (isChanged(change) ? podSet : []));
  return { growing: list(({ now, after }) => now < after), shrinking: list(({ now, after }) => now > after) };
}

/** Returns the pod sets whose use of a limit the apply raises or lowers. Each list is built once, because its names are memoized by it. */
export function findChangingPodSets({ changes }: ResourceLimit, cache: PlanCache): ChangingPodSets {
  return cache.derive(changes, listChangingPodSets);
}
