import type { Finding, Source } from '../../core/findings/finding';
import type { PlanDocument } from '../../core/document/plan-document';
import type { ResourceRef } from '../../core/document/rollout';

/** A finding and the resource that it is about. */
export interface ReportedFinding {
  readonly finding: Finding;
  /** Unset if it is about no rollout. */
  readonly resource?: ResourceRef;
}

/** Returns every finding of a plan. Findings about no rollout come first. */
export function collectReportedFindings({ findings, rollouts }: Pick<PlanDocument, 'findings' | 'rollouts'>): ReportedFinding[] {
  return [
    ...findings.map((finding) => ({ finding })),
    ...rollouts.flatMap(({ resource, findings: rolloutFindings }) => rolloutFindings.map((finding) => ({ finding, resource }))),
  ];
}

/** Returns an identity that is stable from run to run, because it has no line. `repeat` distinguishes identical findings. */
export function findingIdentityOf({ finding, resource }: ReportedFinding, repeat: number): string {
  const { code, messageId, path, source } = finding;
  const about = resource && [resource.kind, resource.namespace ?? '', resource.name, resource.component ?? ''];
  return JSON.stringify([code, messageId, path, source?.file ?? '', about ?? [], repeat]);
}

/** Assigns an identity to each finding. */
export function assignFindingIdentities(reported: readonly ReportedFinding[]): (ReportedFinding & { readonly identity: string })[] {
  const repeats = new Map<string, number>();
  return reported.map((one) => {
    const key = findingIdentityOf(one, 0);
    const repeat = repeats.get(key) ?? 0;
    repeats.set(key, repeat + 1);
    return { ...one, identity: findingIdentityOf(one, repeat) };
  });
}

/** Name of a file of a revision, which the checkout may not contain. */
const REVISION_FILE = /^git:/;

/** Returns the position of a finding in a file of the checkout; undefined if it is in none, as in a file of the old revision. */
export function locateInCheckout({ source }: Finding): Source | undefined {
  const position = source?.origin ?? source;
  return position === undefined || REVISION_FILE.test(position.file) ? undefined : position;
}

/** Normalizes a path to its form in the repository: `apps/web.yaml` for `./apps/web.yaml`. */
export function normalizeArtifactPath(file: string): string {
  return file
    .split('/')
    .filter((name) => name !== '.')
    .join('/');
}
