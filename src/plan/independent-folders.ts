import type { ApplyUnit } from '../core/apply-unit';

/** Where an object stands. */
export interface ObjectLocation {
  readonly unit: ApplyUnit;
  /** As reached from the PATH given. */
  readonly file: string;
  /** The key under which a cluster holds it, and no other. */
  readonly identity: string;
  /** Does it roll out, so that two files of one folder that hold it are not applied together either? */
  readonly rollsOut: boolean;
}

/** Folders of tests, whose objects belong to nothing beside them. */
const TEST_FOLDER = /^(?:tests?|test[-_]?data|testing|e2e|fixtures|__tests__|__fixtures__)$/;

/** `['a', 'b', 'c']` for the folder `a/b/c` below the PATH; none for what stands in the PATH itself. Behind a revision stands a colon: `git:HEAD:a/web.yaml`. */
function partsOf({ unit: { name }, file }: Pick<ObjectLocation, 'unit' | 'file'>): readonly string[] {
  const isBelow = file.startsWith(`${name}/`) || file.startsWith(`${name}:`);
  return isBelow
    ? file
        .slice(name.length + 1)
        .split('/')
        .slice(0, -1)
    : [];
}

/** The same with the file as its last part. */
function listPathParts(place: Pick<ObjectLocation, 'unit' | 'file'>): readonly string[] {
  return [...partsOf(place), place.file.slice(place.file.lastIndexOf('/') + 1)];
}

function buildFolderKey(unit: ApplyUnit, parts: readonly string[]): string {
  return JSON.stringify([unit.id, ...parts]);
}

/** The children of the folder at which ways part, one deeper than what all of them share, and the same below each. */
function findDivergingFolders(folders: readonly (readonly string[])[], depth: number): (readonly string[])[] {
  const byChild = new Map<string | undefined, (readonly string[])[]>();
  for (const folder of folders) byChild.set(folder[depth], [...(byChild.get(folder[depth]) ?? []), folder]);
  const children = [...byChild].filter((entry): entry is [string, (readonly string[])[]] => entry[0] !== undefined);
  const divergingHere = byChild.size > 1 ? children.map(([, [folder]]) => folder!.slice(0, depth + 1)) : [];
  return [
    ...divergingHere,
    ...children.flatMap(([, childFolders]) => (childFolders.length > 1 ? findDivergingFolders(childFolders, depth + 1) : [])),
  ];
}

/** Below a folder of tests each folder stands for itself. */
function isTestFolder(parts: readonly string[]): boolean {
  return parts.some((part) => TEST_FOLDER.test(part));
}

/** Folders of a PATH that stand for themselves. */
export interface IndependentFolders {
  /** Keys of the folders apart in which something stands, the innermost first; none for what belongs to the PATH as a whole. */
  listEnclosingKeys(place: Pick<ObjectLocation, 'unit' | 'file'>): readonly string[];
}

/** The keys of the folders, and of the files among them, of which another one holds what a cluster could hold once. */
function findIndependentKeys(places: readonly ObjectLocation[]): string[] {
  const byIdentity = new Map<string, { readonly unit: ApplyUnit; readonly folders: Map<string, readonly string[]> }>();
  for (const { unit, file, identity, rollsOut } of places) {
    const parts = rollsOut ? listPathParts({ unit, file }) : partsOf({ unit, file });
    const identityKey = `${unit.id}\n${identity}`;
    const known = byIdentity.get(identityKey);
    if (known) known.folders.set(parts.join('/'), parts);
    else byIdentity.set(identityKey, { unit, folders: new Map([[parts.join('/'), parts]]) });
  }
  const ofUnits = [...byIdentity.values()].flatMap(({ unit, folders }) =>
    folders.size < 2 ? [] : findDivergingFolders([...folders.values()], 0).map((parts) => buildFolderKey(unit, parts)),
  );
  return [...ofUnits, ...findIndependentFiles(places).map(({ unit, file }) => buildFolderKey(unit, listPathParts({ unit, file })))];
}

/**
 * Which folders of the PATHs given, in which no marker stands, are applied one without the other.
 *
 * Nobody applies two objects of one name together. Where a cluster could not hold what two folders hold, as `clusters/a` and `clusters/b`,
 * or two examples of a collection, each of them is a unit of its own, inside whatever is around it:
 * what stands in one surrounds nothing in the other. The same holds of two files, where both hold one rollout.
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

/** Files given by name, each a unit, of which two hold what rolls out under one name, as the charts of a cdk8s app for two clusters do. */
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
