import { posix } from 'node:path';
import type { RepeatedObjectData } from '../core/rules/kustomization';
import { describeObject, nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { addToGroup } from '../core/group-by';
import type { InputTree } from './input-tree';
import { readKustomization } from './kustomization';
import { resolveIncluded } from './folder-paths';
import { KUSTOMIZATION_FILES } from './marker-files';
import type { SourceMap } from './source-map';

/** Returns what kustomize knows an object by; undefined for an object whose name the API server generates. */
function identityOf(object: Manifest): string | undefined {
  const name = nameOf(object);
  return name === '' ? undefined : JSON.stringify([object.apiVersion, object.kind, namespaceOf(object) ?? 'default', name]);
}

/** Finds the first object that a kustomization lists twice, or the first folder or URL. */
function findRepeated(
  entries: readonly string[],
  toFile: (entry: string) => string,
  objectsByFile: ReadonlyMap<string, readonly Manifest[]>,
  isRead: (file: string) => boolean,
): Omit<RepeatedObjectData, 'file'> | undefined {
  const entryOf = new Map<string, string>();
  const listed = new Map<string, string>();
  for (const entry of entries) {
    const file = toFile(entry);
    const first = listed.get(file);
    if (first !== undefined && (objectsByFile.has(file) || !isRead(file))) return { first };
    listed.set(file, entry);
    const identities = new Map((objectsByFile.get(file) ?? []).map((object) => [identityOf(object), object]));
    for (const [identity, object] of identities) {
      if (identity === undefined) continue;
      const other = entryOf.get(identity);
      if (other !== undefined) return { first: other, second: entry, resource: describeObject(object) };
      entryOf.set(identity, entry);
    }
  }
  return undefined;
}

/**
 * Finds the kustomizations that kustomize refuses to build, because they list a file or a folder twice, or two files with the same object.
 * Source: kustomize v5.7 api/resmap/reswrangler.go, `Append`.
 */
export function findRepeatedObjects(
  { markers, paths }: InputTree,
  objects: readonly Manifest[],
  locations: Pick<SourceMap, 'textOf'>,
): readonly RepeatedObjectData[] {
  const kustomizations = [...markers].flatMap(([key, found]) => (posix.basename(key) === KUSTOMIZATION_FILES[0] ? found : []));
  if (kustomizations.length === 0) return [];
  const objectsByFile = new Map<string, Manifest[]>();
  for (const object of objects) {
    const file = locations.textOf(object)?.file;
    if (file !== undefined) addToGroup(objectsByFile, file, object);
  }
  return kustomizations.flatMap(({ file, meaning }) => {
    const below = paths.get(file) ?? file;
    const root = file.slice(0, file.length - below.length);
    const folder = posix.dirname(below).replace(/^\.$/, '');
    const toFile = (entry: string) => root + resolveIncluded(folder, entry);
    const repeated = findRepeated(readKustomization(meaning).resources, toFile, objectsByFile, (each) => paths.has(each));
    return repeated ? [{ file, ...repeated }] : [];
  });
}
