import type { IntOrPercent } from '../core/values/int-or-percent';
import { readPropsMapOf, readPropsOf } from '../input/read-props';
import type {
  AvailabilityIntent,
  GoalIntent,
  GroupLimitProps,
  GroupsNotBothZero,
  NotBothZero,
  NotZero,
  RecreateIntent,
  ResourceAwareIntent,
  RollingUpdateIntent,
  RollingUpdateLimits,
  RolloutGoalProps,
} from '../workloads/deployment/intent';
import type { FleetGoal, FleetGoalIntent } from '../systems/fleet/rollout-intent';
import type { UpgradeByGoalProps, UpgradeGoal } from '../systems/kuberay/upgrade-props';
import { locateErrors } from './call-site';

/**
 * The goals by what is rolled out. The most common one is both the first and the last: editors complete the limits of the first, and the
 * compiler's message about a wrong limit is about the last.
 */
export interface GoalFunction {
  /** Returns the goal of pods. */
  (goal: RolloutGoalProps): GoalIntent;
  /** Returns the goal of a bundle. */
  (goal: FleetGoal): FleetGoalIntent;
  /** Returns the goal of an upgrade, for its `upgrade` next to `gatewayClassName`. */
  (goal: UpgradeGoal): Pick<UpgradeByGoalProps, 'goal'>;
  /** Returns the goal of pods. */
  (goal: RolloutGoalProps): GoalIntent;
}

/** What a user may write for a limit in groups by the name of another kind of rollout. */
const GROUP_LIMITS: ReadonlyMap<string, string> = new Map([
  ['maxSurge', 'surge'],
  ['maxUnavailable', 'unavailable'],
]);

/** Throws for a limit that is not one of groups. It would be ignored, so that another strategy would be written. */
function requireGroupLimits(limits: object): void {
  const stray = Object.keys(limits).find((name) => name !== 'surge' && name !== 'unavailable');
  if (stray === undefined) return;
  throw new Error(`Rollout.groups: ${stray} is not a limit in groups; write ${GROUP_LIMITS.get(stray) ?? 'surge or unavailable'}`);
}

/**
 * Intents by name, with the KServe rollout guide's best practices as presets.
 *
 * @example
 * Rollout.availability('25%'); // { mode: 'Availability', ratio: '25%' }
 */
export const Rollout = {
  /** Creates new pods first, without downtime. Needs up to `ratio` extra pods during the rollout. */
  availability: <const Ratio extends IntOrPercent>(ratio: Ratio & NotZero<Ratio>): AvailabilityIntent => ({ mode: 'Availability', ratio }),
  /** Deletes old pods first, without extra pods. Up to `ratio` of the pods are not ready during the rollout. */
  resourceAware: <const Ratio extends IntOrPercent>(ratio: Ratio & NotZero<Ratio>): ResourceAwareIntent => ({
    mode: 'ResourceAware',
    ratio,
  }),
  /** Sets both limits explicitly. */
  rollingUpdate: <const Surge extends IntOrPercent, const Unavailable extends IntOrPercent>(
    limits?: {
      /** Pods in addition to the replicas. @default - set by the lower levels; the default of Kubernetes is 25% */
      readonly maxSurge?: Surge;
      /** Replicas that may be unavailable. @default - set by the lower levels; the default of Kubernetes is 25% */
      readonly maxUnavailable?: Unavailable;
    } & NotBothZero<Surge, Unavailable>,
  ): RollingUpdateIntent => locateErrors(() => ({ type: 'RollingUpdate', ...readPropsOf('Rollout.rollingUpdate', limits) })),
  /**
   * Sets limits in groups of pods, such as those of a LeaderWorkerSet. `surge` creates new groups first, `unavailable` deletes old ones
   * first.
   *
   * @default - one group may be unavailable; with surge, none
   */
  groups: <const Surge extends IntOrPercent, const Unavailable extends IntOrPercent>(
    limits?: GroupLimitProps<Surge, Unavailable> & GroupsNotBothZero<Surge, Unavailable>,
  ): RollingUpdateLimits =>
    locateErrors(() => {
      const props: GroupLimitProps = readPropsMapOf('Rollout.groups', limits ?? {});
      requireGroupLimits(props);
      const { surge = 0, unavailable = surge === 0 || surge === '0%' ? 1 : 0 } = props;
      return { maxSurge: surge, maxUnavailable: unavailable };
    }),
  /**
   * States what is wanted, and leaves the numbers to the synth: it simulates every strategy of the object, also at both limits of its
   * autoscaler, and writes the best one. A goal that no strategy meets fails the synth with the closest possible.
   *
   * An upgrade of Ray clusters and a bundle of Fleet have goals of their own, `UpgradeGoal` and `FleetGoal`.
   *
   * @example
   * Rollout.goal({ available: 6, extraGpus: 2, within: '15m' });
   * Rollout.goal({ atMostClustersAtOnce: 5, stopAfterBroken: 2, waves: 3 }); // the rollout of a FleetBundle
   * { gatewayClassName: 'istio', ...Rollout.goal({ extraGpus: 2, within: '45m', maxStep: 10 }) }; // the upgrade of an IncrementalRayService
   */
  goal: ((goal: object) => locateErrors(() => ({ goal: readPropsMapOf('Rollout.goal', goal) }))) as GoalFunction,
  /** Deletes all old pods, then creates all new ones. */
  recreate: (): RecreateIntent => ({ type: 'Recreate' }),
  /** Returns the preset for most production workloads (guide: Availability with 25% to 50%). @default 25% */
  production: (ratio: `${number}%` = '25%'): AvailabilityIntent => Rollout.availability(ratio),
  /** Returns the preset for critical services: a full second set of pods (guide: Availability with 100%). */
  critical: (): AvailabilityIntent => Rollout.availability('100%'),
  /** Returns the preset for development and testing (guide: ResourceAware with 50%). */
  testing: (): ResourceAwareIntent => Rollout.resourceAware('50%'),
} as const;
