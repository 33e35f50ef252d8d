import { createTwoFilesPatch } from 'diff';
import type { Edit } from '../core/suggested-fix';
import type { FixableFinding, FixDocument, FixObstacle, UnsafeFix } from '../core/fix-document';
import { pluralize, joinWords } from '../core/text-format';
import { stringifySafeJson } from './json';
import { wrapTextToWidth } from './wrap-text';
import { createPalette } from './palette';
import { normalizeArtifactPath } from './report-findings';
import type { Palette } from './palette';
import { renderFindingLines } from './text-findings';
import type { TextOptions } from './text';
import { escapeForTerminal, formatValueForTerminal } from '../core/escape-output';

/** What differs between two texts of a file, as `diff -u` writes it and `git apply` takes it, which refuses `a/./web.yaml`. */
export function createUnifiedDiff(file: string, old: string, next: string): string {
  const path = normalizeArtifactPath(file);
  return createTwoFilesPatch(`a/${path}`, `b/${path}`, old, next, undefined, undefined, { context: 3 }).replace(/^=+\n/, '');
}

/** What `fix --format json` prints. */
export function renderFixJson(fixes: FixDocument): string {
  return stringifySafeJson(fixes);
}

const OBSTACLE_TEXTS: Readonly<Record<FixObstacle, (fix: UnsafeFix) => string>> = {
  'new-finding': ({ codes = [] }) => `not written: planned again, ${joinWords(codes.map(escapeForTerminal))} would come up`,
  stays: () => 'not written: planned again, the finding would still be there',
  'fewer-pods': () => 'not written: fewer pods would be available on the way',
  'not-in-the-text': () => 'not written: the value stands for others too, or is not written here; write it by hand',
  'read-only': () => 'not written: the file may not be written, or is a link that leads out of the PATH',
  refused: () => 'not written: applied over OLD, the object would be refused or replaced',
};

function formatEdit(edit: Edit): string {
  const { path, of } = edit;
  const location = escapeForTerminal(of ? `${of.kind} ${of.name} ${path}` : path);
  if (edit.op === 'set') return `${location}: ${formatValueForTerminal(edit.value)}`;
  if (edit.op === 'rename') return `${location}: renamed to ${escapeForTerminal(edit.to)}`;
  return `${location}: taken out`;
}

function renderFixLines(finding: FixableFinding, palette: Palette, text: string): string[] {
  return [
    ...renderFindingLines(finding, palette, finding.resource),
    ...finding.edits.map((edit) => `  ${palette.quiet(text)} ${formatEdit(edit)}`),
  ];
}

function renderSection(title: string, lines: readonly string[], palette: Palette): string[] {
  return lines.length === 0 ? [] : ['', palette.heading(title), ...lines];
}

function renderDiffLine(line: string, { winner, severity, quiet }: Palette): string {
  const escaped = escapeForTerminal(line);
  if (line.startsWith('+')) return winner(escaped);
  if (line.startsWith('-')) return severity.error(escaped);
  return line.startsWith('@@') ? quiet(escaped) : escaped;
}

function formatFixHeadline({ dryRun, summary }: FixDocument): string {
  const { fixed, files, undecided, unsafe, withoutFix } = summary;
  const done =
    fixed === 0
      ? 'nothing to fix'
      : `${pluralize(fixed, 'finding')} ${dryRun ? 'would be' : fixed === 1 ? 'is' : 'are'} fixed in ${pluralize(files, 'file')}`;
  const remaining = [
    ...(undecided > 0 ? [`${undecided} ${undecided === 1 ? 'needs' : 'need'} a decision`] : []),
    ...(unsafe > 0 ? [`${pluralize(unsafe, 'fix', 'fixes')} ${unsafe === 1 ? 'is' : 'are'} not safe`] : []),
    ...(withoutFix > 0 ? [`${withoutFix} ${withoutFix === 1 ? 'has' : 'have'} no fix`] : []),
  ];
  return [done, ...remaining].join('; ');
}

/** What `fix` prints: what was done in one line, the differences of a dry run, what was written, and what somebody has to decide. */
export function renderFixText(fixes: FixDocument, { colour = false, width }: Pick<TextOptions, 'colour' | 'width'> = {}): string {
  const palette = createPalette(colour);
  const { dryRun, fixed, undecided, unsafe, uncovered, files } = fixes;
  const headlineText = palette.heading(formatFixHeadline(fixes));
  const diffs = dryRun ? files.flatMap(({ diff }) => diff.trimEnd().split('\n')) : [];
  const text = [
    ...renderSection(
      dryRun ? 'Would be fixed' : 'Fixed',
      fixed.flatMap((finding) => renderFixLines(finding, palette, dryRun ? 'would write:' : 'written:')),
      palette,
    ),
    ...renderSection(
      'Needs a decision',
      undecided.flatMap((finding) => renderFixLines(finding, palette, 'would write:')),
      palette,
    ),
    ...renderSection(
      'Not safe',
      unsafe.flatMap((fix) => [...renderFixLines(fix, palette, 'would write:'), `  ${OBSTACLE_TEXTS[fix.obstacle](fix)}`]),
      palette,
    ),
    ...renderSection(
      'Found once the fixes are written',
      uncovered.flatMap((finding) => renderFindingLines(finding, palette)),
      palette,
    ),
  ];
  // A difference is for other programs too: its lines are never broken.
  const diffLines = diffs.length > 0 ? ['', ...diffs.map((line) => renderDiffLine(line, palette))] : [];
  return `${[wrapTextToWidth(headlineText, width), ...diffLines, ...text.map((line) => wrapTextToWidth(line, width))].join('\n')}\n`;
}
