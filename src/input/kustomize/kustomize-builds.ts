import { checkTime } from '../../core/budget/deadline';
import { nameOf, namespaceOf, kindKeyOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { RefusedEntries } from '../../core/rules/kustomization';
import { listAncestorFolders, resolveIncluded } from '../folder-paths';
import type { Kustomization } from './kustomization';

/** Kinds that are in no namespace, as kustomize knows. Source: kustomize v5.7 kyaml/openapi, `precomputedIsNamespaceScoped`. */
const CLUSTER_KINDS: ReadonlySet<string> = new Set([
  '/Namespace',
  '/Node',
  '/PersistentVolume',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
  'apiextensions.k8s.io/CustomResourceDefinition',
  'apiregistration.k8s.io/APIService',
  'certificates.k8s.io/CertificateSigningRequest',
  'flowcontrol.apiserver.k8s.io/FlowSchema',
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration',
  'networking.k8s.io/IngressClass',
  'node.k8s.io/RuntimeClass',
  'policy/PodSecurityPolicy',
  'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
  'scheduling.k8s.io/PriorityClass',
  'storage.k8s.io/CSIDriver',
  'storage.k8s.io/CSINode',
  'storage.k8s.io/StorageClass',
  'storage.k8s.io/VolumeAttachment',
]);

/** An object as a kustomization passes it on. */
interface BuiltObject {
  readonly object: Manifest;
  /** Namespace that a kustomization gives it. @default - its own */
  readonly namespace?: string;
}

/** What a kustomization builds, by what kustomize knows an object by. */
type Build = ReadonlyMap<string, BuiltObject>;

/** A kustomization of the input, and the paths of what it includes, as files are named in findings. */
export interface KustomizeFolder {
  readonly kustomization: Kustomization;
  readonly toFile: (entry: string) => string;
}

/** Maximum number of objects that are compared, those of a folder again for each kustomization that includes it. */
const MAX_COMPARED = 1_000_000;

/** Returns what kustomize knows an object by; undefined for an object whose name the API server generates. The namespace renames a Namespace. */
function identityOf({ object, namespace }: BuiltObject): string | undefined {
  const kind = kindKeyOf(object);
  const name = kind === '/Namespace' && namespace !== undefined ? namespace : nameOf(object);
  const place = CLUSTER_KINDS.has(kind) ? '' : (namespace ?? namespaceOf(object) ?? 'default');
  return name === '' ? undefined : JSON.stringify([object.apiVersion, object.kind, place, name]);
}

function describeBuilt({ object, namespace = namespaceOf(object) }: BuiltObject): string {
  const isPlaced = namespace !== undefined && !CLUSTER_KINDS.has(kindKeyOf(object));
  return `${object.kind} ${isPlaced ? `${namespace}/` : ''}${nameOf(object)}`;
}

/** Reports whether a path leads only upwards, such as `../..`: then it is a folder around each kustomization from which it is reached. */
function isAbove(path: string): boolean {
  return path.split('/').every((name) => name === '..');
}

/** Builds what is known of kustomizations: the objects that reach them without a change that the files do not show. */
export class KustomizeBuilds {
  /** What is known of the folders that others include, until the last of them is built. */
  private readonly builds = new Map<string, Build>();
  private readonly uses = new Map<string, number>();
  private readonly refused = new Map<string, RefusedEntries>();
  /** Folders whose objects were not compared, since there were too many. */
  readonly uncompared = new Set<string>();
  private compared = 0;

  /** @param folders - the kustomizations by their folders, as files are named in findings */
  constructor(
    private readonly folders: ReadonlyMap<string, KustomizeFolder>,
    private readonly objectsByFile: ReadonlyMap<string, readonly Manifest[]>,
  ) {
    const included = [...folders.values()].flatMap(({ kustomization, toFile }) => [...new Set(kustomization.entries)].map(toFile));
    for (const file of included) this.uses.set(file, (this.uses.get(file) ?? 0) + 1);
    for (const folder of this.listIncludedFirst()) {
      const { kustomization, toFile } = folders.get(folder)!;
      const build = this.build(folder, kustomization, toFile);
      if (build && this.uses.has(folder)) this.builds.set(folder, build);
      for (const entry of new Set(kustomization.entries)) this.release(toFile(entry));
    }
  }

  /** Returns the entries that make kustomize refuse to build a folder. */
  findRefused(folder: string): RefusedEntries | undefined {
    return this.refused.get(folder);
  }

  /**
   * Lists the folders, each after those that it includes, and finds those that include themselves or a folder around them. Thousands of folders
   * may include each other. Source: kustomize v5.7 api/pkg/loader/fileloader.go, `errIfArgEqualOrHigher`.
   */
  private listIncludedFirst(): readonly string[] {
    const order = new Set<string>();
    const seen = new Set<string>();
    const around = new Map<string, number>();
    const countAround = (folder: string, change: number) => {
      const path = resolveIncluded('', folder);
      for (const each of [path, ...listAncestorFolders(path)]) around.set(each, (around.get(each) ?? 0) + change);
    };
    const open = [...this.folders.keys()].toReversed();
    for (let folder = open.at(-1); folder !== undefined; folder = open.at(-1)) {
      if (seen.has(folder)) {
        if (!order.has(folder)) countAround(folder, -1);
        order.add(open.pop()!);
        continue;
      }
      seen.add(folder);
      countAround(folder, 1);
      const { kustomization, toFile } = this.folders.get(folder)!;
      for (const entry of kustomization.entries) {
        const file = toFile(entry);
        if (isAbove(resolveIncluded('', file)) || (around.get(resolveIncluded('', file)) ?? 0) > 0)
          this.refused.set(folder, { reason: 'circle', first: entry });
        else if (this.folders.has(file) && !seen.has(file)) open.push(file);
      }
    }
    return [...order];
  }

  /** Returns the objects of an entry; undefined if they are not known. */
  private objectsOf(file: string): Iterable<BuiltObject> | undefined {
    return this.folders.has(file) ? this.builds.get(file)?.values() : (this.objectsByFile.get(file) ?? []).map((object) => ({ object }));
  }

  /** Drops what an included folder builds once every kustomization that includes it is built. */
  private release(file: string): void {
    const uses = this.uses.get(file)! - 1;
    this.uses.set(file, uses);
    if (uses === 0) this.builds.delete(file);
  }

  /** Builds a folder; undefined if it may build other objects than is known. */
  private build(folder: string, kustomization: Kustomization, toFile: KustomizeFolder['toFile']): Build | undefined {
    const [only, another] = kustomization.entries;
    const included = only === undefined || another !== undefined ? undefined : this.builds.get(toFile(only));
    if (this.isExceeded(folder)) return undefined;
    // Thousands of folders may only include the next one.
    if (included) return kustomization.changesObjects ? undefined : this.setNamespace(folder, kustomization, included, () => only!);
    const build = new Map<string, BuiltObject>();
    const entryOf = new Map<string, string>();
    for (const entry of new Set(kustomization.entries)) {
      if (this.isExceeded(folder)) return undefined;
      const file = toFile(entry);
      const objects = this.objectsOf(file);
      for (const built of objects ?? []) this.append(built, entry, { folder, build, entryOf });
      const { isComponent = false, namespace } = this.folders.get(file)?.kustomization ?? {};
      // Such a component also changes what the kustomization around it includes.
      if (isComponent && (objects === undefined || namespace !== undefined)) return undefined;
    }
    return kustomization.changesObjects ? undefined : this.setNamespace(folder, kustomization, build, (identity) => entryOf.get(identity)!);
  }

  /** Reports whether too many objects were compared to compare those of a folder. */
  private isExceeded(folder: string): boolean {
    checkTime();
    if (this.compared <= MAX_COMPARED) return false;
    this.uncompared.add(folder);
    return true;
  }

  /** Adds an object to a build, which kustomize refuses if it is there already. */
  private append(
    built: BuiltObject,
    entry: string,
    {
      folder,
      build,
      entryOf,
    }: { readonly folder: string; readonly build: Map<string, BuiltObject>; readonly entryOf: Map<string, string> },
  ): void {
    this.compared++;
    const identity = identityOf(built);
    if (identity === undefined) return;
    const first = entryOf.get(identity);
    if (first !== undefined && !this.refused.has(folder)) {
      const resource = describeBuilt(built);
      const reason = first === entry ? { reason: 'contained-twice' as const } : { reason: 'in-both' as const, second: entry };
      this.refused.set(folder, { ...reason, first, resource });
    }
    if (first === undefined) entryOf.set(identity, entry);
    build.set(identity, built);
  }

  /** Gives the objects of a build the namespace of its kustomization. */
  private setNamespace(folder: string, { namespace }: Kustomization, build: Build, entryOf: (identity: string) => string): Build {
    if (namespace === undefined || namespace === '') return build;
    const placed = { folder, build: new Map<string, BuiltObject>(), entryOf: new Map<string, string>() };
    for (const [identity, { object }] of build) this.append({ object, namespace }, entryOf(identity), placed);
    return placed.build;
  }
}
