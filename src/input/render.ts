import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Finding } from '../core/findings/finding';
import { createProgramMissingFinding, createRenderFailedFinding } from '../core/rules/not-rendered';
import type { ApplyUnit } from '../core/sources/apply-unit';
import { toCheckoutPath } from '../core/sources/checkout-path';
import { isInFolder, readMarkerFile } from './read-limited';
import { listConfigFolders } from './read-paths';
import type { DiscoveredFile, InputPath } from './discovered-file';
import { readKustomization } from './kustomize/kustomization';
import { HelmOrigins } from './helm/helm-origin';
import { KustomizeOrigins } from './kustomize/kustomize-origin';
import { CHART_FILE } from './marker-files';
import { KUSTOMIZATION_FILES } from './marker-files';
import type { OriginFinder } from './origin-finder';
import type { RootLookup } from './rendered-origin';

/** Result of a program: its output, the reason why it failed, or `absent` if it is not installed. */
export type ProcessResult = { readonly printed: Uint8Array } | { readonly failed: string } | 'absent';

/** Runs a program without a shell. */
export type ProgramRunner = (program: string, args: readonly string[]) => ProcessResult;

interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** Tool that renders one kind of folder. */
interface Renderer {
  readonly markers: readonly string[];
  /** Returns equivalent commands; the first one that is installed is run. */
  commandsFor(folder: string, values: readonly string[]): readonly Command[];
  createOrigins(unit: ApplyUnit, rootOf: RootLookup): OriginFinder;
}

const KUSTOMIZE: Renderer = {
  markers: KUSTOMIZATION_FILES,
  commandsFor: (folder) => [
    { program: 'kustomize', args: ['build', folder] },
    { program: 'kubectl', args: ['kustomize', folder] },
  ],
  createOrigins: (unit, rootOf) => new KustomizeOrigins(unit, findMarker(unit, KUSTOMIZE)!, rootOf),
};

const HELM: Renderer = {
  markers: [CHART_FILE],
  commandsFor: (folder, values) => [
    { program: 'helm', args: ['template', folder, '--include-crds', ...values.flatMap((file) => ['--values', file])] },
  ],
  createOrigins: (unit, rootOf) => new HelmOrigins(unit, rootOf),
};

const LIBRARY_CHART_TYPE = /^type:\s*["']?library\b/m;

function findMarker({ id }: ApplyUnit, { markers }: Renderer): string | undefined {
  return markers.map((name) => `${id}/${name}`).find((path) => existsSync(path));
}

/**
 * Reports whether a folder cannot be rendered by itself, because the folder that uses it renders it:
 * a kustomize component, patches for the output of another program, or a Helm library chart.
 */
function isPartialUnit(unit: ApplyUnit, renderer: Renderer, rootOf: RootLookup): boolean {
  const marker = findMarker(unit, renderer);
  if (marker === undefined) return false;
  const text = readMarkerFile(marker, rootOf(marker)) ?? '';
  if (renderer === HELM) return LIBRARY_CHART_TYPE.test(text);
  const { isComponent, hasOnlyPatches } = readKustomization(text);
  return isComponent || hasOnlyPatches;
}

/** Beginnings of an argument that programs take for an option, and kustomize for a repository to clone, even if a folder has this name. */
const OPTION_OR_ADDRESS = /^(?:-|gh:|git|[^/]*[:@])/i;

/** Formats a folder as an argument, so that no program reads `-x` as an option or `github.com/a/b` as a repository. */
function toArgument(folder: string): string {
  return OPTION_OR_ADDRESS.test(folder) ? `./${folder}` : folder;
}

/** Returns the outermost chart that renders a unit in its folder `charts`, or the unit itself. */
function findOutermostUnit(unit: ApplyUnit): ApplyUnit {
  for (let above = unit.parent; above; above = above.parent) {
    if (unit.id.startsWith(`${above.id}/charts/`) && findMarker(above, HELM)) return findOutermostUnit(above);
  }
  return unit;
}

function selectRenderer(unit: ApplyUnit): Renderer | undefined {
  if (!unit.hasMarkerFile) return undefined;
  if (findMarker(unit, HELM)) return HELM;
  return findMarker(unit, KUSTOMIZE) ? KUSTOMIZE : undefined;
}

/** Files that are read in addition to the rendered output. They are settings of Fleet. */
const ALWAYS_READ_FILES = /(?:^|\/)fleet\.ya?ml$/;

/** Result of rendering a unit. */
type RenderResult = { readonly files: readonly DiscoveredFile[] } | { readonly absent: readonly string[] };

/** Options for rendering. */
export interface RenderOptions {
  readonly run: ProgramRunner;
  /** Values files for every chart. Later files override earlier ones, as in Helm. */
  readonly values: readonly string[];
  /** Working directory. */
  readonly cwd: string;
}

/** Returns the folder without links that a file may not lead out of: the PATH for a file below it, else the repository or the working directory around it. */
function createRootLookup({ path }: InputPath, cwd: string): RootLookup {
  const start = resolve(cwd, path);
  const ownRoot = realpathSync.native(start);
  const aroundRoot = realpathSync.native(listConfigFolders(start, cwd).at(-1)!);
  return (file) => (isInFolder(start, file) ? ownRoot : aroundRoot);
}

function renderUnit(
  unit: ApplyUnit,
  renderer: Renderer,
  given: InputPath,
  rootOf: RootLookup,
  { run, values }: RenderOptions,
): RenderResult {
  const commands = renderer.commandsFor(toArgument(unit.name), values);
  const origins = renderer.createOrigins(unit, rootOf);
  for (const { program, args } of commands) {
    const result = run(program, args);
    if (result === 'absent') continue;
    const command = [program, ...args].join(' ');
    if ('failed' in result) {
      const failure = createRenderFailedFinding({ folder: unit.name, command, reason: result.failed }, origins.folder);
      return { files: [{ file: unit.name, failure, given }] };
    }
    const place = { unit, isPatch: false, mayPatch: false };
    return { files: [{ file: command, content: result.printed, place, origins, given }] };
  }
  return { absent: commands.map(({ program }) => program) };
}

/**
 * Renders each kustomization and each chart in a folder, and yields the output at the position of its first file.
 * If the program is not installed, the files are yielded unchanged.
 *
 * @param reportFinding - receives the findings about missing programs, once all files were read
 */
export function* renderFiles(
  files: Iterable<DiscoveredFile>,
  options: RenderOptions,
  reportFinding: (finding: Finding) => void,
): Generator<DiscoveredFile> {
  const done = new Map<string, RenderResult>();
  const absent = new Map<string, { readonly programs: readonly string[]; folders: number }>();
  const lookups = new Map<string, RootLookup>();
  const rootLookupOf = (given: InputPath) => {
    const lookup = lookups.get(given.path) ?? createRootLookup(given, options.cwd);
    lookups.set(given.path, lookup);
    return lookup;
  };
  for (const entry of files) {
    const { given } = entry;
    const place = !entry.isRendered && 'place' in entry && given?.as === 'folder' ? entry.place : undefined;
    const unit = place && findOutermostUnit(place.unit);
    const renderer = unit && selectRenderer(unit);
    if (!unit || !renderer || ALWAYS_READ_FILES.test(toCheckoutPath(entry.file)) || isPartialUnit(unit, renderer, rootLookupOf(given!))) {
      yield entry;
      continue;
    }
    let rendered = done.get(unit.id);
    if (!rendered) {
      rendered = renderUnit(unit, renderer, given!, rootLookupOf(given!), options);
      done.set(unit.id, rendered);
      if ('files' in rendered) yield* rendered.files;
      if ('absent' in rendered) {
        const key = rendered.absent.join();
        const known = absent.get(key) ?? { programs: rendered.absent, folders: 0 };
        absent.set(key, { ...known, folders: known.folders + 1 });
      }
    }
    if ('absent' in rendered) yield entry;
  }
  for (const { programs, folders } of absent.values()) reportFinding(createProgramMissingFinding({ programs, folders }));
}
