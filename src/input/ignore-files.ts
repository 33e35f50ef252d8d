import { posix } from 'node:path';
import { checkTimeNow } from '../core/budget/deadline';
import type { ApplyMode } from '../core/document/change';
import { getFieldsAt, groupOf, isFields } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { matchesPattern } from '../core/sources/path-pattern';
import type { InputFile } from './discovered-file';
import { includesWord } from './file-content';
import { toPathBelow } from './folder-paths';
import type { FileContext } from './layout';
import { HELM_IGNORE_FILE } from './helm/helm-ignore';

/** Files with which tools leave out others, by the tool. */
const TOOLS: ReadonlyMap<string, string> = new Map([
  ['.sourceignore', 'Flux'],
  ['.fleetignore', 'Fleet'],
]);

/** Names of the files with which tools leave out others. */
export const IGNORE_FILES: readonly string[] = [...TOOLS.keys()];

/** Reports whether a file makes a tool leave out others. */
export function isIgnoreFile(name: string): boolean {
  return name === HELM_IGNORE_FILE || IGNORE_FILES.includes(name);
}

/**
 * Names of files and folders that Flux leaves out of a repository by default. Source: fluxcd/pkg sourceignore/sourceignore.go, `ExcludeVCS`,
 * `ExcludeCI` and `ExcludeExtra`.
 */
const FLUX_DEFAULTS: ReadonlySet<string> = new Set([
  '.gitignore',
  '.gitmodules',
  '.gitattributes',
  '.travis.yml',
  '.gitlab-ci.yml',
  'appveyor.yml',
  '.drone.yml',
  'cloudbuild.yaml',
  'codeship-services.yml',
  'codeship-steps.yml',
  '.goreleaser.yml',
  '.sops.yaml',
  '.flux.yaml',
]);

/** How names end that it leaves out. Source: `ExcludeExt` there. */
const FLUX_DEFAULT_ENDS = /\.(?:jpe?g|gif|png|wmv|flv|tar\.gz|zip)$/;

/** Folders that it leaves out. */
const FLUX_DEFAULT_FOLDERS: ReadonlySet<string> = new Set(['.github', '.circleci']);

function isIgnoredByFlux(name: string): boolean {
  return FLUX_DEFAULTS.has(name) || FLUX_DEFAULT_ENDS.test(name);
}

/** File that Fleet replaces by what Helm renders when it builds a kustomization. Source: fleet v0.16 internal/helmdeployer/kustomize/kustomize.go. */
const FLEET_OUTPUT = 'fleet-manifests.yaml';

/**
 * Reports whether a tool leaves out a file because of its name, or that of a folder on its path. Fleet leaves out what is hidden.
 * Source: fleet internal/bundlereader/loaddirectory.go.
 */
export function isIgnoredByName(tool: string, path: string): boolean {
  const names = path.split('/').filter((name) => name !== '.' && name !== '..');
  if (tool === 'Fleet') return names.at(-1) === FLEET_OUTPUT || names.some((name) => name.startsWith('.'));
  return names.some(isIgnoredByFlux) || names.slice(0, -1).some((name) => FLUX_DEFAULT_FOLDERS.has(name));
}

/** Reports whether Flux leaves out a JSON file, which it reads only if a kustomization lists it. Source: fluxcd/pkg/kustomize v1.18, `scanManifests`. */
function isUnlistedJson(file: string, { isResource }: FileContext): boolean {
  return file.endsWith('.json') && isResource !== true;
}

/** Reports whether Fleet may render a file with Helm, although no chart is there. */
export function isFleetTemplate({ given, place }: InputFile): boolean {
  return given?.as === 'folder' && place?.chart === undefined && place?.isFleetTemplate === true;
}

/** The tools of the modes of `--apply` that leave out files because of their names or a comment. */
const TOOL_BY_MODE: Readonly<Partial<Record<ApplyMode, string>>> = { flux: 'Flux', fleet: 'Fleet', argocd: 'Argo CD' };

/** What the groups of the objects of a tool, and the domains of the labels and annotations that it writes, end with. */
const DOMAINS: ReadonlyMap<string, string> = new Map([
  ['Flux', 'toolkit.fluxcd.io'],
  ['Fleet', 'fleet.cattle.io'],
]);

/** Reports whether an object shows that a tool applies some of the input: it is one of the tool, or has a label or an annotation for it. */
function showsTool(object: Manifest, domain: string): boolean {
  if (groupOf(object).endsWith(domain)) return true;
  const { labels, annotations } = getFieldsAt(object, 'metadata');
  return [labels, annotations].some((names) => isFields(names) && Object.keys(names).some((name) => name.includes(`${domain}/`)));
}

/** Reports whether a tool applies some of the input, as the user says with `--apply`, or else as the input shows. */
export function isToolInView(tool: string, apply: ApplyMode | undefined, objects: readonly Manifest[]): boolean {
  if (apply !== undefined) return TOOL_BY_MODE[apply] === tool;
  const domain = DOMAINS.get(tool);
  // What Argo CD leaves out names it.
  return domain === undefined || objects.some((object) => showsTool(object, domain));
}

/** Text with which Argo CD skips a file, wherever the file contains it. Source: argo-cd v3.2 reposerver/repository/repository.go. */
const ARGO_CD_SKIP = '+argocd:skip-file-rendering';

/** Returns the tools that leave out a file of a folder because of its name, its place or a comment. What Helm does with the files of a chart is said elsewhere. */
export function listIgnoringTools({ file, given, place, content }: InputFile): readonly string[] {
  if (given?.as !== 'folder' || place === undefined || place.chart !== undefined || place.unrendered !== undefined) return [];
  const path = toPathBelow(given.path, file);
  return [
    ...(isIgnoredByName('Flux', path) || isUnlistedJson(file, place) ? ['Flux'] : []),
    ...(isIgnoredByName('Fleet', path) || place.isFleetOverlay === true ? ['Fleet'] : []),
    ...(includesWord(content, ARGO_CD_SKIP) ? ['Argo CD'] : []),
  ];
}

/** Maximum number of patterns in one file. A file with more leaves out anything. */
const MAX_PATTERNS = 100;
const MAX_PATTERN_LENGTH = 1_000;

/** A pattern of an ignore file, relative to its folder. */
interface IgnorePattern {
  readonly pattern: string;
  /** Whether it takes files back that an earlier one leaves out. */
  readonly isNegated: boolean;
}

/** Returns the tool that reads an ignore file. */
export function ignoringToolOf(file: string): string {
  return TOOLS.get(posix.basename(file)) ?? 'a tool';
}

/** Replaces each class of characters and each escape by any one character, and a class that does not end by anything. */
function generalizeCharacters(glob: string): string {
  let general = '';
  for (let at = 0; at < glob.length; at++) {
    if (glob[at] === '[') {
      const end = glob.indexOf(']', at);
      if (end < 0) return '**';
      general += '?';
      at = end;
    } else if (glob[at] === '\\') {
      general += '?';
      at++;
    } else general += glob[at];
  }
  return general;
}

/**
 * Parses a line of a `.fleetignore`. It is a pattern for the name of a file or folder at any depth, or with `/*` at its end the name of a folder.
 * Nothing takes a file back. Source: fleet v0.16.1 internal/bundlereader/loaddirectory.go, `isIgnored`.
 */
function parseFleetLine(line: string): readonly IgnorePattern[] {
  const text = line.trimEnd();
  const name = text.endsWith('/*') ? text.slice(0, -2) : text;
  if (name === '' || name.startsWith('#') || name.includes('/')) return [];
  return [{ pattern: `**/${generalizeCharacters(name)}${name === text ? '' : '/*'}`, isNegated: false }];
}

/**
 * Reports whether a pattern that takes files back does so for Flux, too: a name with `**` and other characters, or an empty one, matches nothing.
 * Source: go-git v5 plumbing/format/gitignore/pattern.go.
 */
function isSureNegation(glob: string): boolean {
  const names = glob.replace(/^\//, '').replace(/\/$/, '').split('/');
  const isSure = (name: string, index: number) =>
    !['', '.', '..'].includes(name) && (!name.includes('**') || (name === '**' && index < names.length - 1));
  return !/[\s[\\]/.test(glob) && names.every(isSure);
}

/** Parses a line of a `.sourceignore`, which has the patterns of a `.gitignore`. A class of characters counts as any of them, so that it hides nothing, and takes nothing back. */
function parseLine(line: string): readonly IgnorePattern[] {
  const text = line.trimEnd();
  if (text === '' || text.startsWith('#')) return [];
  const isNegated = text.startsWith('!');
  const glob = isNegated ? text.slice(1) : text;
  // Flux removes only blanks at the end of a line.
  if (isNegated && (/[^\S ]$/.test(line) || !isSureNegation(glob))) return [];
  const path = generalizeCharacters(glob);
  const isAnchored = path.slice(0, -1).includes('/');
  const pattern = `${isAnchored ? '' : '**/'}${path}${path.endsWith('/') ? '*' : ''}`;
  return [{ pattern, isNegated }];
}

/** Patterns of one ignore file. */
interface IgnoreFile {
  /** Its displayed name. */
  readonly name: string;
  readonly patterns: readonly IgnorePattern[];
  /** Returns the path of a file relative to the folder of the ignore file; undefined if it is not below it. */
  readonly toRelative: (file: string) => string | undefined;
}

function findLastMatch(patterns: readonly IgnorePattern[], path: string): IgnorePattern | undefined {
  return patterns.findLast(({ pattern }) => {
    // A pattern and a path of thousands of characters take milliseconds, and there may be many around one file.
    checkTimeNow();
    return matchesPattern(pattern, path);
  });
}

/** Finds the files that ignore files leave out of what a tool applies. */
export class IgnoreFiles {
  private readonly files: IgnoreFile[] = [];

  /**
   * Adds an ignore file.
   *
   * @param name - its displayed name
   * @param text - its text; undefined if it cannot be read, so that it may leave out anything
   * @param toRelative - returns the path of a file relative to its folder; undefined if the file is not below it
   */
  add(name: string, text: string | undefined, toRelative: IgnoreFile['toRelative']): void {
    const all = text?.split('\n').flatMap(ignoringToolOf(name) === 'Fleet' ? parseFleetLine : parseLine) ?? [];
    const isUnknown = text === undefined || all.length > MAX_PATTERNS || all.some(({ pattern }) => pattern.length > MAX_PATTERN_LENGTH);
    const patterns = isUnknown ? [{ pattern: '**', isNegated: false }] : all;
    this.files.push({ name, patterns, toRelative });
  }

  /** Returns the name of the ignore file that leaves a file out. */
  find(file: string): string | undefined {
    for (const { name, patterns, toRelative } of this.files) {
      const relative = toRelative(file);
      const last = relative === undefined ? undefined : findLastMatch(patterns, relative);
      if (last && !last.isNegated) return name;
    }
    return undefined;
  }
}
