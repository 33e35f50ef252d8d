import { addToGroup } from '../../core/collections/group-by';
import { getListAt, getValueAt } from '../../core/manifest/manifest';
import { readFirstMap } from '../first-map';

/** Returns the namespaces in which a fleet.yaml places the objects of its folder. */
export function readFleetNamespaces(text: string): readonly string[] {
  const options = readFirstMap(text);
  const all = [options, ...getListAt(options, 'targetCustomizations'), ...getListAt(options, 'targets')];
  return all
    .flatMap((each) => [getValueAt(each, 'namespace'), getValueAt(each, 'defaultNamespace')])
    .filter((namespace) => typeof namespace === 'string');
}

/** What a folder sets for the files that it includes. */
export interface NamespaceSetter {
  /** Namespaces that it gives them. */
  readonly namespaces: readonly string[];
  /** Files and folders that it includes, relative to the root of the layout. */
  readonly includes: readonly string[];
}

/** Finds all namespaces that kustomizations may give a file: those of each one that includes it, directly or through others. */
export class SetNamespaces {
  private readonly parents = new Map<string, string[]>();

  constructor(private readonly byFolder: ReadonlyMap<string, NamespaceSetter>) {
    for (const [folder, { includes }] of byFolder) for (const path of includes) addToGroup(this.parents, path, folder);
  }

  /** Returns the namespaces that the kustomizations around a file may give it. */
  of(file: string): readonly string[] {
    const seen = new Set<string>();
    const open = [file];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      for (const parent of this.parents.get(path) ?? []) {
        if (seen.has(parent)) continue;
        seen.add(parent);
        open.push(parent);
      }
    }
    return [...seen].flatMap((folder) => this.byFolder.get(folder)!.namespaces);
  }
}
