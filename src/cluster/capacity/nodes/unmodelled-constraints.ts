import { isFields, getListAt, getValueAt } from '../../../core/manifest/manifest';
import type { PodSet } from '../../rollout/pod-set';
import type { Workload } from '../../rollout/workload';
import { DIFFERENT_DEFAULTS, SCHEDULING_GATES } from '../shortage';
import { listOwnAntiAffinities } from './scheduling';

/** Whether a pod has a constraint on nodes that plans do not model. */
type ConstraintTest = (podSet: PodSet) => boolean;

/** ScheduleAnyway is only a preference. The default is DoNotSchedule. */
function isHardSpread(constraint: unknown): boolean {
  return getValueAt(constraint, 'whenUnsatisfiable') !== 'ScheduleAnyway';
}

/** Tests by the name of the field. */
const UNMODELLED_CONSTRAINTS: readonly (readonly [name: string, hasConstraint: ConstraintTest])[] = Object.entries({
  topologySpreadConstraints: ({ template }) => getListAt(template.spec, 'topologySpreadConstraints').some(isHardSpread),
  podAffinity: (podSet) =>
    getListAt(podSet.template.spec, 'affinity', 'podAffinity', 'requiredDuringSchedulingIgnoredDuringExecution').length > 0,
  podAntiAffinity: (podSet) =>
    listOwnAntiAffinities(podSet).some(({ withinRevision, betweenRevisions }) => !withinRevision && !betweenRevisions),
  resourceClaims: ({ template }) => getListAt(template.spec, 'resourceClaims').length > 0,
  runtimeClassName: ({ template, hasKnownRuntimeClass = false }) =>
    typeof getValueAt(template.spec, 'runtimeClassName') === 'string' && !hasKnownRuntimeClass,
  schedulerName: ({ template }) =>
    ![undefined, null, '', 'default-scheduler'].includes(getValueAt(template.spec, 'schedulerName') as string),
  [SCHEDULING_GATES]: ({ template }) => getListAt(template.spec, 'schedulingGates').length > 0,
  [DIFFERENT_DEFAULTS]: ({ hasConflictingDefaults = false }) => hasConflictingDefaults,
} satisfies Readonly<Record<string, ConstraintTest>>);

/** Name of the constraint that only one pod of the cluster may use a volume. */
export const EXCLUSIVE_VOLUMES = 'ReadWriteOncePod volumes of several pods';

/** Reports whether a pod mounts a claim. */
export function hasClaim(podSpec: unknown, name: string): boolean {
  return getListAt(podSpec, 'volumes').some((volume) => getValueAt(volume, 'persistentVolumeClaim', 'claimName') === name);
}

/** Counts the pods of a set that may use a claim of its new pods at once. */
function countUsers({ template, oldTemplate, replicas, ...podSet }: PodSet, claim: string): number {
  const { rollout } = podSet as Partial<Workload>;
  const surge = oldTemplate && hasClaim(oldTemplate.spec, claim) ? (rollout?.surge ?? replicas) : 0;
  return hasClaim(template.spec, claim) ? replicas + surge : 0;
}

/** Reports whether several pods of the sets mount a claim that only one pod may use. */
function shareExclusiveClaim(podSets: readonly PodSet[]): boolean {
  const claims = new Set(podSets.flatMap(({ exclusiveClaims = [] }) => exclusiveClaims));
  return [...claims].some((claim) => podSets.reduce((users, podSet) => users + countUsers(podSet, claim), 0) > 1);
}

/**
 * Returns the constraints of pods on nodes that are not modelled, in the order above. With any of them, a plan never says that the pods
 * fit.
 */
export function findUnmodelledConstraints(podSets: readonly PodSet[]): string[] {
  const constraints = UNMODELLED_CONSTRAINTS.filter(([, hasConstraint]) => podSets.some(hasConstraint)).map(([name]) => name);
  const added = new Set(podSets.flatMap(({ addedConstraints = [] }) => addedConstraints));
  return [...constraints, ...added, ...(shareExclusiveClaim(podSets) ? [EXCLUSIVE_VOLUMES] : [])];
}

/** Reports whether a new pod may run on another node than the old one, to which its volume may not be able to move. */
export function canMoveVolume({ template, claims = [], controller }: Workload, surge: number): boolean {
  if (!controller.traits.hasSurge || surge === 0) return false;
  const templateVolumes = getListAt(template.spec, 'volumes').filter(
    (volume) => isFields(volume) && isFields(volume.persistentVolumeClaim),
  );
  return templateVolumes.length > 0 || claims.length > 0;
}

/** Constraints that the model of a rollout decides. */
export const MODELLED: ReadonlySet<string> = new Set([
  'topologySpreadConstraints',
  'podAffinity',
  'podAntiAffinity',
  'resourceClaims',
  EXCLUSIVE_VOLUMES,
]);
