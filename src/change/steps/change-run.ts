import type { Deadline } from '../../core/deadline';
import type { Manifest } from '../../core/manifest';
import type { Versions } from '../../core/versions';
import type { PlanInput } from '../../plan/plan-input';
import type { ChangeOptions } from '../change-options';
import type { AdmissionCheck } from '../compare/object-comparison';
import type { VersionUpgrade } from '../effects/operator-upgrade';

/** Options of a run, which may include more about the cluster than the options of a program. */
export interface ChangeRunOptions extends ChangeOptions {
  readonly admission?: AdmissionCheck | undefined;
  /** Upgrade of an operator. The versions of the options are those after it. @default - the versions stay */
  readonly upgrade?: VersionUpgrade;
}

/** OLD of a change. */
export interface OldInput extends PlanInput {
  /** Reports whether an object is only context if NEW does not name it, as in a snapshot of a cluster. @default - none is */
  readonly isSurrounding?: (object: Manifest) => boolean;
  /** Reports whether OLD may contain an object that the user may not read. @default - OLD is complete */
  readonly isUnread?: (object: Manifest) => boolean;
  /** Returns why a cluster refuses a new object: it lacks the kind or the Namespace, and NEW brings none. @default - neither is known */
  readonly refuseNewObject?: (object: Manifest) => string | undefined;
}

/** What a change is planned from. Each step adds to it. */
export interface ChangeRun {
  readonly old: OldInput;
  readonly next: PlanInput;
  readonly options: ChangeRunOptions;
  /** Versions of all products; for an upgrade, those after it. */
  readonly versions: Versions;
  /** Every step checks it, so that a run ends within its budget. */
  readonly deadline: Deadline;
}

/** Returns the options of a plan that is compared and not written, so that no rollout is missing from it. */
export function withUnlimitedOutput(options: ChangeRunOptions): ChangeRunOptions {
  return { ...options, budget: { ...options.budget, 'output-megabytes': Infinity } };
}
