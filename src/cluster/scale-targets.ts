import { groupOf } from '../core/manifest';

/** Kinds with a subresource scale, by group: those that an autoscaler finds. Of the version nothing is asked, only that the group has the kind. */
export const SCALED_KINDS: Readonly<Record<string, readonly string[] | undefined>> = {
  apps: ['Deployment', 'StatefulSet'],
  'argoproj.io': ['Rollout'],
  'leaderworkerset.x-k8s.io': ['LeaderWorkerSet'],
};

export function isScaled(apiVersion: string, kind: unknown): boolean {
  return SCALED_KINDS[groupOf({ apiVersion })]?.includes(String(kind)) ?? false;
}
