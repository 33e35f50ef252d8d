import type { Finding, Severity } from './finding';
import type { Rollout } from './rollout';
import type { Versions } from './versions';

export const FORMAT_VERSION = '1.0';

/** Counts over the whole document; each finding once, wherever it stands. */
export interface PlanSummary {
  readonly rollouts: number;
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
}

/** What every front end renders. The schema is `schemas/plan-1.0.json`. */
export interface PlanDocument {
  readonly formatVersion: typeof FORMAT_VERSION;
  readonly versions: Versions;
  readonly rollouts: readonly Rollout[];
  /** Findings about no rollout: unreadable files, duplicates, ConfigMaps. */
  readonly findings: readonly Finding[];
  readonly summary: PlanSummary;
}

/** Every finding of a plan, those of no rollout first. */
export function allFindings(plan: Pick<PlanDocument, 'rollouts' | 'findings'>): Finding[] {
  return [...plan.findings, ...plan.rollouts.flatMap((rollout) => rollout.findings)];
}

export function summarise(rollouts: readonly Rollout[], findings: readonly Finding[]): PlanSummary {
  const count = (severity: Severity) => allFindings({ rollouts, findings }).filter((finding) => finding.severity === severity).length;
  return { rollouts: rollouts.length, errors: count('error'), warnings: count('warning'), infos: count('info') };
}
