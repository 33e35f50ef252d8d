import type { Manifest } from '../core/manifest';
import { DAEMON_SET } from './daemonset/kind';
import { DEPLOYMENT } from './deployment/kind';
import type { RolloutKind } from './rollout-kind';
import { STATEFUL_SET } from './statefulset/kind';

/** The kinds of workload that are planned by their own name. */
const KINDS = {
  Deployment: DEPLOYMENT,
  StatefulSet: STATEFUL_SET,
  DaemonSet: DAEMON_SET,
} satisfies Readonly<Record<string, RolloutKind>>;

/** Whoever knows more of each kind keeps it in a record over these names: a kind that is missing there does not compile. */
export type WorkloadName = keyof typeof KINDS;

export const WORKLOAD_NAMES = Object.keys(KINDS) as readonly WorkloadName[];

/** What a kind is called here; undefined for an object that is none of these. */
export function workloadNameOf({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): WorkloadName | undefined {
  return WORKLOAD_NAMES.find((name) => KINDS[name].kind === kind && KINDS[name].apiVersion === apiVersion);
}

/** The kinds that have a subresource scale, by their own name. */
export const SCALED_WORKLOADS: readonly string[] = WORKLOAD_NAMES.flatMap((name) => (KINDS[name].hasScale ? KINDS[name].kind : []));

export function workloadKind(name: WorkloadName): RolloutKind {
  return KINDS[name];
}

/** What somebody knows of each kind, by `apps/v1/Deployment`. */
export function byApi<T>(known: Readonly<Record<WorkloadName, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(WORKLOAD_NAMES.map((name) => [`${KINDS[name].apiVersion}/${KINDS[name].kind}`, known[name]]));
}

/** The kind of an object; undefined where it is none of these. */
export function workloadKindOf(object: Manifest): RolloutKind | undefined {
  const name = workloadNameOf(object);
  return name && KINDS[name];
}
