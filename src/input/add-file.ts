import { toCheckoutPath } from '../core/sources/checkout-path';
import { isLocalConfig } from '../core/sources/local-config';
import { describeObject, isFields, isManifest } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import {
  readFileDocuments,
  createDuplicateKeyFindings,
  createLateDocumentFinding,
  createNonObjectFinding,
  createUnreadableDocumentFinding,
  filterUnreadableFindings,
  findContentStart,
  summarizeOmittedDuplicateKeys,
  summarizeOmittedProblems,
} from './read-document';
import type { PlacedDocument, UnreadableDocument } from './read-document';
import { findNotFiniteNumber } from './not-finite';
import type { ReadState } from './read-state';
import type { InputFile } from './discovered-file';
import { isNamedAside, reportObjectsAside } from './files-aside';
import { mayContainObject } from './object-text';
import type { ObjectAside } from './files-aside';
import { InputSummary } from './input-summary';
import type { PathSummary } from './input-summary';
import { createUnreadRestFinding } from '../core/rules/not-read';
import { FindingLimiter } from '../core/findings/finding-limits';
import { flattenLists } from './flatten-lists';
import type { DocumentObject } from './flatten-lists';
import { findAppliedDirective, isPatch, mayContainPatchDirective } from './file-role';
import { createNonObjectItemFinding, explainNonObject, hideSecretText } from './non-object-findings';
import { toKustomizationObject } from './kustomize/kustomization';
import { containsSecretHolder, toShownTrail } from '../core/manifest/secret-holder';
import { findUnseenField } from './unseen-objects';
import { FLEET_FILES, KUSTOMIZATION_FILES, isMarker } from './marker-files';
import { fileTextOf } from './file-content';
import { isSingleDocument, readFirstMap } from './first-map';
import type { FileContext } from './layout';
import { toManifest } from './manifest-fields';
import { withLabels } from './kustomize/kustomize-labels';
import { findToolAnnotation } from './altered-objects';
import { findFilledInField, findFilledInKind } from './filled-in-fields';
import { createAlteredObjectsFinding, createFilledInLaterFinding, createPatchDirectiveFinding } from '../core/rules/kustomization';
import type { Finding } from '../core/findings/finding';
import { basename } from 'node:path';
import { reportBooleanWord, reportMergedField, reportOtherReading, reportRoundedNumber, reportUnnamed } from './other-readings';

/**
 * Converts a file that is known by its name and contains no Kubernetes object to an object, so that it is planned like others.
 * Returns undefined for any other file.
 *
 * @param file - its name, as reached from the PATH
 * @param content - its first document; an empty map for an empty file
 */
export type FileKind = (file: string, content: Fields) => Manifest | undefined;

/** Returns the finding about an object that its tool applies in another way than the files show: always if an annotation does so, otherwise if every file must be planned. */
function createUnseenFinding(
  { object, trail, text, chunk }: ObjectAside,
  state: ReadState,
  mayHaveDirective: boolean,
): Finding | undefined {
  const { trustsInput, isPlannedObject } = state;
  const dataOf = (field: string) => ({
    object: describeObject(object),
    file: text.file,
    field: toShownTrail(object, field.split('.')).join('.'),
  });
  const field = findToolAnnotation(object) ?? (trustsInput ? undefined : findUnseenField(object, state));
  if (field !== undefined) return createAlteredObjectsFinding(dataOf(field), text.locate(chunk, trail), trustsInput ? 'warning' : 'error');
  if (trustsInput) return undefined;
  const directive = mayHaveDirective ? findAppliedDirective(object) : undefined;
  if (directive !== undefined)
    return createPatchDirectiveFinding(
      dataOf(containsSecretHolder(object) ? directive.replace(/\/.*/s, '') : directive),
      text.locate(chunk, trail),
    );
  const filledIn = findFilledInKind(object) ?? (isPlannedObject(object) ? findFilledInField(object) : undefined);
  return filledIn === undefined ? undefined : createFilledInLaterFinding(dataOf(filledIn), text.locate(chunk, trail));
}

/** Adds an object. */
function addObject(placed: ObjectAside, state: ReadState, mayHaveDirective = false): void {
  const { object, trail, text, chunk } = placed;
  state.objects.push(object);
  state.locations.register(object, { text, chunk, trail });
  const finding = createUnseenFinding(placed, state, mayHaveDirective);
  if (finding) state.findings.push(finding);
}

/** Adds a file of a kind that is known by its name. Its first document counts, and an empty file is an empty map. */
function addFileOfKind({ value, chunk, text }: PlacedDocument, kinds: readonly FileKind[], state: ReadState): boolean {
  if (isManifest(value)) return false;
  const content = value ?? {};
  const object = isFields(content) ? convertFileOfKind(text.file, content, kinds) : undefined;
  if (!object) return false;
  addObject({ object, trail: [], text, chunk }, state);
  return true;
}

function convertFileOfKind(file: string, content: Fields, kinds: readonly FileKind[]): Manifest | undefined {
  for (const kind of kinds) {
    const object = kind(file, content);
    if (object) return object;
  }
  if (KUSTOMIZATION_FILES.includes(basename(toCheckoutPath(file)))) return toKustomizationObject(content);
  return undefined;
}

/** What is known of a file while its documents are read. */
interface FileProgress {
  /** Number of documents that are not empty. */
  count: number;
  nonObjectCount: number;
  /** End of the last JSON object of a stream. @default - none was read */
  jsonEnd?: number;
  isStreamReported: boolean;
  isUnnamedReported: boolean;
  /** First empty document. */
  empty?: PlacedDocument;
  /** First document that is not an object. @default - there is none */
  nonObject?: PlacedDocument;
  /** Whether the file is of a kind that is known by its name. @default - no document was read */
  isOfKind?: boolean;
  /** @default - no document was read */
  mayHaveDirective?: boolean;
  readonly failures: UnreadableDocument[];
  readonly aside: Readonly<Record<'patches' | 'containers' | 'values' | 'locals', ObjectAside[]>>;
  readonly problems: FindingLimiter;
  readonly duplicates: FindingLimiter;
}

/** Returns where an object is set aside; undefined if it is planned. */
function selectAside(
  object: Manifest,
  { place, given }: InputFile,
  progress: FileProgress,
  { trustsInput }: ReadState,
): ObjectAside[] | undefined {
  const { aside, mayHaveDirective = false } = progress;
  if (trustsInput && place?.isValues === true && given?.as === 'folder') return aside.values;
  if (isPatch(object, mayHaveDirective, place)) return aside.patches;
  return place?.isResource === true && isLocalConfig(object) ? aside.locals : undefined;
}

/** Reports whether a document follows a JSON object without a mark between them. */
function followsJson({ chunk, text }: PlacedDocument, { jsonEnd }: FileProgress): boolean {
  return jsonEnd !== undefined && !/^---/m.test(text.text.slice(jsonEnd, findContentStart(chunk, text)));
}

/** Adds the objects of a document, or sets them aside. Returns whether some are added. */
function addDocumentObjects(document: PlacedDocument, file: InputFile, state: ReadState, progress: FileProgress): boolean {
  const { text, chunk } = document;
  const { objects, containers, nonObjects } = flattenLists(document.value);
  progress.mayHaveDirective ??= mayContainPatchDirective(text.text);
  let isAdded = false;
  const all = addKustomizeLabels(selectFields(objects, file, state), file.place, state);
  for (const [index, { object, trail }] of all.entries()) {
    if (index > 0 && state.spending.isLate()) {
      progress.problems.add(createLateDocumentFinding(text.sourceAt(chunk.at), state.spending));
      state.isStopped = true;
      break;
    }
    const aside = selectAside(object, file, progress, state);
    if (aside === undefined) {
      addObject({ object, trail, text, chunk }, state, progress.mayHaveDirective);
      isAdded = true;
    } else if (isNamedAside(object, state)) aside.push({ object, trail, text, chunk });
  }
  // Kustomize keeps such an object, of whatever kind, so the items do not exist for it.
  for (const inner of containers.filter(({ object }) => isNamedAside(object, state)))
    progress.aside.containers.push({ ...inner, text, chunk });
  const isFollowing = !progress.isStreamReported && followsJson(document, progress);
  if (chunk.json) progress.jsonEnd = chunk.end;
  reportMergedField(objects, document, file, state);
  reportBooleanWord(objects, document, file, state);
  reportRoundedNumber(objects, document, state);
  progress.isUnnamedReported ||= reportUnnamed(document, file, state);
  progress.isStreamReported ||= reportOtherReading(objects, document, isFollowing, file, state);
  for (const item of nonObjects) progress.problems.add(createNonObjectItemFinding(item, text.locate(chunk, item.trail)));
  return isAdded;
}

/** Reports whether a document with a key twice contains an object that plans read. */
function containsRepeatedPlan({ duplicateKeys, value }: PlacedDocument, { isPlannedObject }: ReadState): boolean {
  return duplicateKeys.length > 0 && flattenLists(value).objects.some(({ object }) => isPlannedObject(object));
}

/** Adds a document that is not empty. */
function addDocument(
  document: PlacedDocument,
  file: InputFile,
  kinds: readonly FileKind[],
  state: ReadState,
  progress: FileProgress,
): void {
  const { problems, duplicates } = progress;
  progress.isOfKind ??= addFileOfKind(document, kinds, state);
  const isAdded = addDocumentObjects(document, file, state, progress);
  if (isAdded || progress.isOfKind) {
    const isRefused = !state.trustsInput && (progress.isOfKind || containsRepeatedPlan(document, state));
    for (const finding of createDuplicateKeyFindings(document, file.place, isRefused)) duplicates.add(finding);
  }
  const notFinite = isAdded ? findNotFiniteNumber(document) : undefined;
  if (notFinite) problems.add(notFinite);
  if (progress.isOfKind) return;
  const problem = createNonObjectFinding(file, document, state.trustsInput);
  if (problem) problems.add(problem);
  else if (explainNonObject(document.value) && !isMarker(basename(toCheckoutPath(file.file)))) {
    progress.nonObjectCount++;
    progress.nonObject ??= document;
  }
}

/**
 * Creates the finding about a document that is not an object in a file with objects that plans read. Fleet leaves out such a file, and so does
 * Argo CD in some cases. Source: fleet v0.16 internal/helmdeployer/rawyaml/resources.go, argo-cd v3.2 reposerver/repository/repository.go.
 */
function createMixedFileFinding(document: PlacedDocument): Finding {
  const { value, chunk, text } = document;
  const at = text.sourceAt(findContentStart(chunk, text));
  return createUnreadableDocumentFinding(at, at, hideSecretText(explainNonObject(value)!, chunk, text));
}

/** A line without content: blank, a comment or a mark. */
const EMPTY_LINE = /^\s*(?:#|$)|^(?:---|\.\.\.)\s*(?:#|$)/;

/** Line breaks of YAML 1.1. */
const LINE_BREAK = /[\r\n\u0085\u2028\u2029]/;

/** Reports text after the end of a document that may contain objects. kubectl drops it. */
function reportUnreadRest({ text, chunk, restAt }: PlacedDocument, { findings, trustsInput }: ReadState): void {
  if (restAt === undefined) return;
  const lines = text.text.slice(restAt, chunk.end).split(LINE_BREAK);
  if (!mayContainObject(lines.filter((line) => !EMPTY_LINE.test(line)).join('\n'))) return;
  findings.push(createUnreadRestFinding(text.sourceAt(restAt), trustsInput ? 'warning' : 'error'));
}

/** Reports a fleet.yaml that Fleet reads as such, but that is planned as an object or as several documents. Fleet ignores its apiVersion and kind. */
function reportFleetFile({ file, content }: InputFile, { findings }: ReadState): void {
  const text = fileTextOf(content);
  const field = !isSingleDocument(text) ? 'more than one document' : isManifest(readFirstMap(text)) ? 'apiVersion' : undefined;
  if (field === undefined) return;
  findings.push(createAlteredObjectsFinding({ object: 'FleetYaml', file, field }, { file, line: 1 }, 'error'));
}

/** Adds the objects and findings of one file. Returns the number of its documents that are not empty, and the number of those that are not objects. */
export function addFile(file: InputFile, kinds: readonly FileKind[], state: ReadState, summary: InputSummary): Omit<PathSummary, 'as'> {
  const progress: FileProgress = {
    count: 0,
    nonObjectCount: 0,
    isStreamReported: false,
    isUnnamedReported: false,
    failures: [],
    aside: { patches: [], containers: [], values: [], locals: [] },
    problems: new FindingLimiter(state.findings, summarizeOmittedProblems),
    duplicates: new FindingLimiter(state.findings, summarizeOmittedDuplicateKeys),
  };
  const { aside, failures, problems, duplicates } = progress;
  const before = state.objects.length;
  for (const document of readFileDocuments(file, state.spending, state.trustsInput && file.place?.isResource)) {
    if ('value' in document) reportUnreadRest(document, state);
    if ('value' in document && document.value === null) {
      progress.empty ??= document;
      continue;
    }
    progress.count++;
    if ('value' in document) addDocument(document, file, kinds, state, progress);
    else failures.push(document);
    if (state.isStopped) break;
  }
  const known = { trustsInput: state.trustsInput, hasObjects: state.objects.length > before };
  for (const finding of filterUnreadableFindings(file, failures, summary, known)) problems.add(finding);
  const isMixed = !state.trustsInput && progress.nonObject && state.objects.slice(before).some(state.isPlannedObject);
  if (isMixed) problems.add(createMixedFileFinding(progress.nonObject!));
  if (!state.trustsInput && FLEET_FILES.includes(basename(toCheckoutPath(file.file)))) reportFleetFile(file, state);
  problems.finish();
  reportObjectsAside(aside.patches, file.place?.isPatch ? 'patch' : 'patch-object', file.file, state);
  reportObjectsAside(aside.containers, 'items', file.file, state);
  reportObjectsAside(aside.values, 'values', file.file, state);
  reportObjectsAside(aside.locals, 'local-config', file.file, state);
  duplicates.finish();
  const { empty, count, nonObjectCount } = progress;
  if (empty && progress.isOfKind === undefined) progress.isOfKind = addFileOfKind(empty, kinds, state);
  return progress.isOfKind ? { count: 1, nonObjectCount: 0 } : { count, nonObjectCount };
}

/** Drops what a manifest cannot set, if the objects of the file are known to be manifests. */
function selectFields(
  objects: readonly DocumentObject[],
  { hasManifests }: InputFile,
  { isPlannedObject }: ReadState,
): readonly DocumentObject[] {
  return hasManifests ? objects.map(({ object, trail }) => ({ object: toManifest(object, isPlannedObject(object)), trail })) : objects;
}

/** Adds the labels and annotations of the kustomizations around the file. Those of an input that is not trusted are errors, and not added: guardrails match labels. */
function addKustomizeLabels(
  objects: readonly DocumentObject[],
  place: FileContext | undefined,
  { trustsInput }: Pick<ReadState, 'trustsInput'>,
): readonly DocumentObject[] {
  const labels = trustsInput ? place?.labels : undefined;
  return labels ? objects.map(({ object, trail }) => ({ object: withLabels(object, labels), trail })) : objects;
}
