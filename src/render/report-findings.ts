import type { Finding } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import type { ResourceRef } from '../core/rollout';

/** A finding with what it is about. */
export interface ReportedFinding {
  readonly finding: Finding;
  /** Absent where it is about no rollout. */
  readonly resource?: ResourceRef;
}

/** Every finding of a plan, those of no rollout first. */
export function collectReportedFindings({ findings, rollouts }: Pick<PlanDocument, 'findings' | 'rollouts'>): ReportedFinding[] {
  return [
    ...findings.map((finding) => ({ finding })),
    ...rollouts.flatMap(({ resource, findings: rolloutFindings }) => rolloutFindings.map((finding) => ({ finding, resource }))),
  ];
}

/** What a finding is and of what, without its line: the same from run to run. Those that are alike are told apart by `repeat`. */
export function findingIdentityOf({ finding, resource }: ReportedFinding, repeat: number): string {
  const { code, messageId, path, source } = finding;
  const about = resource && [resource.kind, resource.namespace ?? '', resource.name, resource.component ?? ''];
  return JSON.stringify([code, messageId, path, source?.file ?? '', about ?? [], repeat]);
}

/** The findings, each with its identity. */
export function assignFindingIdentities(reported: readonly ReportedFinding[]): (ReportedFinding & { readonly identity: string })[] {
  const repeats = new Map<string, number>();
  return reported.map((one) => {
    const key = findingIdentityOf(one, 0);
    const repeat = repeats.get(key) ?? 0;
    repeats.set(key, repeat + 1);
    return { ...one, identity: findingIdentityOf(one, repeat) };
  });
}

/** A file as services that know the repository name it: `apps/web.yaml` for `./apps/web.yaml`. */
export function normalizeArtifactPath(file: string): string {
  return file
    .split('/')
    .filter((name) => name !== '.')
    .join('/');
}
