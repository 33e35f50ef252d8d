import { posix } from 'node:path';
import type { RefusedBuildData } from '../../core/rules/kustomization';
import type { Manifest } from '../../core/manifest/manifest';
import { addToGroup } from '../../core/collections/group-by';
import { listKustomizations } from '../input-tree';
import type { InputTree } from '../input-tree';
import { readKustomization } from './kustomization';
import { resolveIncluded } from '../folder-paths';
import { KustomizeBuilds } from './kustomize-builds';
import type { KustomizeFolder } from './kustomize-builds';
import type { SourceMap } from '../source-map';

/** Returns the first file, folder or URL that a kustomization lists twice, and whose objects it would add twice. */
function findRepeatedEntry({ kustomization, toFile }: KustomizeFolder, isRepeatable: (file: string) => boolean): string | undefined {
  const listed = new Map<string, string>();
  for (const entry of [...kustomization.resources, ...kustomization.components]) {
    const file = toFile(entry);
    const first = listed.get(file);
    if (first !== undefined && !isRepeatable(file)) return first;
    listed.set(file, entry);
  }
  return undefined;
}

/** What kustomize refuses to build. */
export interface RefusedKustomizations {
  readonly refused: readonly RefusedBuildData[];
  /** Kustomizations whose objects were not compared, since there are too many, by their folders. */
  readonly uncompared: ReadonlyMap<string, string>;
}

/**
 * Finds the kustomizations that kustomize refuses to build, because they list an entry twice, two entries with the same object, or themselves.
 * Source: kustomize v5.7 api/resmap/reswrangler.go, `Append`.
 */
export function findRefusedKustomizations(
  tree: InputTree,
  objects: readonly Manifest[],
  locations: Pick<SourceMap, 'textOf'>,
): RefusedKustomizations {
  const kustomizations = listKustomizations(tree);
  if (kustomizations.length === 0) return { refused: [], uncompared: new Map() };
  const objectsByFile = new Map<string, Manifest[]>();
  for (const object of objects) {
    const file = locations.textOf(object)?.file;
    if (file !== undefined) addToGroup(objectsByFile, file, object);
  }
  const folders = new Map<string, KustomizeFolder & { readonly file: string }>();
  for (const { file, meaning } of kustomizations) {
    const below = tree.paths.get(file) ?? file;
    const root = file.slice(0, file.length - below.length);
    const folder = posix.dirname(below).replace(/^\.$/, '');
    const toFile = (entry: string) => root + resolveIncluded(folder, entry);
    folders.set(toFile(''), { file, kustomization: readKustomization(meaning), toFile });
  }
  const builds = new KustomizeBuilds(folders, objectsByFile);
  // A file without objects adds none, and neither does a component that only patches.
  const isRepeatable = (file: string) => {
    const included = folders.get(file)?.kustomization;
    return included ? included.isComponent && included.entries.length === 0 : tree.paths.has(file) && !objectsByFile.has(file);
  };
  const refused = [...folders].flatMap(([key, folder]) => {
    const first = findRepeatedEntry(folder, isRepeatable);
    const found = first === undefined ? builds.findRefused(key) : { reason: 'listed-twice' as const, first };
    return found ? [{ file: folder.file, ...found }] : [];
  });
  return { refused, uncompared: new Map([...builds.uncompared].map((key) => [key, folders.get(key)!.file] as const)) };
}
