import type { Autoscaler } from '../../cluster/autoscaling/autoscaler';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Fields } from '../../core/manifest/manifest';
import type { LeaderLimit, LeaderWorkerSetStrategy } from './strategy';
import type { GroupLimits } from './reconcile';
import type { LwsBehaviour } from './versions';

/** The leader or the workers of each group. */
export interface GroupMembers {
  readonly template: Fields;
  readonly path: FieldPath;
  /** Field path of the pod spec. @default - `spec` of the template */
  readonly podPath?: FieldPath;
  /** Pods in each group. */
  readonly pods: number;
  /** Whether a controller, and not the template, decides how their requests end. @default false */
  readonly controlsTermination?: boolean;
}

/** A LeaderWorkerSet that the API server and the webhook accept, written by a user or by a controller. */
export interface LeaderWorkerSet {
  readonly name: string;
  readonly namespace?: string;
  /** Groups. */
  readonly replicas: number;
  /** Pods of a group. */
  readonly size: number;
  /** The leader, and the workers if there are any. */
  readonly members: readonly GroupMembers[];
  /** Names of the constraints on nodes that its controller adds to the pods. */
  readonly addedConstraints: readonly string[];
  /** Whether workers are created once their leader is ready, instead of together with it. */
  readonly leaderFirst: boolean;
  readonly strategy: LeaderWorkerSetStrategy;
  /** The path of the strategy in the object that the user writes. */
  readonly strategyPath: FieldPath;
  /** The path of the group's pods in that object. */
  readonly path: FieldPath;
  readonly limits: GroupLimits;
  readonly leaderLimit: LeaderLimit;
  readonly behaviour: LwsBehaviour;
  readonly autoscaler?: Autoscaler;
}
