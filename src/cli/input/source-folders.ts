import { lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { collectDeploySources } from '../../appliers/deploy-source';
import { DeployedFiles } from '../../change/removed/deployed-files';
import { SourceIndex } from '../../change/removed/source-index';
import { checkTimeNow } from '../../core/budget/deadline';
import { toCheckoutPath } from '../../core/sources/checkout-path';
import { isJsonnetFile } from '../../input/marker-files';
import { listSourcePaths } from '../../appliers/source-paths';
import { ROOT_PATH } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { describeObject } from '../../core/manifest/manifest';
import { createJsonnetFinding, createUnreadSourceFinding } from '../../core/rules/kustomization';
import { listConfigFolders } from '../../input/read-paths';
import { hasRepositoryEntry } from '../../input/repository-folder';
import type { PlanInput } from '../../plan/plan-input';
import { STDIN } from '../options/option-file';

/** Returns the names of a path. */
function splitPath(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

/** Reports whether a folder, or a link in its place or around it, exists below another one. No link is followed, since it may lead out of the PATH. */
function isFolderOrLink(root: string, names: readonly string[]): boolean {
  let at = root;
  try {
    for (const name of names) {
      at = join(at, name);
      const stats = lstatSync(at, { throwIfNoEntry: false });
      if (stats?.isSymbolicLink() || !stats) return stats !== undefined;
    }
    return true;
  } catch {
    return false;
  }
}

/** Folders in which files were read. */
class ReadFolders {
  /** Absolute paths of the folders, and of those around them up to the PATH. What is in a folder around the PATH was not read. */
  private readonly absolute = new Set<string>();
  /** Folders in which the repository may begin. */
  private readonly roots = new Set<string>();
  /** The paths of the folders, with a slash around each name and a NUL, which no name contains, before each path. */
  private text = '';

  constructor(files: readonly string[], paths: readonly string[], cwd: string) {
    const given = paths.filter((each) => each !== STDIN).map((path) => resolve(cwd, path));
    for (const path of given) for (const folder of listConfigFolders(path, cwd)) this.roots.add(folder);
    // Files of a revision are compared as those of the checkout.
    for (const folder of new Set(files.map((file) => dirname(toCheckoutPath(file))))) {
      checkTimeNow();
      this.add(folder, given, cwd);
    }
  }

  private add(folder: string, given: readonly string[], cwd: string): void {
    const around: string[] = [];
    let at = resolve(cwd, folder);
    for (; at !== dirname(at) && !this.absolute.has(at); at = dirname(at)) around.push(at);
    const count = this.absolute.has(at) ? around.length : around.findLastIndex((each) => given.includes(each)) + 1;
    for (const each of around.slice(0, count)) this.absolute.add(each);
    this.text += `\0/${splitPath(folder).join('/')}/`;
  }

  /**
   * Reports whether files of a folder of the repository were read. Outside of a checkout the root is not known, so `new` may be `deploy/new`,
   * but a folder that exists below one of the roots must be read itself: it may be a symbolic link, which is not followed.
   */
  has(path: string): boolean {
    checkTimeNow();
    const names = splitPath(path);
    // After a link, the tools differ in what the folder around is.
    if (names.includes('..')) return false;
    if (names.length === 0) return [...this.roots].every((root) => this.absolute.has(root) || !hasRepositoryEntry(root));
    const existing = [...this.roots].filter((root) => isFolderOrLink(root, names));
    if (existing.length > 0) return existing.every((root) => this.absolute.has(join(root, ...names)));
    // The path is in that of a folder, or the end of it begins one.
    return (
      this.text.includes(`/${names.join('/')}/`) || names.some((_, index) => this.text.includes(`\0/${names.slice(index).join('/')}/`))
    );
  }
}

/** Reports the files that an Application makes Argo CD render with Jsonnet, so that no guardrail and no plan is about their objects. */
export function checkJsonnetFiles({
  objects,
  files = [],
  tree,
  locate,
}: Pick<PlanInput, 'objects' | 'files' | 'tree' | 'locate'>): Finding[] {
  const jsonnet = tree ? files.filter(isJsonnetFile) : [];
  if (jsonnet.length === 0) return [];
  const sources = collectDeploySources(objects).filter(({ applier }) => applier.mode === 'argocd');
  const index = new SourceIndex(sources, new DeployedFiles({ tree }));
  // The folder that an ApplicationSet fills in may be any.
  const unknown = sources.find(({ folder }) => folder === undefined);
  return jsonnet.flatMap((file) => {
    const [source = unknown] = index.findSourcesOf(file);
    if (!source) return [];
    return [createJsonnetFinding({ object: describeObject(source.object), file }, locate?.(source.object, ROOT_PATH))];
  });
}

/** Reports the objects that make a tool apply a folder in which no file was read, so that no guardrail and no plan is about its objects. */
export function checkSourceFolders(
  { objects, files = [], tree, locate }: Pick<PlanInput, 'objects' | 'files' | 'tree' | 'locate'>,
  paths: readonly string[],
  cwd: string,
): Finding[] {
  // Without a folder, the user names the files, and none is taken for what is in a folder.
  if (!tree) return [];
  let folders: ReadFolders | undefined;
  return objects.flatMap((object) =>
    listSourcePaths(object)
      .filter(({ path }) => !(folders ??= new ReadFolders(files, paths, cwd)).has(path))
      .map(({ field, path }) => createUnreadSourceFinding({ object: describeObject(object), field, path }, locate?.(object, ROOT_PATH))),
  );
}
