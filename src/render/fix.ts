import { createTwoFilesPatch } from 'diff';
import type { Edit } from '../core/advice';
import type { AdvisedFinding, FixDocument, FixObstacle, UnsafeFix } from '../core/fix-document';
import { counted, listed } from '../core/words';
import { jsonText } from './json';
import { fitText } from './fit-width';
import { paletteOf } from './palette';
import { artifactPath } from './reported';
import type { Palette } from './palette';
import { findingLines } from './text-findings';
import type { TextOptions } from './text';
import { visible, visibleValue } from '../core/visible';

/** What differs between two texts of a file, as `diff -u` writes it and `git apply` takes it, which refuses `a/./web.yaml`. */
export function unifiedDiff(file: string, old: string, next: string): string {
  const path = artifactPath(file);
  return createTwoFilesPatch(`a/${path}`, `b/${path}`, old, next, undefined, undefined, { context: 3 }).replace(/^=+\n/, '');
}

/** What `fix --format json` prints. */
export function renderFixJson(fixes: FixDocument): string {
  return jsonText(fixes);
}

const OBSTACLES: Readonly<Record<FixObstacle, (fix: UnsafeFix) => string>> = {
  'new-finding': ({ codes = [] }) => `not written: planned again, ${listed(codes.map(visible))} would come up`,
  stays: () => 'not written: planned again, the finding would still be there',
  'fewer-pods': () => 'not written: fewer pods would be available on the way',
  'not-in-the-text': () => 'not written: the value stands for others too, or is not written here; write it by hand',
  'read-only': () => 'not written: the file may not be written, or is a link that leads out of the PATH',
  refused: () => 'not written: applied over OLD, the object would be refused or replaced',
};

function editText(edit: Edit): string {
  const { path, of } = edit;
  const place = visible(of ? `${of.kind} ${of.name} ${path}` : path);
  if (edit.op === 'set') return `${place}: ${visibleValue(edit.value)}`;
  if (edit.op === 'rename') return `${place}: renamed to ${visible(edit.to)}`;
  return `${place}: taken out`;
}

function fixLines(finding: AdvisedFinding, palette: Palette, said: string): string[] {
  return [
    ...findingLines(finding, palette, finding.resource),
    ...finding.edits.map((edit) => `  ${palette.quiet(said)} ${editText(edit)}`),
  ];
}

function section(title: string, lines: readonly string[], palette: Palette): string[] {
  return lines.length === 0 ? [] : ['', palette.heading(title), ...lines];
}

function diffLine(line: string, { winner, severity, quiet }: Palette): string {
  const shown = visible(line);
  if (line.startsWith('+')) return winner(shown);
  if (line.startsWith('-')) return severity.error(shown);
  return line.startsWith('@@') ? quiet(shown) : shown;
}

function headline({ dryRun, summary }: FixDocument): string {
  const { fixed, files, undecided, unsafe, withoutFix } = summary;
  const done =
    fixed === 0
      ? 'nothing to fix'
      : `${counted(fixed, 'finding')} ${dryRun ? 'would be' : fixed === 1 ? 'is' : 'are'} fixed in ${counted(files, 'file')}`;
  const rest = [
    ...(undecided > 0 ? [`${undecided} ${undecided === 1 ? 'needs' : 'need'} a decision`] : []),
    ...(unsafe > 0 ? [`${counted(unsafe, 'fix', 'fixes')} ${unsafe === 1 ? 'is' : 'are'} not safe`] : []),
    ...(withoutFix > 0 ? [`${withoutFix} ${withoutFix === 1 ? 'has' : 'have'} no fix`] : []),
  ];
  return [done, ...rest].join('; ');
}

/** What `fix` prints: what was done in one line, the differences of a dry run, what was written, and what somebody has to decide. */
export function renderFixText(fixes: FixDocument, { colour = false, width }: Pick<TextOptions, 'colour' | 'width'> = {}): string {
  const palette = paletteOf(colour);
  const { dryRun, fixed, undecided, unsafe, uncovered, files } = fixes;
  const headlineText = palette.heading(headline(fixes));
  const diffs = dryRun ? files.flatMap(({ diff }) => diff.trimEnd().split('\n')) : [];
  const said = [
    ...section(
      dryRun ? 'Would be fixed' : 'Fixed',
      fixed.flatMap((finding) => fixLines(finding, palette, dryRun ? 'would write:' : 'written:')),
      palette,
    ),
    ...section(
      'Needs a decision',
      undecided.flatMap((finding) => fixLines(finding, palette, 'would write:')),
      palette,
    ),
    ...section(
      'Not safe',
      unsafe.flatMap((fix) => [...fixLines(fix, palette, 'would write:'), `  ${OBSTACLES[fix.obstacle](fix)}`]),
      palette,
    ),
    ...section(
      'Found once the fixes are written',
      uncovered.flatMap((finding) => findingLines(finding, palette)),
      palette,
    ),
  ];
  // A difference is for other programs too: its lines are never broken.
  const shownDiffs = diffs.length > 0 ? ['', ...diffs.map((line) => diffLine(line, palette))] : [];
  return `${[fitText(headlineText, width), ...shownDiffs, ...said.map((line) => fitText(line, width))].join('\n')}\n`;
}
