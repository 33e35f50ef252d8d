import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { followPath } from '../follow-path';
import { hasFile } from '../path-layout';
import { REPOSITORY_FOLDER, hasEntry, hasRepositoryEntry, isSameFile } from '../repository-folder';

/** Where programs are searched. */
export interface ProgramSearch {
  /** Working directory. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** @default - that of the process */
  readonly platform?: NodeJS.Platform;
}

/** A program, and the environment in which it finds others. */
export interface FoundProgram {
  /** Absolute path. */
  readonly file: string;
  /** The environment, with safe folders only in PATH and in those of libraries. */
  readonly env: NodeJS.ProcessEnv;
}

/** The folders that a POSIX system searches without a PATH. */
const DEFAULT_FOLDERS = ['/usr/bin', '/bin'];

/** Variables with folders of libraries for programs. An empty entry means the working directory there too, which is the root of the checkout for git. */
const LIBRARY_VARIABLES = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

/** Extensions that Windows runs without a shell. */
const WINDOWS_EXTENSIONS = ['.exe', '.com'];

function resolveLinks(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

/**
 * Returns the folder of the repository that contains a folder; undefined if there is none. A submodule, whose `.git` is a file, belongs to the
 * repository around it, since a pull request to that repository can add it.
 */
function findCheckout(folder: string): string | undefined {
  let found: string | undefined;
  for (let at = folder; ; at = path.dirname(at)) {
    const isCheckout = hasRepositoryEntry(at);
    if (isCheckout) found = at;
    if ((isCheckout && !hasFile(at, REPOSITORY_FOLDER)) || at === path.dirname(at)) return found;
  }
}

/**
 * Reports whether a path leads into a checkout or passes it, since a committed link can lead to any other folder. A link outside of the checkout
 * may also lead to such a link. A path that cannot be followed, such as one with too many links, counts as one of the checkout.
 */
function passesCheckout(at: string, checkout: string): boolean {
  try {
    return [realpathSync.native(at), ...followPath(at).passed].some((folder) => isSameFile(folder, checkout));
  } catch {
    return true;
  }
}

/** Reports whether a file can be run. A link may lead into the checkout. */
function isRunnable(file: string, isWindows: boolean, isInCheckout: (file: string) => boolean): boolean {
  try {
    if (!isWindows) accessSync(file, constants.X_OK);
    return statSync(file).isFile() && !isInCheckout(file);
  } catch {
    return false;
  }
}

/** Lists the names that the file of a program can have. */
function listFileNames(program: string, isWindows: boolean): string[] {
  return isWindows ? WINDOWS_EXTENSIONS.map((extension) => program + extension) : [program];
}

/** Returns the name of the variable PATH. Windows ignores its case and writes `Path`. */
function findPathVariable(env: ProgramSearch['env'], isWindows: boolean): string {
  return (isWindows && Object.keys(env).find((name) => name.toUpperCase() === 'PATH')) || 'PATH';
}

/**
 * Lists the folders of PATH that no pull request can write to: absolute ones outside the repository of the working directory. An empty or a
 * relative entry means a folder of the checkout, and the path of one that is not UTF-8 is that of another folder.
 */
function listSafeFolders(value: string | undefined, syntax: path.PlatformPath, isInCheckout: (folder: string) => boolean): string[] {
  if (value === undefined) return syntax === path.win32 ? [] : DEFAULT_FOLDERS;
  return value
    .split(syntax.delimiter)
    .map((folder) => (syntax === path.win32 ? folder.replace(/^"([^"]*)"$/, '$1') : folder))
    .filter((folder) => syntax.isAbsolute(folder) && !folder.includes('\ufffd') && !isInCheckout(folder));
}

/** The folders of PATH that no pull request can write to. */
interface SafeFolders {
  readonly folders: readonly string[];
  /** The environment, with a PATH of these folders only. */
  readonly env: NodeJS.ProcessEnv;
  /** Reports whether a path leads into the repository of the working directory, or passes it. */
  readonly isInCheckout: (at: string) => boolean;
}

function findSafeFolders({ cwd, env, platform = process.platform }: ProgramSearch): SafeFolders {
  const isWindows = platform === 'win32';
  const syntax = isWindows ? path.win32 : path.posix;
  const checkout = findCheckout(resolveLinks(cwd));
  const isInCheckout = (at: string) => checkout !== undefined && passesCheckout(at, checkout);
  const variable = findPathVariable(env, isWindows);
  const folders = listSafeFolders(env[variable], syntax, isInCheckout);
  const libraries = LIBRARY_VARIABLES.filter((name) => env[name] !== undefined).map((name) => {
    return [name, listSafeFolders(env[name]?.replaceAll(';', syntax.delimiter), syntax, isInCheckout).join(syntax.delimiter)];
  });
  return {
    folders,
    env: { ...env, ...(Object.fromEntries(libraries) as NodeJS.ProcessEnv), [variable]: folders.join(syntax.delimiter) },
    isInCheckout,
  };
}

/** Returns an environment whose PATH has no folder in the repository of a working directory, and none with a link to such a program there. */
export function restrictPath(search: ProgramSearch, programs: readonly string[]): NodeJS.ProcessEnv {
  const { folders, env, isInCheckout } = findSafeFolders(search);
  const isWindows = (search.platform ?? process.platform) === 'win32';
  const names = programs.flatMap((name) => listFileNames(name, isWindows));
  const safe = folders.filter((folder) => !names.some((name) => hasEntry(`${folder}/${name}`) && isInCheckout(`${folder}/${name}`)));
  return { ...env, [findPathVariable(env, isWindows)]: safe.join(isWindows ? path.win32.delimiter : path.posix.delimiter) };
}

/**
 * Finds a program by its name in the folders of PATH that no pull request can write to; undefined if none has it. Windows would search the
 * working directory first, and a shell on any system an empty or a relative folder of PATH.
 */
export function findProgram(name: string, search: ProgramSearch): FoundProgram | undefined {
  const isWindows = (search.platform ?? process.platform) === 'win32';
  const { folders, env, isInCheckout } = findSafeFolders(search);
  const file = folders
    .flatMap((folder) => listFileNames(name, isWindows).map((each) => `${folder}/${each}`))
    .find((each) => isRunnable(each, isWindows, isInCheckout));
  if (file === undefined) return undefined;
  // Windows programs search the working directory as well, unless this variable is set.
  return { file, env: { ...env, ...(isWindows && { NoDefaultCurrentDirectoryInExePath: '1' }) } };
}
