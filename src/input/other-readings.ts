import { createAlteredObjectsFinding, createJsonStreamFinding } from '../core/rules/kustomization';
import { describeObject, isFields } from '../core/manifest';
import { findListAnnotations } from './altered-objects';
import type { InputFile } from './discovered-file';
import type { ObjectAside } from './files-aside';
import type { ReadState } from './read-state';

/** Reports the first object of a document that Helm or kustomize reads in another way than kubectl: it is in a list with annotations, or follows other JSON. Returns whether there is one. */
export function reportOtherReading(
  objects: readonly ObjectAside[],
  document: unknown,
  isFollowing: boolean,
  file: InputFile,
  state: ReadState,
): boolean {
  const first = objects.find(({ object }) => state.isPlannedObject(object));
  const { findings, trustsInput } = state;
  if (!first || (trustsInput && !(isFollowing && file.place?.isResource))) return false;
  const data = { object: describeObject(first.object), file: file.file };
  const source = first.text.locate(first.chunk, first.trail);
  const severity = trustsInput ? 'warning' : 'error';
  const field = first.object !== document && isFields(document) ? findListAnnotations(document) : undefined;
  if (field !== undefined) findings.push(createAlteredObjectsFinding({ ...data, field }, source, severity));
  if (isFollowing) findings.push(createJsonStreamFinding(data, source, severity));
  return isFollowing;
}
