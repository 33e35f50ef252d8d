import { ROOT_PATH } from '../core/field-path';
import { listFindingFiles } from '../core/finding';
import type { Finding } from '../core/finding';
import { OMITTED_FINDINGS_ID, countOmittedFindings } from '../core/cap-findings-per-rule';
import { isFields } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import { collectFindings } from '../core/plan-document';
import type { ResourceRef } from '../core/rollout';
import { mapFindings } from './apply-configuration';

const FORMAT_VERSION = '1.1';

/**
 * One finding as a baseline keeps it: what it says and of what, without line and figures,
 * so that it is still the same when the file grows or a number changes.
 */
export interface BaselineEntry {
  readonly code: string;
  readonly messageId: string;
  /** From the folder of the baseline; absent for standard input. */
  readonly file?: string;
  /** `Deployment/shop/web`, with the component behind a blank; absent for what is about no rollout. */
  readonly resource?: string;
  /** The field path. */
  readonly path: string;
  /** How many findings are alike in all this, each counted once a file that it stands in. */
  readonly count: number;
}

/** What stood when the baseline was written, sorted. The schema is `schemas/baseline-1.2.json`. */
export interface Baseline {
  readonly formatVersion: typeof FORMAT_VERSION;
  readonly findings: readonly BaselineEntry[];
}

/** Thrown for a baseline that can't be read. */
export class BaselineError extends Error {
  override readonly name = 'BaselineError';
}

/** A file of the plan, seen from the folder of the baseline. */
export type BaselineFileResolver = (file: string) => string | undefined;

/** What a baseline may hide, and how it names files. */
export interface BaselineScope {
  readonly resolveFile: BaselineFileResolver;
  /** False for a finding that counts whatever a baseline holds, such as what a policy refuses. */
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

/** How many findings one stands for: also once for each file that holds it, so that one which comes to those of a baseline is news. */
function countFindings(finding: Finding): number {
  return countOmittedFindings(finding) || listFindingFiles(finding).length || 1;
}

/** The entry of those of its rule about its object that are not told one by one: one of them is told once one before it is mended. */
function toOmittedEntry(entry: Entry): Entry {
  return { ...entry, messageId: OMITTED_FINDINGS_ID, path: ROOT_PATH };
}

/** What stands now, may be hidden and is not suppressed otherwise. */
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
 * Reads a baseline.
 *
 * @throws BaselineError for text that `--write-baseline` did not write
 */
export function parseBaseline(text: string): Baseline {
  const hint = 'write it with --write-baseline';
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new BaselineError(`it is not JSON; ${hint}`);
  }
  if (!isFields(parsed) || !Array.isArray(parsed.findings)) throw new BaselineError(`it has no list of findings; ${hint}`);
  if (parsed.formatVersion !== FORMAT_VERSION) {
    throw new BaselineError(`its formatVersion is ${JSON.stringify(parsed.formatVersion)}, and ${FORMAT_VERSION} is read; ${hint}`);
  }
  const wrong = parsed.findings.findIndex((entry) => !isEntry(entry));
  if (wrong >= 0) throw new BaselineError(`findings[${wrong}] is not an entry of a baseline; ${hint}`);
  return { formatVersion: FORMAT_VERSION, findings: parsed.findings as readonly BaselineEntry[] };
}

/** A plan with what its baseline holds suppressed, and how much of the baseline stands no more. */
export interface BaselineResult {
  readonly plan: PlanDocument;
  readonly resolved: number;
}

/** Suppresses what stood when the baseline was written and may be hidden, each as often as it stood. */
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
    return { ...finding, suppressed: { reason: 'it stood when the baseline was written', by: 'baseline' } };
  });
  const resolved = [...remaining.values()].reduce((sum, count) => sum + count, 0);
  return { plan: suppressedPlan, resolved };
}

/** Does anything of a plan count? */
export function hasActiveFindings(plan: PlanDocument): boolean {
  return collectFindings(plan).some(({ suppressed }) => !suppressed);
}
