import type { Behaviour } from './behaviour';
import type { PlannedChange } from './change';
import type { Finding, Severity } from './finding';
import type { PlannedRollout } from './rollout';
import type { CapacityVerdict } from './capacity-result';
import type { Versions } from './versions';

export const FORMAT_VERSION = '1.2';

/** Counts over the whole document; each finding once, wherever it stands. */
export interface PlanSummary {
  /** How many rollouts are planned. */
  readonly rollouts: number;
  /** How many objects that roll pods out, or decide about it, are not planned. */
  readonly notPlanned: number;
  /** Findings that a cluster refuses or that can never finish. */
  readonly errors: number;
  /** Findings that work and are likely not meant. */
  readonly warnings: number;
  /** Findings that explain. */
  readonly infos: number;
  /** Findings that count for none of these, since an annotation, the configuration or a baseline says why. */
  readonly suppressed: number;
}

/** Objects of one kind that roll pods out, or decide about it, and that no system plans. */
export interface UnplannedKind {
  /** Group and version: `ray.io/v1`; of the core group the version alone. */
  readonly apiVersion: string;
  /** `RayCluster`. */
  readonly kind: string;
  /** How many of them the input holds. */
  readonly count: number;
  /** Why they are not planned. */
  readonly reason: string;
}

/** What the rollouts of a plan ask of one limit that several of them share. Amounts are Kubernetes quantities. */
export interface SharedLimit {
  /** `ResourceQuota "gpus"`, `capacity`. */
  readonly limit: string;
  /** `nvidia.com/gpu`, `pods`. */
  readonly resource: string;
  /** What there is for them all. */
  readonly available: string;
  /** What they use while nothing rolls out. */
  readonly steady: string;
  /** What they use at most, if one rolls out after another. */
  readonly sequential: string;
  /** What they use at most, if all roll out at once. */
  readonly concurrent: string;
}

/** Whether the rollouts of a plan find room in what they share. */
export interface SharedCapacityResult {
  /** Of the rollouts, if each waits for the one before. */
  readonly sequential: CapacityVerdict;
  /** Of the rollouts, if all start at once. */
  readonly concurrent: CapacityVerdict;
  /** Limits that at least two rollouts share. */
  readonly limits: readonly SharedLimit[];
  /** Both verdicts in a sentence. */
  readonly message: string;
}

/** What every front end renders. The schema is `schemas/plan-1.2.json`. */
export interface PlanDocument {
  /** The version of this format: a number behind the dot is added to, one before it changes what was there. */
  readonly formatVersion: typeof FORMAT_VERSION;
  /** The versions that the plan is made for. */
  readonly versions: Versions;
  /** What an apply over what was there does; absent where nothing is compared. */
  readonly change?: PlannedChange;
  /** How rollouts behave otherwise than in a plan document that is compared with; absent where none is. */
  readonly behaviour?: Behaviour;
  /** In input order. */
  readonly rollouts: readonly PlannedRollout[];
  /** What rolls pods out, or decides about it, and is not planned; in input order. */
  readonly notPlanned: readonly UnplannedKind[];
  /** Findings about no rollout: unreadable files, duplicates, ConfigMaps. */
  readonly findings: readonly Finding[];
  /** Absent where fewer than two rollouts are limited by a quota or a capacity. */
  readonly capacity?: SharedCapacityResult;
  /** Counts over the whole document. */
  readonly summary: PlanSummary;
}

/** Every finding of a plan, those of no rollout first. */
export function collectFindings(plan: Pick<PlanDocument, 'rollouts' | 'findings'>): Finding[] {
  return [...plan.findings, ...plan.rollouts.flatMap((rollout) => rollout.findings)];
}

export function summarizePlan({ rollouts, notPlanned, findings }: Pick<PlanDocument, 'rollouts' | 'notPlanned' | 'findings'>): PlanSummary {
  const all = collectFindings({ rollouts, findings });
  const count = (severity: Severity) => all.filter((finding) => finding.severity === severity && !finding.suppressed).length;
  return {
    rollouts: rollouts.length,
    notPlanned: notPlanned.reduce((sum, kind) => sum + kind.count, 0),
    errors: count('error'),
    warnings: count('warning'),
    infos: count('info'),
    suppressed: all.filter((finding) => finding.suppressed).length,
  };
}
