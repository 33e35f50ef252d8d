import { withoutEndSlashes } from './layout';
import type { InputFile, UnreadableFile } from './read';

/** A part of a glob: any folders, any text, text of one name, one character of a name, or this character. */
type Step = '**/' | '**' | '*' | '?' | { readonly character: string };

function stepsOf(glob: string): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < glob.length;) {
    const wild = (['**/', '**', '*', '?'] as const).find((part) => glob.startsWith(part, at));
    steps.push(wild ?? { character: glob[at]! });
    at += wild?.length ?? 1;
  }
  return steps;
}

/** The steps at which matching may stand: a wildcard may stand for nothing. */
function reached(steps: readonly Step[], from: Iterable<number>): Set<number> {
  const places = new Set<number>();
  for (const place of from) {
    let next = place;
    places.add(next);
    while (steps[next] === '**/' || steps[next] === '**' || steps[next] === '*') places.add(++next);
  }
  return places;
}

/** Stands within folders that a glob leaves open, of which some are taken already: they are taken up to a slash. */
function within(place: number): number {
  return -1 - place;
}

/** Where a step leads that takes this character; itself among that where it may take more. */
function after(steps: readonly Step[], place: number, character: string): number[] {
  if (place < 0) return character === '/' ? [place, within(place) + 1] : [place];
  const step = steps[place];
  if (step === '**/') return after(steps, within(place), character);
  if (step === '**') return [place];
  if (step === '*') return character === '/' ? [] : [place];
  if (step === '?') return character === '/' ? [] : [place + 1];
  return step?.character === character ? [place + 1] : [];
}

/** `**` stands for any folders, `*` and `?` for characters of one name. Takes at most glob × path steps. */
function matches(steps: readonly Step[], path: string): boolean {
  let places = reached(steps, [0]);
  for (let at = 0; at < path.length; at++) {
    const next = new Set<number>();
    for (const place of places) for (const led of after(steps, place, path[at]!)) next.add(led);
    places = reached(steps, next);
  }
  return places.has(steps.length);
}

/** A path below the PATH that it was found in. */
function belowGiven({ file, given }: InputFile | UnreadableFile): string {
  if (given?.as !== 'folder') return file;
  const start = `${withoutEndSlashes(given.path)}/`;
  return file.startsWith(start) ? file.slice(start.length) : file;
}

/** Every folder above a file, and the file: `a`, `a/b`, `a/b/c.yaml`. */
function ends(path: string): string[] {
  const names = path.split('/');
  return names.map((_name, index) => names.slice(0, index + 1).join('/'));
}

/**
 * Does a glob leave a file out? It is held against the path below the PATH and against the path as printed, and against the folders above the file;
 * one without a slash against each name alone. What was given by name stays.
 */
export function isExcluded(entry: InputFile | UnreadableFile, globs: readonly string[]): boolean {
  if (globs.length === 0 || entry.given?.as !== 'folder') return false;
  const below = belowGiven(entry);
  const paths = [...ends(below), ...ends(entry.file)];
  const names = below.split('/');
  return globs.some((glob) => {
    const named = withoutEndSlashes(glob);
    const steps = stepsOf(named);
    return (named.includes('/') ? paths : names).some((path) => matches(steps, path));
  });
}
