import type { Finding } from './finding';
import type { FORMAT_VERSION, UnplannedKind } from './plan-document';
import type { PlannedRollout } from './rollout';

/** Why a rollout has no strategy. */
export interface NoStrategy {
  /** `revision`: Knative has no strategy and replaces a Revision as a whole; `findings`: they say why. */
  readonly because: 'revision' | 'findings';
  /** Empty where it is a revision. */
  readonly findings: readonly Finding[];
}

/** Which level of configuration decided each field of one rollout. */
export interface RolloutExplanation extends Pick<PlannedRollout, 'system' | 'resource' | 'unit' | 'strategy' | 'provenance'> {
  /** Absent where there is a strategy. */
  readonly noStrategy?: NoStrategy;
}

/** What `explain --format json` prints. The schema is `schemas/explain-1.2.json`. */
export interface Explanation {
  /** The version of this format. */
  readonly formatVersion: typeof FORMAT_VERSION;
  /** In input order. */
  readonly rollouts: readonly RolloutExplanation[];
  /** What rolls pods out, or decides about it, and is not planned; absent where one resource is asked for. */
  readonly notPlanned?: readonly UnplannedKind[];
  /** Findings about no rollout; absent where one resource is asked for. */
  readonly findings?: readonly Finding[];
}
