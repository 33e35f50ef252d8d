import type { Behaviour } from './behaviour';
import type { PlannedChange } from './change';
import type { ClusterSource } from './cluster-source';
import type { Finding, Severity } from '../findings/finding';
import type { PlannedRollout } from './rollout';
import type { ServicePlan } from './service-plan';
import type { CapacityVerdict } from './capacity-result';
import type { PlannedUpgrade } from './upgrade';
import type { Versions } from '../values/versions';

export const FORMAT_VERSION = '1.2';

/** Counts of findings by severity. */
export interface FindingCounts {
  /** Findings that the cluster refuses or that can never finish. */
  readonly errors: number;
  /** Findings that work but are probably not intended. */
  readonly warnings: number;
  /** Findings that explain. */
  readonly infos: number;
  /** Findings that are suppressed by an annotation, the configuration or a baseline. */
  readonly suppressed: number;
}

/** Counts over the entire document. Each finding counts once, even if it occurs several times. */
export interface PlanSummary extends FindingCounts {
  /** Number of planned rollouts. */
  readonly rollouts: number;
  /** Number of objects that affect rollouts but are not planned. */
  readonly notPlanned: number;
}

/** Objects of one kind that affect rollouts but that no system plans. */
export interface UnplannedKind {
  /** Group and version: `ray.io/v1`; only the version for the core group. */
  readonly apiVersion: string;
  /** Kind: `RayCluster`. */
  readonly kind: string;
  /** Number of them in the input. */
  readonly count: number;
  /** Reason why they are not planned. */
  readonly reason: string;
}

/** Usage of one limit that several rollouts of a plan share. Amounts are Kubernetes quantities. */
export interface SharedLimit {
  /** Name of the limit: `ResourceQuota "gpus"`, `capacity`. */
  readonly limit: string;
  /** Name of the resource: `nvidia.com/gpu`, `pods`. */
  readonly resource: string;
  /** Amount available for all of them. */
  readonly available: string;
  /** Amount that they use while nothing rolls out. */
  readonly steady: string;
  /** Maximum amount that they use if they roll out one after another. */
  readonly sequential: string;
  /** Maximum amount that they use if all roll out at once. */
  readonly concurrent: string;
}

/** Whether the rollouts of a plan fit into the limits that they share. */
export interface SharedCapacityResult {
  /** Verdict if each rollout waits for the one before. */
  readonly sequential: CapacityVerdict;
  /** Verdict if all rollouts start at once. */
  readonly concurrent: CapacityVerdict;
  /** Limits that at least two rollouts share. */
  readonly limits: readonly SharedLimit[];
  /** Both verdicts in one sentence. */
  readonly message: string;
}

/** The plan that every front end renders. The schema is `schemas/plan-1.2.json`. */
export interface PlanDocument {
  /** Version of this format: a minor version adds fields, a major version changes existing ones. */
  readonly formatVersion: typeof FORMAT_VERSION;
  /** Versions that the plan is made for. */
  readonly versions: Versions;
  /** Versions that matter to a rollout and are defaults, since none is given or detected; absent if there are none. */
  readonly assumedVersions?: Readonly<Partial<Versions>>;
  /** Cluster that the plan starts from; absent if the old objects are not a snapshot of one. */
  readonly cluster?: ClusterSource;
  /** Effect of an apply over the old objects; absent if nothing is compared. */
  readonly change?: PlannedChange;
  /** Upgrade of an operator that the change consists of; absent if objects change. */
  readonly upgrade?: PlannedUpgrade;
  /** Differences from the behaviour in another plan document; absent if none is compared. */
  readonly behaviour?: Behaviour;
  /** Rollouts in input order. */
  readonly rollouts: readonly PlannedRollout[];
  /** Kinds that affect rollouts but are not planned, in input order. */
  readonly notPlanned: readonly UnplannedKind[];
  /** Findings about no rollout: unreadable files, duplicates, ConfigMaps. */
  readonly findings: readonly Finding[];
  /** Usage of shared limits; absent if a quota or capacity limits fewer than two rollouts. */
  readonly capacity?: SharedCapacityResult;
  /** Services that select pods of a planned rollout, in input order; absent if there are none. */
  readonly services?: readonly ServicePlan[];
  /** Counts over the entire document. */
  readonly summary: PlanSummary;
  /** Digest of the planned objects: `sha256:9f86d0…`. Only in the output of `plan --format json`. */
  readonly inputDigest?: string;
}

/** Returns every finding of a plan, those of no rollout first. */
export function collectFindings(plan: Pick<PlanDocument, 'rollouts' | 'findings'>): Finding[] {
  return [...plan.findings, ...plan.rollouts.flatMap((rollout) => rollout.findings)];
}

/** Counts findings by severity, the suppressed ones apart. */
export function countFindings(findings: readonly Finding[]): FindingCounts {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity && !finding.suppressed).length;
  return {
    errors: count('error'),
    warnings: count('warning'),
    infos: count('info'),
    suppressed: findings.filter((finding) => finding.suppressed).length,
  };
}

export function summarizePlan({ rollouts, notPlanned, findings }: Pick<PlanDocument, 'rollouts' | 'notPlanned' | 'findings'>): PlanSummary {
  return {
    rollouts: rollouts.length,
    notPlanned: notPlanned.reduce((sum, kind) => sum + kind.count, 0),
    ...countFindings(collectFindings({ rollouts, findings })),
  };
}

/** Returns a plan with a new summary, for one whose findings or rollouts have changed. */
export function withSummary<Document extends PlanDocument>(plan: Document): Document {
  return { ...plan, summary: summarizePlan(plan) };
}
