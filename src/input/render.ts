import { existsSync } from 'node:fs';
import type { Finding } from '../core/finding';
import { programAbsentFinding, renderFailedFinding } from '../core/rules/not-rendered';
import type { Unit } from '../core/unit';
import { markerText } from './bounded-file';
import type { FoundFile, GivenPath } from './found-file';
import { readKustomization } from './kustomization';
import { CHART, KUSTOMIZATIONS } from './layout';

/** What became of a program: what it printed, why it failed, or that it is not there. */
export type Ran = { readonly printed: Uint8Array } | { readonly failed: string } | 'absent';

/** Runs a program without a shell. */
export type RunProgram = (program: string, args: readonly string[]) => Ran;

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
  markers: KUSTOMIZATIONS,
  commandsFor: (folder) => [
    { program: 'kustomize', args: ['build', folder] },
    { program: 'kubectl', args: ['kustomize', folder] },
  ],
};

const HELM: Renderer = {
  markers: [CHART],
  commandsFor: (folder, values) => [
    { program: 'helm', args: ['template', folder, '--include-crds', ...values.flatMap((file) => ['--values', file])] },
  ],
};

const LIBRARY = /^type:\s*["']?library\b/m;

function markerIn({ id }: Unit, { markers }: Renderer): string | undefined {
  return markers.map((name) => `${id}/${name}`).find((path) => existsSync(path));
}

/** Is a folder no whole, so that what uses it renders it: a component of kustomize, patches of what another program renders, or a library chart of Helm? */
function isPart(unit: Unit, renderer: Renderer): boolean {
  const marker = markerIn(unit, renderer);
  if (marker === undefined) return false;
  const text = markerText(marker) ?? '';
  if (renderer === HELM) return LIBRARY.test(text);
  const { isComponent, patchesAlone } = readKustomization(text);
  return isComponent || patchesAlone;
}

/** A folder as a program is told it, which would take `-x` for an option. */
function asArgument(folder: string): string {
  return folder.startsWith('-') ? `./${folder}` : folder;
}

/** The chart that renders a unit too, where it is one below `charts`; else the unit itself. */
function outermost(unit: Unit): Unit {
  for (let above = unit.above; above; above = above.above) {
    if (unit.id.startsWith(`${above.id}/charts/`) && markerIn(above, HELM)) return outermost(above);
  }
  return unit;
}

function rendererOf(unit: Unit): Renderer | undefined {
  if (!unit.isMarked) return undefined;
  if (markerIn(unit, HELM)) return HELM;
  return markerIn(unit, KUSTOMIZE) ? KUSTOMIZE : undefined;
}

/** Files that are read beside what is rendered: Fleet looks at its own. */
const READ_ANYWAY = /(?:^|\/)fleet\.ya?ml$/;

/** What came of a unit. */
type Rendered = { readonly files: readonly FoundFile[] } | { readonly absent: readonly string[] };

/** What rendering is told. */
export interface RenderOptions {
  readonly run: RunProgram;
  /** Files with values for every chart, the last of them first in precedence, as Helm takes them. */
  readonly values: readonly string[];
}

function render(unit: Unit, renderer: Renderer, given: GivenPath | undefined, { run, values }: RenderOptions): Rendered {
  const commands = renderer.commandsFor(asArgument(unit.name), values);
  const toldOf = given && { given };
  for (const { program, args } of commands) {
    const ran = run(program, args);
    if (ran === 'absent') continue;
    const command = [program, ...args].join(' ');
    if ('failed' in ran) {
      const failure = renderFailedFinding({ folder: unit.name, command, reason: ran.failed });
      return { files: [{ file: unit.name, failure, ...toldOf }] };
    }
    const place = { unit, isPatch: false, mayPatch: false };
    return { files: [{ file: command, content: ran.printed, place, ...toldOf }] };
  }
  return { absent: commands.map(({ program }) => program) };
}

/**
 * The files with each kustomization and each chart below a folder in the form that its own program gives it, in the place of its first file.
 * Where the program is not there they stay as they are.
 *
 * @param found - takes what is to be said of programs that are not there, once all files were asked for
 */
export function* renderedFiles(
  files: Iterable<FoundFile>,
  options: RenderOptions,
  found: (finding: Finding) => void,
): Generator<FoundFile> {
  const done = new Map<string, Rendered>();
  const absent = new Map<string, { readonly programs: readonly string[]; folders: number }>();
  for (const entry of files) {
    const place = 'place' in entry && entry.given?.as === 'folder' ? entry.place : undefined;
    const unit = place && outermost(place.unit);
    const renderer = unit && rendererOf(unit);
    if (!unit || !renderer || READ_ANYWAY.test(entry.file) || isPart(unit, renderer)) {
      yield entry;
      continue;
    }
    let rendered = done.get(unit.id);
    if (!rendered) {
      rendered = render(unit, renderer, entry.given, options);
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
  for (const { programs, folders } of absent.values()) found(programAbsentFinding({ programs, folders }));
}
