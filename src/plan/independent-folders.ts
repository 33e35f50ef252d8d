import { addToGroup } from '../core/collections/group-by';
import type { ApplyUnit } from '../core/sources/apply-unit';

/** Location of an object. */
export interface ObjectLocation {
  readonly unit: ApplyUnit;
  /** Path of its file, from the given PATH. */
  readonly file: string;
  /** Key that is unique in a cluster. */
  readonly identity: string;
  /** Whether it is a rollout. Two files of one folder that both contain it are not applied together either. */
  readonly rollsOut: boolean;
}

/** Names of test folders, whose objects are unrelated to the folders next to them. */
const TEST_FOLDER = /^(?:tests?|test[-_]?data|testing|e2e|fixtures|__tests__|__fixtures__)$/;

/**
 * Splits the folder of a file into its parts below the PATH: `['a', 'b', 'c']` for `a/b/c`. A file directly in the PATH has none.
 * A revision ends with a colon instead of a slash: `git:HEAD:a/web.yaml`.
 */
function partsOf({ unit: { name }, file }: Pick<ObjectLocation, 'unit' | 'file'>): readonly string[] {
  const isBelow = file.startsWith(`${name}/`) || file.startsWith(`${name}:`);
  return isBelow
    ? file
        .slice(name.length + 1)
        .split('/')
        .slice(0, -1)
    : [];
}

/** Splits the path of a file below the PATH into its folders and its name. */
function listPathParts(place: Pick<ObjectLocation, 'unit' | 'file'>): readonly string[] {
  return [...partsOf(place), place.file.slice(place.file.lastIndexOf('/') + 1)];
}

function buildFolderKey(unit: ApplyUnit, parts: readonly string[]): string {
  return JSON.stringify([unit.id, ...parts]);
}

/** Finds the folders at which paths diverge: the children of the deepest common folder, and the same below each child. */
function findDivergingFolders(folders: readonly (readonly string[])[], depth: number): (readonly string[])[] {
  const byChild = new Map<string | undefined, (readonly string[])[]>();
  for (const folder of folders) addToGroup(byChild, folder[depth], folder);
  const children = [...byChild].filter((entry): entry is [string, (readonly string[])[]] => entry[0] !== undefined);
  const divergingHere = byChild.size > 1 ? children.map(([, [folder]]) => folder!.slice(0, depth + 1)) : [];
  return [
    ...divergingHere,
    ...children.flatMap(([, childFolders]) => (childFolders.length > 1 ? findDivergingFolders(childFolders, depth + 1) : [])),
  ];
}

/** Reports whether a folder is in a test folder. There each folder is independent. */
function isTestFolder(parts: readonly string[]): boolean {
  return parts.some((part) => TEST_FOLDER.test(part));
}

/** Folders of a PATH that are applied independently of each other. */
export interface IndependentFolders {
  /** Returns the keys of the independent folders that contain a location, the innermost first; none if it belongs to the entire PATH. */
  listEnclosingKeys(place: Pick<ObjectLocation, 'unit' | 'file'>): readonly string[];
}

/** Finds the keys of folders and files that contain an object which another one contains too, although a cluster can have it only once. */
function findIndependentKeys(places: readonly ObjectLocation[]): string[] {
  const byIdentity = new Map<string, { readonly unit: ApplyUnit; readonly folders: Map<string, readonly string[]> }>();
  for (const { unit, file, identity, rollsOut } of places) {
    const parts = rollsOut ? listPathParts({ unit, file }) : partsOf({ unit, file });
    const identityKey = `${unit.id}\n${identity}`;
    const known = byIdentity.get(identityKey);
    if (known) known.folders.set(parts.join('/'), parts);
    else byIdentity.set(identityKey, { unit, folders: new Map([[parts.join('/'), parts]]) });
  }
  const folderKeys = [...byIdentity.values()].flatMap(({ unit, folders }) =>
    folders.size < 2 ? [] : findDivergingFolders([...folders.values()], 0).map((parts) => buildFolderKey(unit, parts)),
  );
  return [...folderKeys, ...findIndependentFiles(places).map(({ unit, file }) => buildFolderKey(unit, listPathParts({ unit, file })))];
}

/**
 * Finds the folders without marker files in the given PATHs that are applied independently of each other.
 *
 * Two objects with the same name are never applied together. If two folders contain such objects, like `clusters/a` and `clusters/b`
 * or two examples of a collection, each folder is a separate unit inside the units around it.
 * The objects of one are no context for the other. The same is true for two files that contain the same rollout.
 */
export function findIndependentFolders(places: readonly ObjectLocation[]): IndependentFolders {
  const independentKeys = new Set<string>(findIndependentKeys(places));
  return {
    listEnclosingKeys: (place) => {
      const file = listPathParts(place);
      const folders = file.slice(1).map((_, index) => file.slice(0, file.length - 1 - index));
      const isIndependent = (parts: readonly string[]) => independentKeys.has(buildFolderKey(place.unit, parts));
      return [...(isIndependent(file) ? [file] : []), ...folders.filter((parts) => isTestFolder(parts) || isIndependent(parts))].map(
        (parts) => buildFolderKey(place.unit, parts),
      );
    },
  };
}

/** Finds files that were given by name and contain the same rollout as another one, like the charts of a cdk8s app for two clusters. */
function findIndependentFiles(places: readonly ObjectLocation[]): readonly ObjectLocation[] {
  const byIdentity = new Map<string, Map<string, ObjectLocation>>();
  for (const place of places) {
    if (!place.rollsOut || place.unit.name !== place.file) continue;
    const known = byIdentity.get(place.identity);
    if (known) known.set(place.unit.id, place);
    else byIdentity.set(place.identity, new Map([[place.unit.id, place]]));
  }
  return [...byIdentity.values()].flatMap((files) => (files.size < 2 ? [] : [...files.values()]));
}
