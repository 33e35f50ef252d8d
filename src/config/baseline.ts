import { ROOT_PATH } from '../core/manifest/field-path';
import { OMITTED_FINDINGS_ID, listFindingFiles } from '../core/findings/finding';
import type { Finding } from '../core/findings/finding';
import { countOmittedFindings } from '../core/findings/finding-limits';
import { isFields } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import { collectFindings } from '../core/document/plan-document';
import type { ResourceRef } from '../core/document/rollout';
import { parseLimitedJson } from '../core/values/levels';
import { mapFindings } from './apply-configuration';

const FORMAT_VERSION = '1.2';

/**
 * One finding of a baseline: what it says and about which object, without line and numbers.
 * So it still matches when the file grows or a number changes.
 */
export interface BaselineEntry {
  readonly code: string;
  readonly messageId: string;
  /** Path relative to the folder of the baseline; absent for standard input. */
  readonly file?: string;
  /** `Deployment/shop/web`, followed by a space and the component; absent for a finding about no rollout. */
  readonly resource?: string;
  /** Field path. */
  readonly path: string;
  /** Number of findings that match this entry, each counted once per file that contains it. */
  readonly count: number;
}

/** Findings that existed when the baseline was written, sorted. The schema is `schemas/baseline-1.2.json`. */
export interface Baseline {
  readonly formatVersion: typeof FORMAT_VERSION;
  readonly findings: readonly BaselineEntry[];
}

/** Thrown for a baseline that cannot be read. */
export class BaselineError extends Error {
  override readonly name = 'BaselineError';
}

/** Returns the path of a file of the plan relative to the folder of the baseline. */
export type BaselineFileResolver = (file: string) => string | undefined;

/** Which findings a baseline may suppress, and how it names files. */
export interface BaselineScope {
  readonly resolveFile: BaselineFileResolver;
  /** Reports whether a baseline may suppress a finding; false for example for a violation of a policy. */
  readonly canSuppress: (finding: Finding) => boolean;
}

type Entry = Omit<BaselineEntry, 'count'>;

function formatResource({ kind, namespace, name, component }: ResourceRef): string {
  const objectName = [kind, ...(namespace === undefined ? [] : [namespace]), name].join('/');
  return component === undefined ? objectName : `${objectName} ${component}`;
}

function createEntry(
  { code, messageId, path, source }: Finding,
  resource: ResourceRef | undefined,
  resolveFile: BaselineFileResolver,
): Entry {
  const file = source && resolveFile(source.file);
  return {
    code,
    messageId,
    ...(file !== undefined && { file }),
    ...(resource && { resource: formatResource(resource) }),
    path,
  };
}

function keyOf({ code, messageId, file = '', resource = '', path }: Entry): string {
  return JSON.stringify([file, resource, path, code, messageId]);
}

/** Returns how many findings one represents. It counts once per file that contains it, so that a finding in a new file is new. */
function countFindings(finding: Finding): number {
  return countOmittedFindings(finding) || listFindingFiles(finding).length || 1;
}

/**
 * Returns the entry for findings of the same rule and object that are not listed individually. When a listed finding is fixed, one of them
 * becomes listed.
 */
function toOmittedEntry(entry: Entry): Entry {
  return { ...entry, messageId: OMITTED_FINDINGS_ID, path: ROOT_PATH };
}

/** Creates a baseline of the findings that it may suppress and that nothing else suppresses. */
export function createBaseline(plan: PlanDocument, { resolveFile, canSuppress }: BaselineScope): Baseline {
  const entries = new Map<string, BaselineEntry>();
  const add = (finding: Finding, resource?: ResourceRef) => {
    if (!canSuppress(finding) || (finding.suppressed && finding.suppressed.by !== 'baseline')) return;
    const entry = createEntry(finding, resource, resolveFile);
    const key = keyOf(entry);
    entries.set(key, { ...entry, count: (entries.get(key)?.count ?? 0) + countFindings(finding) });
  };
  plan.findings.forEach((finding) => add(finding));
  plan.rollouts.forEach(({ resource, findings }) => findings.forEach((finding) => add(finding, resource)));
  const findings = [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  return { formatVersion: FORMAT_VERSION, findings };
}

function isEntry(value: unknown): value is BaselineEntry {
  if (!isFields(value)) return false;
  const { code, messageId, file, resource, path, count } = value;
  const isText = (text: unknown) => typeof text === 'string';
  const isTextOrAbsent = (text: unknown) => text === undefined || isText(text);
  return (
    [code, messageId, path].every(isText) && [file, resource].every(isTextOrAbsent) && Number.isSafeInteger(count) && (count as number) > 0
  );
}

/**
 * Parses a baseline.
 *
 * @throws BaselineError for text that `--write-baseline` did not write
 */
export function parseBaseline(text: string): Baseline {
  const hint = 'write it with --write-baseline';
  let parsed: unknown;
  try {
    parsed = parseLimitedJson(text);
  } catch {
    throw new BaselineError(`it is not JSON; ${hint}`);
  }
  if (!isFields(parsed) || !Array.isArray(parsed.findings)) throw new BaselineError(`it has no list of findings; ${hint}`);
  if (parsed.formatVersion !== FORMAT_VERSION) {
    throw new BaselineError(
      `its formatVersion is ${JSON.stringify(parsed.formatVersion)}, but only ${FORMAT_VERSION} is supported; ${hint}`,
    );
  }
  const invalidIndex = parsed.findings.findIndex((entry) => !isEntry(entry));
  if (invalidIndex >= 0) throw new BaselineError(`findings[${invalidIndex}] is not an entry of a baseline; ${hint}`);
  return { formatVersion: FORMAT_VERSION, findings: parsed.findings as readonly BaselineEntry[] };
}

/** A plan with its baseline findings suppressed, and how many findings of the baseline no longer exist. */
export interface BaselineResult {
  readonly plan: PlanDocument;
  readonly resolved: number;
}

/** Suppresses findings that existed when the baseline was written and that it may suppress, each as often as the baseline counts it. */
export function markBaselineFindings(plan: PlanDocument, baseline: Baseline, { resolveFile, canSuppress }: BaselineScope): BaselineResult {
  const remaining = new Map(baseline.findings.map((entry) => [keyOf(entry), entry.count]));
  const suppressedPlan = mapFindings(plan, (finding, resource) => {
    if (finding.suppressed) return finding;
    const entry = createEntry(finding, resource, resolveFile);
    const key = [entry, toOmittedEntry(entry)].map(keyOf).find((candidate) => remaining.get(candidate));
    if (key === undefined) return finding;
    const count = remaining.get(key)!;
    remaining.set(key, Math.max(0, count - countFindings(finding)));
    if (count < countFindings(finding) || !canSuppress(finding)) return finding;
    return { ...finding, suppressed: { reason: 'it existed when the baseline was written', by: 'baseline' } };
  });
  const resolved = [...remaining.values()].reduce((sum, count) => sum + count, 0);
  return { plan: suppressedPlan, resolved };
}

/** Reports whether a plan has findings that are not suppressed. */
export function hasActiveFindings(plan: PlanDocument): boolean {
  return collectFindings(plan).some(({ suppressed }) => !suppressed);
}
