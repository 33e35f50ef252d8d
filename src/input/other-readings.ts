import {
  createAlteredObjectsFinding,
  createBooleanWordFinding,
  createJsonStreamFinding,
  createMergedFieldFinding,
  createUnnamedFinding,
} from '../core/rules/kustomization';
import { unreadable } from '../core/rules/unreadable';
import { ROOT_PATH, buildFieldPath } from '../core/manifest/field-path';
import type { PathPart } from '../core/manifest/field-path';
import { visitRoundedNumbers } from '../core/values/rounded-numbers';
import { describeObject, getListAt, isFields } from '../core/manifest/manifest';
import { toShownTrail } from '../core/manifest/secret-holder';
import { findListAnnotations } from './altered-objects';
import type { InputFile } from './discovered-file';
import type { DocumentObject } from './flatten-lists';
import { findContentStart } from './read-document';
import type { PlacedDocument } from './read-document';
import type { ReadState } from './read-state';

/** Reports the first field of a document that a merge sets again: kubectl reads the value of the merge, and kustomize the one before it. */
export function reportMergedField(
  objects: readonly DocumentObject[],
  { duplicateKeys, text }: PlacedDocument,
  { file, place }: InputFile,
  { findings, trustsInput, isPlannedObject }: ReadState,
): void {
  const merged = duplicateKeys.find(({ isMerged }) => isMerged === true);
  const first = merged && objects.find(({ object }) => isPlannedObject(object));
  if (!first || (trustsInput && place?.isResource !== true)) return;
  const data = { object: describeObject(first.object), file, field: merged.key };
  findings.push(createMergedFieldFinding(data, text.sourceAt(merged.at), trustsInput ? 'warning' : 'error'));
}

/** Reports the first word of a document that kubectl reads as a boolean, and kustomize as text, in a file that a kustomization lists. Files of a trusted input are read as kustomize reads them. */
export function reportBooleanWord(
  objects: readonly DocumentObject[],
  { chunk, text }: PlacedDocument,
  { file, place }: InputFile,
  { findings, trustsInput, isPlannedObject }: ReadState,
): void {
  if (trustsInput || place?.isResource !== true) return;
  const first = objects.find(({ object }) => isPlannedObject(object));
  const source = first && text.findWord(chunk);
  if (source) findings.push(createBooleanWordFinding({ object: describeObject(first.object), file }, source));
}

/** Reports the first number that is rounded here, while kubectl sends it as it is, if every file must be planned. */
export function reportRoundedNumber(
  objects: readonly DocumentObject[],
  { chunk, text }: PlacedDocument,
  { findings, trustsInput }: ReadState,
): void {
  if (trustsInput) return;
  for (const { object, trail } of objects) {
    let first: readonly PathPart[] | undefined;
    visitRoundedNumbers(object, [], (parts) => {
      first ??= [...parts];
    });
    if (first === undefined) continue;
    const data = { resource: describeObject(object), path: buildFieldPath(...toShownTrail(object, first)) };
    const source = text.locate(chunk, [...trail, ...first]);
    findings.push(unreadable.createFinding('rounded', { path: ROOT_PATH, data, source }));
    return;
  }
}

/** Reports whether kustomize can read a value as an object, or as a list of objects. Source: kustomize api v0.21.1 resource/factory.go. */
function isNamed(value: unknown): boolean {
  if (!isFields(value) || typeof value.kind !== 'string' || value.kind === '') return false;
  if (value.kind.endsWith('List') && value.items !== undefined) return getListAt(value, 'items').every(isNamed);
  return isFields(value.metadata) && Boolean(value.metadata.name);
}

/** Reports a document for which kustomize refuses the file, if a kustomization lists it. Kustomize skips empty documents. Returns whether there is one. */
export function reportUnnamed({ value, chunk, text }: PlacedDocument, { place }: InputFile, { findings, trustsInput }: ReadState): boolean {
  if (place?.isResource !== true || isNamed(value)) return false;
  if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) return false;
  findings.push(createUnnamedFinding(text.sourceAt(findContentStart(chunk, text)), trustsInput ? 'warning' : 'error'));
  return true;
}

/** Reports the first object of a document that Helm or kustomize reads in another way than kubectl: it is in a list with annotations, or follows other JSON. Returns whether there is one. */
export function reportOtherReading(
  objects: readonly DocumentObject[],
  { value, chunk, text }: PlacedDocument,
  isFollowing: boolean,
  file: InputFile,
  state: ReadState,
): boolean {
  const { findings, trustsInput } = state;
  if (trustsInput && !(isFollowing && file.place?.isResource)) return false;
  const first = objects.find(({ object }) => state.isPlannedObject(object));
  if (!first) return false;
  const data = { object: describeObject(first.object), file: file.file };
  const source = text.locate(chunk, first.trail);
  const severity = trustsInput ? 'warning' : 'error';
  const field = first.object !== value && isFields(value) ? findListAnnotations(value) : undefined;
  if (field !== undefined) findings.push(createAlteredObjectsFinding({ ...data, field }, source, severity));
  if (isFollowing) findings.push(createJsonStreamFinding(data, source, severity));
  return isFollowing;
}
