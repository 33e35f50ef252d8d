import { at, WHOLE_OBJECT } from '../core/field-path';
import type { Finding, Source } from '../core/finding';
import { annotationOf, groupOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { nearestName } from '../core/nearest-name';
import type { PlannedRollout } from '../core/rollout';
import { ignoreWithoutReason } from '../core/rules/ignore-without-reason';
import { CODES } from './rules';

/** The annotation by which an object says which findings about it are known, and why: `code: reason; code: reason`. */
const ANNOTATION = 'rolloutkit/ignore';
const ANNOTATION_PATH = at`metadata.annotations[${ANNOTATION}]`;

/** Annotations of these kinds reach their pods, by group. */
const REACHES_PODS: Readonly<Record<string, string>> = { 'serving.kserve.io': 'InferenceService' };

/** What an object says of findings about it. */
interface Ignored {
  /** The reason by code. */
  readonly reasons: ReadonlyMap<string, string>;
  /** What is wrong with what it says. */
  readonly findings: readonly Finding[];
}

function entryFinding(entry: string, { apiVersion, kind }: Manifest): Finding {
  const reaches = REACHES_PODS[groupOf({ apiVersion })] === kind;
  if (!reaches) return ignoreWithoutReason.finding('noReason', { path: ANNOTATION_PATH, data: { entry } });
  return ignoreWithoutReason.finding('noReasonOnPods', { path: ANNOTATION_PATH, data: { entry, kind } });
}

function codeFinding(code: string): Finding {
  const nearest = nearestName(code, CODES);
  const data = { code, ...(nearest !== undefined && { nearest }) };
  return ignoreWithoutReason.finding('unknownCode', { path: ANNOTATION_PATH, data, severity: 'warning' });
}

/** Does an object say which findings about it are known? */
export function saysWhatToIgnore(object: Manifest): boolean {
  return annotationOf(object, ANNOTATION) !== undefined;
}

/** Reads the annotation; undefined where the object has none. */
function ignoredBy(object: Manifest): Ignored | undefined {
  const text = annotationOf(object, ANNOTATION);
  if (text === undefined) return undefined;
  const reasons = new Map<string, string>();
  const findings: Finding[] = [];
  for (const part of text.split(';')) {
    const entry = part.trim();
    if (entry === '') continue;
    const colon = entry.indexOf(':');
    const code = (colon < 0 ? entry : entry.slice(0, colon)).trim();
    const reason = colon < 0 ? '' : entry.slice(colon + 1).trim();
    if (reason === '') findings.push(entryFinding(entry, object));
    else if (!CODES.includes(code)) findings.push(codeFinding(code));
    else reasons.set(code, reason);
  }
  return { reasons, findings };
}

function suppressed(finding: Finding, { reasons }: Ignored): Finding {
  const reason = reasons.get(finding.code);
  return reason === undefined || finding.suppressed ? finding : { ...finding, suppressed: { reason, by: 'annotation' } };
}

/** What is planned of one object. */
interface Placed {
  readonly object: Manifest;
  readonly rollout: PlannedRollout;
}

/** The parts of a plan that annotations speak about. */
interface Findings<P extends Placed> {
  readonly rollouts: readonly P[];
  /** About no rollout. */
  readonly findings: readonly Finding[];
}

type Locate = (object: object, path: string) => Source | undefined;

function samePlace(a: Source | undefined, b: Source | undefined): boolean {
  return a !== undefined && b !== undefined && a.file === b.file && a.line === b.line && a.column === b.column;
}

/** Finds the one among some objects that a finding stands in: in its file the last that begins above it, if the path leads to the same place. */
function objectFinder(objects: readonly Manifest[], locate: Locate): (finding: Finding) => Manifest | undefined {
  const byFile = new Map<string, { readonly line: number; readonly object: Manifest }[]>();
  for (const object of objects) {
    const start = locate(object, WHOLE_OBJECT);
    if (start) byFile.set(start.file, [...(byFile.get(start.file) ?? []), { line: start.line, object }]);
  }
  return ({ source, path }) => {
    if (!source) return undefined;
    const above = byFile.get(source.file)?.findLast(({ line }) => line <= source.line);
    return above && samePlace(source, locate(above.object, path)) ? above.object : undefined;
  };
}

/**
 * Marks the findings that the annotation `rolloutkit/ignore` of their object names, and adds what is wrong with such annotations.
 * A finding about no rollout belongs to the object in which it is located, so without files it can't be suppressed this way.
 */
export function withIgnored<P extends Placed>(objects: readonly Manifest[], planned: Findings<P>, locate: Locate): Findings<P> {
  const ignoring = new Map<Manifest, Ignored>();
  for (const object of objects) {
    const ignored = ignoredBy(object);
    if (ignored) ignoring.set(object, ignored);
  }
  if (ignoring.size === 0) return planned;

  const said = new Set<Manifest>();
  const located = (object: Manifest, { findings }: Ignored) =>
    findings.map((finding) => {
      const source = locate(object, finding.path);
      return source ? { ...finding, source } : finding;
    });
  const rollouts = planned.rollouts.map((placed) => {
    const ignored = ignoring.get(placed.object);
    if (!ignored) return placed;
    const own = said.has(placed.object) ? [] : located(placed.object, ignored);
    said.add(placed.object);
    const findings = [...placed.rollout.findings.map((finding) => suppressed(finding, ignored)), ...own];
    return { ...placed, rollout: { ...placed.rollout, findings } };
  });
  const objectAt = objectFinder([...ignoring.keys()], locate);
  const findings = planned.findings.map((finding) => {
    const about = objectAt(finding);
    return about ? suppressed(finding, ignoring.get(about)!) : finding;
  });
  const aboutNone = [...ignoring].filter(([object]) => !said.has(object)).flatMap(([object, ignored]) => located(object, ignored));
  return { rollouts, findings: [...findings, ...aboutNone] };
}
