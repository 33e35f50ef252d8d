import type { Amounts } from '../pod-requests';
import { remainingOf } from '../remaining-capacity';

/** Returns how many pods fit into what is left of a node. */
export function countPods(free: Amounts, footprint: Amounts, most: number): number {
  let pods = most;
  for (const [resource, request] of footprint) {
    const left = remainingOf(free, resource);
    if (left === undefined || request === 0n) continue;
    if (left < request) return 0;
    const fitting = left / request;
    if (fitting < BigInt(pods)) pods = Number(fitting);
  }
  return pods;
}

/** Returns what a number of pods leaves. It may be less than 0. */
export function subtractPods(free: Amounts, footprint: Amounts, pods: number): Amounts {
  if (pods === 0) return free;
  const left = new Map(free);
  for (const [resource, request] of footprint) {
    const amount = left.get(resource);
    if (amount !== undefined) left.set(resource, amount - request * BigInt(pods));
  }
  return left;
}
