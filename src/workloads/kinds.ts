import type { Manifest } from '../core/manifest';
import { DAEMON_SET } from './daemonset/kind';
import { DEPLOYMENT } from './deployment/kind';
import type { RolloutKind } from './rollout-kind';
import { STATEFUL_SET } from './statefulset/kind';

/** The kinds of apps/v1 that are planned. */
export const WORKLOAD_KINDS: readonly RolloutKind[] = [DEPLOYMENT, STATEFUL_SET, DAEMON_SET];

/** The kind of an object; undefined where it is none of these. */
export function workloadKindOf({ apiVersion, kind }: Manifest): RolloutKind | undefined {
  return apiVersion === 'apps/v1' ? WORKLOAD_KINDS.find((known) => known.kind === kind) : undefined;
}
