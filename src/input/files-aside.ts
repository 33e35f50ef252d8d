import { fileSizeOf } from './file-content';
import { mayContainObject } from './object-text';
import { readFileDocuments, summarizeOmittedProblems } from './read-document';
import type { PlacedDocument } from './read-document';
import { flattenLists } from './flatten-lists';
import type { DocumentObject } from './flatten-lists';
import type { Finding } from '../core/findings/finding';
import type { DiscoveredFile, InputFile } from './discovered-file';
import type { ReadState } from './read-state';
import { createNotReadFinding, createUnrenderedFinding, isPlannedUnrendered } from '../core/rules/not-read';
import type { NotReadRole, UnrenderedReason } from '../core/rules/not-read';
import { FindingLimiter } from '../core/findings/finding-limits';
import { describeObject } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { BYTES_PER_MEGABYTE } from './read-budget';
import type { BudgetTracker } from './read-budget';
import { findFilledInKind } from './filled-in-fields';
import { containsInlineManifest } from './inline-manifests';
import type { InlineSearch } from './inline-manifests';
import type { InputSummary } from './input-summary';
import { createYttFinding } from '../core/rules/template';

/** An object that is not planned, and its position. */
export type ObjectAside = DocumentObject & Pick<PlacedDocument, 'text' | 'chunk'>;

/** Objects that are set aside, and problems that may hide others. */
interface ObjectsAside {
  readonly objects: readonly ObjectAside[];
  /** Problems that kubectl might not have. */
  readonly problems: readonly Finding[];
}

/** Reports whether an object that is set aside is named: one that plans read, and any object if every file must be planned, since a change lists it. */
export function isNamedAside(object: Manifest, { trustsInput, isPlannedObject }: ReadState): boolean {
  return !trustsInput || isPlannedObject(object);
}

/** Reads the objects of a file that is not planned, as kubectl would read them. */
function readObjectsAside(file: InputFile, spending: ReadState['spending'], isNamed: (object: Manifest) => boolean): ObjectsAside {
  const objects: ObjectAside[] = [];
  const problems: Finding[] = [];
  if (!mayContainObject(file.content)) return { objects, problems };
  for (const document of readFileDocuments(file, spending)) {
    if (!('value' in document)) {
      if (document.mayBeApplied) problems.push({ ...document.finding, severity: 'info' });
      continue;
    }
    const { text, chunk } = document;
    for (const found of flattenLists(document.value).objects) if (isNamed(found.object)) objects.push({ ...found, text, chunk });
  }
  return { objects, problems };
}

/** Reports whether a text may contain objects that plans read. */
export function mayContainPlannedObject(text: string, state: ReadState): boolean {
  const { objects, problems } = readObjectsAside({ file: '', content: text }, state.spending, state.isPlannedObject);
  return objects.length + problems.length > 0;
}

/** An action of a template of Go, Flux Operator or Kyverno, or with other delimiters of Crossplane. */
const TEMPLATE_ACTION = /\{\{|<<|\[\[/;

/** Reports whether a text has an action of a template. */
function hasAction(text: string): boolean {
  return TEMPLATE_ACTION.test(text);
}

/** Maximum number of pairs of a version and a kind in a text that are looked up. */
const MAX_PAIRS = 10_000;

/** A field with a complete value on its line, or on the next one. */
const API_VERSION_FIELD = /\bapiVersion["']?\s*:\s*(?:[&!]\S{0,50}\s+){0,2}["']?([\w./-]+)(?=["'\s,}]|$)/g;
const KIND_FIELD = /\bkind["']?\s*:\s*(?:[&!]\S{0,50}\s+){0,2}["']?(\w+)(?=["'\s,}]|$)/g;

/** Reports whether a text that is not read as YAML names a kind that plans read, or leaves its kind or version to a template. */
function namesPlannedKind(text: string, { isPlannedObject }: ReadState): boolean {
  const valuesOf = (field: RegExp) => [...text.matchAll(field)].map(([, value]) => value!);
  const [versions, kinds] = [valuesOf(API_VERSION_FIELD), valuesOf(KIND_FIELD)];
  const [allVersions, allKinds] = [/apiVersion\b/g, /kind\b/g].map((name) => [...text.matchAll(name)].length) as [number, number];
  if (allVersions === 0 || allKinds === 0) return false;
  // An action can complete any other value, or write the field.
  if (hasAction(text) && (versions.length < allVersions || kinds.length < allKinds)) return true;
  const [ownVersions, ownKinds] = [new Set(versions), new Set(kinds)];
  // No file of a user has so many: it only makes each pair take time.
  if (ownVersions.size * ownKinds.size > MAX_PAIRS) return true;
  return [...ownKinds].some((kind) => [...ownVersions].some((apiVersion) => isPlannedObject({ apiVersion, kind })));
}

/** Maximum number of texts inside of each other that are read. No file of a user has so many. */
const MAX_TEXTS = 5;

/** Creates what finds objects that plans read inside of another object. */
export function createInlineSearch(state: ReadState): InlineSearch {
  return {
    isPlanned: state.isPlannedObject,
    mayContainObject,
    containsPlanned: (text) => containsPlannedObject(text, state),
    isFilledIn: (object) => hasAction(object.kind) || hasAction(object.apiVersion) || findFilledInKind(object) !== undefined,
  };
}

/**
 * Reports whether a text inside of an object contains objects that plans read, or texts with such objects. The texts are read one after the other and
 * not within each other, since each may have a thousand levels.
 */
function containsPlannedObject(text: string, state: ReadState): boolean {
  let texts: readonly string[] = [text].filter(mayContainObject);
  for (let depth = 1; texts.length > 0; depth++) {
    if (depth > MAX_TEXTS) return true;
    const inner: string[] = [];
    if (texts.some((each) => hasPlannedObject(each, state, inner))) return true;
    texts = inner;
  }
  return false;
}

/**
 * Reports whether a text contains objects that plans read, and collects the texts inside of it. Objects of a template, or that cannot be read, are
 * recognized by their kinds. A document that exceeds a limit may contain any object, since its kind can be written with an escape.
 */
function hasPlannedObject(text: string, state: ReadState, inner: string[]): boolean {
  let hasProblem = false;
  for (const document of readFileDocuments({ file: '', content: text }, state.spending)) {
    if (!('value' in document)) {
      if (document.isOverLimit) return true;
      hasProblem ||= document.mayBeApplied;
    } else if (flattenLists(document.value).objects.some(({ object }) => state.isPlannedObject(object))) return true;
    // Prose is a text again.
    else if (typeof document.value !== 'string' && containsInlineManifest(document.value, createInlineSearch(state), inner)) return true;
  }
  return (hasProblem || hasAction(text)) && namesPlannedKind(text, state);
}

/** Reports the objects of a file that its role sets aside. Returns the number of these objects. */
function reportFileAside(file: InputFile, role: NotReadRole, state: ReadState): number {
  const { objects, problems } = readObjectsAside(file, state.spending, (object) => isNamedAside(object, state));
  const limiter = new FindingLimiter(state.findings, summarizeOmittedProblems);
  for (const problem of problems) limiter.add(problem);
  limiter.finish();
  reportObjectsAside(objects, role, file.file, state);
  return objects.length;
}

export function reportObjectsAside(
  objects: readonly ObjectAside[],
  role: NotReadRole,
  file: string,
  { findings, trustsInput }: ReadState,
): void {
  const [first] = objects;
  if (!first) return;
  const data = { file, resource: describeObject(first.object), others: objects.length - 1, role };
  findings.push(createNotReadFinding(data, first.text.locate(first.chunk, first.trail), trustsInput ? 'info' : 'error'));
}

function isTooLong({ content }: InputFile, { budget }: BudgetTracker): boolean {
  return fileSizeOf(content) > budget['file-megabytes'] * BYTES_PER_MEGABYTE;
}

/** Files that are not planned for the same reason. The first of them by name, and its first object unless it cannot be read. */
interface FilesAside {
  readonly first: string;
  readonly resource?: string;
  readonly files: number;
}

/** Counts files that are not planned, by what sets them aside. A file counts if it contains objects that plans read, or may contain them. */
export class AsideCounter {
  private readonly byReason = new Map<string, FilesAside>();

  add(file: DiscoveredFile, reason: string, state: ReadState): void {
    // A link out of the PATH and a file that is too long are not opened.
    const read =
      'content' in file && !isTooLong(file, state.spending) ? readObjectsAside(file, state.spending, state.isPlannedObject) : undefined;
    const first = read?.objects[0];
    if (!read || first || read.problems.length > 0) this.count(file, reason, first);
  }

  /** Adds a file that counts whatever it contains. */
  addAny(file: DiscoveredFile, reason: string): void {
    this.count(file, reason, undefined);
  }

  private count(file: DiscoveredFile, reason: string, first: ObjectAside | undefined): void {
    const known = this.byReason.get(reason);
    const own = { first: file.file, ...(first && { resource: describeObject(first.object) }) };
    this.byReason.set(reason, { ...(known && known.first <= own.first ? known : own), files: (known?.files ?? 0) + 1 });
  }

  findings(create: (reason: string, files: FilesAside) => Finding): Finding[] {
    return [...this.byReason].map(([reason, files]) => create(reason, files));
  }
}

/** Reports a file that is not planned because of its role. Each role has one finding: about the file, its chart, or all files of the role. */
export function addFileAside(file: InputFile, role: NotReadRole | 'ytt', state: ReadState, summary: InputSummary): void {
  summary.addDocuments(file.given, 1);
  if (role === 'ytt') {
    state.findings.push(createYttFinding(file.file));
    return;
  }
  const objects = reportFileAside(file, role, state);
  if (role === 'chart-template') summary.addTemplate(file.place!.chart!, file.file);
  if (role === 'expectation' && objects === 0) summary.addExpectation(file.file);
}

/** Counts the files of charts that Helm does not render, by the reason. */
export class UnrenderedFiles {
  private readonly byReason = new Map<UnrenderedReason, AsideCounter>();

  add(file: InputFile, state: ReadState): void {
    const { chart, reason } = file.place!.unrendered!;
    // A chart is one error if every file must be planned.
    if (!state.trustsInput && reason !== 'unlisted') return;
    const counter = this.byReason.get(reason) ?? new AsideCounter();
    this.byReason.set(reason, counter);
    counter.add(file, chart, state);
  }

  findings(trustsInput: boolean): Finding[] {
    return [...this.byReason].flatMap(([reason, counter]) =>
      counter.findings((chart, files) =>
        createUnrenderedFinding({ chart, reason, isPlanned: isPlannedUnrendered(reason) }, files, trustsInput ? 'info' : 'error'),
      ),
    );
  }
}
