import type { Autoscaler } from '../../cluster/autoscaler';
import type { FieldPath } from '../../core/field-path';
import type { Fields } from '../../core/manifest';
import type { LeaderLimit, LeaderWorkerSetStrategy } from './strategy';
import type { GroupLimits } from './reconcile';
import type { LwsBehaviour } from './versions';

/** Pods of one kind in each group. */
export interface GroupMembers {
  readonly template: Fields;
  readonly path: FieldPath;
  /** In each group. */
  readonly pods: number;
}

/** A LeaderWorkerSet that the API server and the webhook take, whoever has written it. */
export interface LeaderWorkerSet {
  readonly name: string;
  readonly namespace?: string;
  /** Groups. */
  readonly replicas: number;
  /** Pods of a group. */
  readonly size: number;
  /** The leader, and the workers where there are any. */
  readonly members: readonly GroupMembers[];
  /** Are workers made once their leader is ready, and not together with it? */
  readonly leaderFirst: boolean;
  readonly strategy: LeaderWorkerSetStrategy;
  /** Where the object that the user writes has the strategy. */
  readonly strategyPath: FieldPath;
  /** Where it says what the pods of a group are. */
  readonly path: FieldPath;
  readonly limits: GroupLimits;
  readonly leaderLimit: LeaderLimit;
  readonly behaviour: LwsBehaviour;
  readonly autoscaler?: Autoscaler;
}
