import { existsSync } from 'node:fs';
import type { Finding } from '../core/finding';
import { createProgramMissingFinding, createRenderFailedFinding } from '../core/rules/not-rendered';
import type { ApplyUnit } from '../core/apply-unit';
import { readMarkerFile } from './read-limited';
import type { DiscoveredFile, InputPath } from './discovered-file';
import { readKustomization } from './kustomization';
import { CHART_FILE, KUSTOMIZATION_FILES } from './layout';

/** What became of a program: what it printed, why it failed, or that it is not there. */
export type ProcessResult = { readonly printed: Uint8Array } | { readonly failed: string } | 'absent';

/** Runs a program without a shell. */
export type ProgramRunner = (program: string, args: readonly string[]) => ProcessResult;

interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** One way to render a kind of folder. */
interface Renderer {
  readonly markers: readonly string[];
  /** Tried one after the other, for any does the same. */
  commandsFor(folder: string, values: readonly string[]): readonly Command[];
}

const KUSTOMIZE: Renderer = {
  markers: KUSTOMIZATION_FILES,
  commandsFor: (folder) => [
    { program: 'kustomize', args: ['build', folder] },
    { program: 'kubectl', args: ['kustomize', folder] },
  ],
};

const HELM: Renderer = {
  markers: [CHART_FILE],
  commandsFor: (folder, values) => [
    { program: 'helm', args: ['template', folder, '--include-crds', ...values.flatMap((file) => ['--values', file])] },
  ],
};

const LIBRARY_CHART_TYPE = /^type:\s*["']?library\b/m;

function findMarker({ id }: ApplyUnit, { markers }: Renderer): string | undefined {
  return markers.map((name) => `${id}/${name}`).find((path) => existsSync(path));
}

/** Is a folder no whole, so that what uses it renders it: a component of kustomize, patches of what another program renders, or a library chart of Helm? */
function isPartialUnit(unit: ApplyUnit, renderer: Renderer): boolean {
  const marker = findMarker(unit, renderer);
  if (marker === undefined) return false;
  const text = readMarkerFile(marker) ?? '';
  if (renderer === HELM) return LIBRARY_CHART_TYPE.test(text);
  const { isComponent, hasOnlyPatches } = readKustomization(text);
  return isComponent || hasOnlyPatches;
}

/** A folder as a program is told it, which would take `-x` for an option. */
function toArgument(folder: string): string {
  return folder.startsWith('-') ? `./${folder}` : folder;
}

/** The chart that renders a unit too, where it is one below `charts`; else the unit itself. */
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

/** Files that are read beside what is rendered: Fleet looks at its own. */
const ALWAYS_READ_FILES = /(?:^|\/)fleet\.ya?ml$/;

/** What came of a unit. */
type RenderResult = { readonly files: readonly DiscoveredFile[] } | { readonly absent: readonly string[] };

/** What rendering is told. */
export interface RenderOptions {
  readonly run: ProgramRunner;
  /** Files with values for every chart, the last of them first in precedence, as Helm takes them. */
  readonly values: readonly string[];
}

function renderUnit(unit: ApplyUnit, renderer: Renderer, given: InputPath | undefined, { run, values }: RenderOptions): RenderResult {
  const commands = renderer.commandsFor(toArgument(unit.name), values);
  const inputPath = given && { given };
  for (const { program, args } of commands) {
    const result = run(program, args);
    if (result === 'absent') continue;
    const command = [program, ...args].join(' ');
    if ('failed' in result) {
      const failure = createRenderFailedFinding({ folder: unit.name, command, reason: result.failed });
      return { files: [{ file: unit.name, failure, ...inputPath }] };
    }
    const place = { unit, isPatch: false, mayPatch: false };
    return { files: [{ file: command, content: result.printed, place, ...inputPath }] };
  }
  return { absent: commands.map(({ program }) => program) };
}

/**
 * The files with each kustomization and each chart below a folder in the form that its own program gives it, in the place of its first file.
 * Where the program is not there they stay as they are.
 *
 * @param found - takes what is to be said of programs that are not there, once all files were asked for
 */
export function* renderFiles(
  files: Iterable<DiscoveredFile>,
  options: RenderOptions,
  reportFinding: (finding: Finding) => void,
): Generator<DiscoveredFile> {
  const done = new Map<string, RenderResult>();
  const absent = new Map<string, { readonly programs: readonly string[]; folders: number }>();
  for (const entry of files) {
    const place = 'place' in entry && entry.given?.as === 'folder' ? entry.place : undefined;
    const unit = place && findOutermostUnit(place.unit);
    const renderer = unit && selectRenderer(unit);
    if (!unit || !renderer || ALWAYS_READ_FILES.test(entry.file) || isPartialUnit(unit, renderer)) {
      yield entry;
      continue;
    }
    let rendered = done.get(unit.id);
    if (!rendered) {
      rendered = renderUnit(unit, renderer, entry.given, options);
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
