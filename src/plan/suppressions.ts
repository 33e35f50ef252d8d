import { toFieldPath, ROOT_PATH } from '../core/manifest/field-path';
import { isCodeOfChange } from '../core/findings/code-of-change';
import type { Finding, Source } from '../core/findings/finding';
import { capFindingsPerRule, createCountedFindings } from '../core/findings/finding-limits';
import { annotationOf, groupOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { READING_RULES, isNotFinite } from '../core/findings/reading-rules';
import { findClosestName } from '../core/errors/did-you-mean';
import type { PlannedRollout } from '../core/document/rollout';
import { unreadable } from '../core/rules/unreadable';
import { ignoreWithoutReason } from '../core/rules/ignore-without-reason';
import { findRefusedPlaceholder } from './placeholders';
import { SUPPRESSIBLE_CODES } from './rules';

/** Annotation with which an object suppresses findings about it: `code: reason; code: reason`. */
export const IGNORE_ANNOTATION = 'rolloutkit/ignore';
const ANNOTATION_PATH = toFieldPath`metadata.annotations[${IGNORE_ANNOTATION}]`;

/** Kinds whose annotations are copied to their pods, by group. */
const KINDS_WITH_POD_ANNOTATIONS: Readonly<Record<string, string>> = { 'serving.kserve.io': 'InferenceService' };

/** Parsed annotation of an object. */
interface IgnoreAnnotation {
  /** Reasons by rule code. */
  readonly reasons: ReadonlyMap<string, string>;
  /** Findings about the annotation itself. */
  readonly findings: readonly Finding[];
}

function createMissingReasonFinding(entry: string, { apiVersion, kind }: Manifest): Finding {
  const isCopiedToPods = KINDS_WITH_POD_ANNOTATIONS[groupOf({ apiVersion })] === kind;
  if (!isCopiedToPods) return ignoreWithoutReason.createFinding('noReason', { path: ANNOTATION_PATH, data: { entry } });
  return ignoreWithoutReason.createFinding('noReasonOnPods', { path: ANNOTATION_PATH, data: { entry, kind } });
}

function createUnknownCodeFinding(code: string): Finding {
  if (isCodeOfChange(code))
    return ignoreWithoutReason.createFinding('codeOfChange', { path: ANNOTATION_PATH, data: { code }, severity: 'warning' });
  const nearest = findClosestName(code, SUPPRESSIBLE_CODES);
  const data = { code, ...(nearest !== undefined && { nearest }) };
  return ignoreWithoutReason.createFinding('unknownCode', { path: ANNOTATION_PATH, data, severity: 'warning' });
}

/** Parses the annotation of an object. Returns undefined if it has none. */
function parseIgnoreAnnotation(object: Manifest): IgnoreAnnotation | undefined {
  const text = annotationOf(object, IGNORE_ANNOTATION);
  if (text === undefined) return undefined;
  const reasons = new Map<string, string>();
  const withoutReason: string[] = [];
  const unknownCodes: string[] = [];
  for (const part of text.split(';')) {
    const entry = part.trim();
    if (entry === '') continue;
    const colon = entry.indexOf(':');
    const code = (colon < 0 ? entry : entry.slice(0, colon)).trim();
    const reason = colon < 0 ? '' : entry.slice(colon + 1).trim();
    if (reason === '') withoutReason.push(entry);
    else if (!SUPPRESSIBLE_CODES.includes(code)) unknownCodes.push(code);
    else reasons.set(code, reason);
  }
  const findings = [
    ...createCountedFindings(withoutReason, (entry) => createMissingReasonFinding(entry, object)),
    ...createCountedFindings(unknownCodes, createUnknownCodeFinding),
  ];
  return { reasons, findings: capFindingsPerRule(findings) };
}

/** Reports whether a finding says that something is not planned, which may have any other fault. It is an error if the input may set nothing aside. */
function isAboutReading(finding: Finding): boolean {
  return unreadable.matches(finding) || isNotFinite(finding) || (finding.severity === 'error' && READING_RULES.has(finding.code));
}

/**
 * Marks a finding that an annotation suppresses. An error about a placeholder stays, since the value is decided later: it remains as an error only
 * if the input may set nothing aside, or in a file given by name.
 */
function markSuppressed(finding: Finding, { reasons }: IgnoreAnnotation, object: Manifest): Finding {
  const reason = reasons.get(finding.code);
  return reason === undefined || finding.suppressed || isAboutReading(finding) || findRefusedPlaceholder(finding, object) !== undefined
    ? finding
    : { ...finding, suppressed: { reason, by: 'annotation' } };
}

/** Planned rollout of an object. */
interface RolloutOfObject {
  readonly object: Manifest;
  readonly rollout: PlannedRollout;
}

/** Parts of a plan with findings that annotations can suppress. */
interface SuppressibleFindings<P extends RolloutOfObject> {
  readonly rollouts: readonly P[];
  /** Findings that belong to no rollout. */
  readonly findings: readonly Finding[];
}

type Locator = (object: object, path: string) => Source | undefined;

function isSameSource(a: Source | undefined, b: Source | undefined): boolean {
  return a !== undefined && b !== undefined && a.file === b.file && a.line === b.line && a.column === b.column;
}

interface PlacedObject {
  readonly line: number;
  readonly object: Manifest;
}

/** Returns the last of the sorted objects that begins at or above a line. A file may contain 100,000 objects with findings, so it halves the list. */
function findLastUpTo(placed: readonly PlacedObject[], line: number): PlacedObject | undefined {
  let [from, to] = [0, placed.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (placed[middle]!.line <= line) from = middle + 1;
    else to = middle;
  }
  return placed[from - 1];
}

/** Creates a function that finds the object of a finding: the last one in its file that begins above it, if the path has the same location. */
function createObjectFinder(objects: readonly Manifest[], locate: Locator): (finding: Finding) => Manifest | undefined {
  const byFile = new Map<string, PlacedObject[]>();
  for (const object of objects) {
    const start = locate(object, ROOT_PATH);
    if (!start) continue;
    const inFile = byFile.get(start.file);
    if (inFile) inFile.push({ line: start.line, object });
    else byFile.set(start.file, [{ line: start.line, object }]);
  }
  const sorted = new Map([...byFile].map(([file, placed]) => [file, placed.toSorted((a, b) => a.line - b.line)]));
  return ({ source, path }) => {
    if (!source) return undefined;
    const above = findLastUpTo(sorted.get(source.file) ?? [], source.line);
    return above && isSameSource(source, locate(above.object, path)) ? above.object : undefined;
  };
}

/** Marks a finding that an annotation of its object suppresses. */
export function markSuppressedByAnnotation(finding: Finding, object: Manifest): Finding {
  const annotation = parseIgnoreAnnotation(object);
  return annotation ? markSuppressed(finding, annotation, object) : finding;
}

/** Reports whether nothing of a rollout is planned because of a finding. */
function preventsPlan({ severity }: Finding, { simulation }: PlannedRollout): boolean {
  return severity === 'error' && simulation === null;
}

/**
 * Marks the findings that the annotation `rolloutkit/ignore` of their object suppresses, and adds findings about the annotations.
 * A finding that belongs to no rollout belongs to the object at its location, so it cannot be suppressed this way without files.
 *
 * @param mustPlanAll - whether an error stays if it prevents the plan of its rollout
 */
export function applySuppressions<P extends RolloutOfObject>(
  objects: readonly Manifest[],
  planned: SuppressibleFindings<P>,
  locate: Locator,
  mustPlanAll: boolean,
): SuppressibleFindings<P> {
  const annotations = new Map<Manifest, IgnoreAnnotation>();
  for (const object of objects) {
    const annotation = parseIgnoreAnnotation(object);
    if (annotation) annotations.set(object, annotation);
  }
  if (annotations.size === 0) return planned;

  const reported = new Set<Manifest>();
  const locateFindings = (object: Manifest, { findings }: IgnoreAnnotation) =>
    findings.map((finding) => {
      const source = locate(object, finding.path);
      return source ? { ...finding, source } : finding;
    });
  const rollouts = planned.rollouts.map((entry) => {
    const annotation = annotations.get(entry.object);
    if (!annotation) return entry;
    const annotationFindings = reported.has(entry.object) ? [] : locateFindings(entry.object, annotation);
    reported.add(entry.object);
    const marked = entry.rollout.findings.map((finding) =>
      mustPlanAll && preventsPlan(finding, entry.rollout) ? finding : markSuppressed(finding, annotation, entry.object),
    );
    const findings = [...marked, ...annotationFindings];
    return { ...entry, rollout: { ...entry.rollout, findings } };
  });
  const objectAt = createObjectFinder([...annotations.keys()], locate);
  const findings = planned.findings.map((finding) => {
    const target = objectAt(finding);
    return target ? markSuppressed(finding, annotations.get(target)!, target) : finding;
  });
  const unattached = [...annotations]
    .filter(([object]) => !reported.has(object))
    .flatMap(([object, annotation]) => locateFindings(object, annotation));
  return { rollouts, findings: [...findings, ...unattached] };
}
