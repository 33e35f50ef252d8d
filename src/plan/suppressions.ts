import { toFieldPath, ROOT_PATH } from '../core/field-path';
import type { Finding, Source } from '../core/finding';
import { annotationOf, groupOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { findClosestName } from '../core/did-you-mean';
import type { PlannedRollout } from '../core/rollout';
import { ignoreWithoutReason } from '../core/rules/ignore-without-reason';
import { RULE_CODES } from './rules';

/** The annotation by which an object says which findings about it are known, and why: `code: reason; code: reason`. */
const IGNORE_ANNOTATION = 'rolloutkit/ignore';
const ANNOTATION_PATH = toFieldPath`metadata.annotations[${IGNORE_ANNOTATION}]`;

/** Annotations of these kinds reach their pods, by group. */
const KINDS_WITH_POD_ANNOTATIONS: Readonly<Record<string, string>> = { 'serving.kserve.io': 'InferenceService' };

/** What an object says of findings about it. */
interface IgnoreAnnotation {
  /** The reason by code. */
  readonly reasons: ReadonlyMap<string, string>;
  /** What is wrong with what it says. */
  readonly findings: readonly Finding[];
}

function createMissingReasonFinding(entry: string, { apiVersion, kind }: Manifest): Finding {
  const reaches = KINDS_WITH_POD_ANNOTATIONS[groupOf({ apiVersion })] === kind;
  if (!reaches) return ignoreWithoutReason.createFinding('noReason', { path: ANNOTATION_PATH, data: { entry } });
  return ignoreWithoutReason.createFinding('noReasonOnPods', { path: ANNOTATION_PATH, data: { entry, kind } });
}

function createUnknownCodeFinding(code: string): Finding {
  const nearest = findClosestName(code, RULE_CODES);
  const data = { code, ...(nearest !== undefined && { nearest }) };
  return ignoreWithoutReason.createFinding('unknownCode', { path: ANNOTATION_PATH, data, severity: 'warning' });
}

/** Does an object say which findings about it are known? */
export function hasIgnoreAnnotation(object: Manifest): boolean {
  return annotationOf(object, IGNORE_ANNOTATION) !== undefined;
}

/** Reads the annotation; undefined where the object has none. */
function parseIgnoreAnnotation(object: Manifest): IgnoreAnnotation | undefined {
  const text = annotationOf(object, IGNORE_ANNOTATION);
  if (text === undefined) return undefined;
  const reasons = new Map<string, string>();
  const findings: Finding[] = [];
  for (const part of text.split(';')) {
    const entry = part.trim();
    if (entry === '') continue;
    const colon = entry.indexOf(':');
    const code = (colon < 0 ? entry : entry.slice(0, colon)).trim();
    const reason = colon < 0 ? '' : entry.slice(colon + 1).trim();
    if (reason === '') findings.push(createMissingReasonFinding(entry, object));
    else if (!RULE_CODES.includes(code)) findings.push(createUnknownCodeFinding(code));
    else reasons.set(code, reason);
  }
  return { reasons, findings };
}

function markSuppressed(finding: Finding, { reasons }: IgnoreAnnotation): Finding {
  const reason = reasons.get(finding.code);
  return reason === undefined || finding.suppressed ? finding : { ...finding, suppressed: { reason, by: 'annotation' } };
}

/** What is planned of one object. */
interface RolloutOfObject {
  readonly object: Manifest;
  readonly rollout: PlannedRollout;
}

/** The parts of a plan that annotations speak about. */
interface SuppressibleFindings<P extends RolloutOfObject> {
  readonly rollouts: readonly P[];
  /** About no rollout. */
  readonly findings: readonly Finding[];
}

type Locator = (object: object, path: string) => Source | undefined;

function isSameSource(a: Source | undefined, b: Source | undefined): boolean {
  return a !== undefined && b !== undefined && a.file === b.file && a.line === b.line && a.column === b.column;
}

/** Finds the one among some objects that a finding stands in: in its file the last that begins above it, if the path leads to the same place. */
function createObjectFinder(objects: readonly Manifest[], locate: Locator): (finding: Finding) => Manifest | undefined {
  const byFile = new Map<string, { readonly line: number; readonly object: Manifest }[]>();
  for (const object of objects) {
    const start = locate(object, ROOT_PATH);
    if (start) byFile.set(start.file, [...(byFile.get(start.file) ?? []), { line: start.line, object }]);
  }
  return ({ source, path }) => {
    if (!source) return undefined;
    const above = byFile.get(source.file)?.findLast(({ line }) => line <= source.line);
    return above && isSameSource(source, locate(above.object, path)) ? above.object : undefined;
  };
}

/**
 * Marks the findings that the annotation `rolloutkit/ignore` of their object names, and adds what is wrong with such annotations.
 * A finding about no rollout belongs to the object in which it is located, so without files it can't be suppressed this way.
 */
export function applySuppressions<P extends RolloutOfObject>(
  objects: readonly Manifest[],
  planned: SuppressibleFindings<P>,
  locate: Locator,
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
  const rollouts = planned.rollouts.map((placed) => {
    const annotation = annotations.get(placed.object);
    if (!annotation) return placed;
    const own = reported.has(placed.object) ? [] : locateFindings(placed.object, annotation);
    reported.add(placed.object);
    const findings = [...placed.rollout.findings.map((finding) => markSuppressed(finding, annotation)), ...own];
    return { ...placed, rollout: { ...placed.rollout, findings } };
  });
  const objectAt = createObjectFinder([...annotations.keys()], locate);
  const findings = planned.findings.map((finding) => {
    const target = objectAt(finding);
    return target ? markSuppressed(finding, annotations.get(target)!) : finding;
  });
  const unattached = [...annotations]
    .filter(([object]) => !reported.has(object))
    .flatMap(([object, annotation]) => locateFindings(object, annotation));
  return { rollouts, findings: [...findings, ...unattached] };
}
