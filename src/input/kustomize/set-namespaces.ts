import { addToGroup } from '../../core/collections/group-by';
import { ANY_NAMESPACE } from '../../core/manifest/any-namespace';
import { getListAt, getValueAt } from '../../core/manifest/manifest';
import { readFirstMap } from '../first-map';

/** Namespaces in which a fleet.yaml places the objects of its folder. */
export interface FleetNamespaces {
  /** All of them. */
  readonly all: readonly string[];
  /** Those that replace the namespaces that objects write. */
  readonly forced: readonly string[];
}

/** Returns the namespaces in which a fleet.yaml places the objects of its folder. One that cannot be read, such as a very long one, may name any. */
export function readFleetNamespaces(text: string | undefined): FleetNamespaces {
  if (text === undefined) return { all: [ANY_NAMESPACE], forced: [] };
  const options = readFirstMap(text);
  const targets = [options, ...getListAt(options, 'targetCustomizations'), ...getListAt(options, 'targets')];
  const listTexts = (field: string) => targets.map((each) => getValueAt(each, field)).filter((value) => typeof value === 'string');
  const forced = listTexts('namespace');
  return { all: [...forced, ...listTexts('defaultNamespace')], forced };
}

/** What a folder sets for the files that it includes. */
export interface NamespaceSetter {
  /** Namespace that it gives them. @default - none */
  readonly namespace?: string | undefined;
  /** Files and folders that it includes, relative to the root of the layout. */
  readonly includes: readonly string[];
}

/** The kustomizations around a file, and what they set. */
interface SettersAround {
  /** Folders of the kustomizations that include it, directly or through others. */
  readonly folders: ReadonlySet<string>;
  /** Namespaces that any of them sets. */
  readonly all: readonly string[];
  /** Namespaces of the outermost ones that set one, and undefined if what builds the file keeps those that its objects write. */
  readonly built: readonly (string | undefined)[];
}

/** Finds the namespaces that kustomizations may give a file: those of each one that includes it, directly or through others. */
export class SetNamespaces {
  private readonly parents = new Map<string, string[]>();
  /** Paths that a kustomization that no other includes reads, or that are one, without a kustomization above them that sets a namespace. */
  private readonly unsetAbove = new Set<string>();

  constructor(private readonly byFolder: ReadonlyMap<string, NamespaceSetter>) {
    for (const [folder, { includes }] of byFolder) for (const path of includes) addToGroup(this.parents, path, folder);
    for (const folder of byFolder.keys()) if (!this.parents.has(folder)) this.unsetAbove.add(folder);
    // A set also visits what is added on the way.
    for (const folder of this.unsetAbove) {
      const { namespace, includes = [] } = byFolder.get(folder) ?? {};
      if (namespace === undefined) for (const path of includes) this.unsetAbove.add(path);
    }
  }

  /** Returns the kustomizations around a file, and the namespaces that they may give it. */
  find(file: string): SettersAround {
    const folders = new Set<string>();
    const open = [file];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      for (const parent of this.parents.get(path) ?? []) {
        if (folders.has(parent)) continue;
        folders.add(parent);
        open.push(parent);
      }
    }
    const listSet = (setters: readonly string[]) =>
      setters.map((folder) => this.byFolder.get(folder)!.namespace).filter((namespace) => namespace !== undefined);
    const outermost = [...folders].filter((folder) => this.unsetAbove.has(folder));
    const keepsOwn = this.unsetAbove.has(file) || !this.parents.has(file);
    const built = new Set([...listSet(outermost), ...(keepsOwn ? [undefined] : [])]);
    return { folders, all: listSet([...folders]), built: [...built] };
  }
}
