import type { Manifest } from '../core/manifest/manifest';
import { DAEMON_SET } from './daemonset/kind';
import { DEPLOYMENT } from './deployment/kind';
import type { RolloutKind } from './rollout-kind';
import { STATEFUL_SET } from './statefulset/kind';

/** The supported kinds of workload, by name. */
const KINDS_BY_NAME = {
  Deployment: DEPLOYMENT,
  StatefulSet: STATEFUL_SET,
  DaemonSet: DAEMON_SET,
} satisfies Readonly<Record<string, RolloutKind>>;

/**
 * The name of a supported kind. A module with more data about each kind keeps it in a record over these names, so that a missing kind
 * does not compile.
 */
export type WorkloadName = keyof typeof KINDS_BY_NAME;

export const WORKLOAD_NAMES = Object.keys(KINDS_BY_NAME) as readonly WorkloadName[];

/** Returns the name of an object's kind, or undefined for an object of any other kind. */
export function workloadNameOf({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): WorkloadName | undefined {
  return WORKLOAD_NAMES.find((name) => KINDS_BY_NAME[name].kind === kind && KINDS_BY_NAME[name].apiVersion === apiVersion);
}

/** The kinds that have a scale subresource. */
export const SCALABLE_WORKLOADS: readonly string[] = WORKLOAD_NAMES.flatMap((name) =>
  KINDS_BY_NAME[name].hasScale ? KINDS_BY_NAME[name].kind : [],
);

export function getWorkloadKind(name: WorkloadName): RolloutKind {
  return KINDS_BY_NAME[name];
}

/** Maps a value of each kind by its `apps/v1/Deployment`. */
export function mapByApiVersionKind<T>(valuesByName: Readonly<Record<WorkloadName, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(
    WORKLOAD_NAMES.map((name) => [`${KINDS_BY_NAME[name].apiVersion}/${KINDS_BY_NAME[name].kind}`, valuesByName[name]]),
  );
}

/** Returns the kind of an object, or undefined for an object of any other kind. */
export function workloadKindOf(object: Manifest): RolloutKind | undefined {
  const name = workloadNameOf(object);
  return name && KINDS_BY_NAME[name];
}
