import type { Finding } from '../findings/finding';
import type { FORMAT_VERSION, UnplannedKind } from './plan-document';
import type { PlannedRollout } from './rollout';

/** Reason why a rollout has no strategy. */
export interface NoStrategy {
  /** `revision`: Knative has no strategy and replaces an entire Revision; `findings`: the findings explain the reason. */
  readonly because: 'revision' | 'findings';
  /** Findings that explain the reason; empty for `revision`. */
  readonly findings: readonly Finding[];
}

/** Level of configuration that decided each field of one rollout. */
export interface RolloutExplanation extends Pick<PlannedRollout, 'system' | 'resource' | 'unit' | 'strategy' | 'provenance'> {
  /** Reason why there is no strategy; absent if there is one. */
  readonly noStrategy?: NoStrategy;
}

/** Output of `explain --format json`. The schema is `schemas/explain-1.2.json`. */
export interface Explanation {
  /** Version of this format. */
  readonly formatVersion: typeof FORMAT_VERSION;
  /** Rollouts in input order. */
  readonly rollouts: readonly RolloutExplanation[];
  /** Kinds that affect rollouts but are not planned; absent if one resource is requested. */
  readonly notPlanned?: readonly UnplannedKind[];
  /** Findings about no rollout; absent if one resource is requested. */
  readonly findings?: readonly Finding[];
}
