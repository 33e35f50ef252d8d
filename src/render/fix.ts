import { createTwoFilesPatch } from 'diff';
import type { Edit } from '../core/findings/suggested-fix';
import type { FixableFinding, FixDocument, FixObstacle, UnsafeFix } from '../core/document/fix-document';
import { pluralize, joinWords } from '../core/text/text-format';
import { stringifySafeJson } from './json';
import { wrapTextToWidth } from './wrap-text';
import { createPalette } from './palette';
import { normalizeArtifactPath } from './report-findings';
import type { Palette } from './palette';
import { renderFindingLines } from './text-findings';
import type { TextOptions } from './text';
import { escapeForTerminal, formatValueForTerminal } from '../core/text/escape-output';

/** Returns the difference between two versions of a file in the format of `diff -u`. The path is normalized because `git apply` refuses `a/./web.yaml`. */
export function createUnifiedDiff(file: string, old: string, next: string): string {
  const path = normalizeArtifactPath(file);
  return createTwoFilesPatch(`a/${path}`, `b/${path}`, old, next, undefined, undefined, { context: 3 }).replace(/^=+\n/, '');
}

/** Renders the output of `fix --format json`. */
export function renderFixJson(fixes: FixDocument): string {
  return stringifySafeJson(fixes);
}

const OBSTACLE_TEXTS: Readonly<Record<FixObstacle, (fix: UnsafeFix) => string>> = {
  'new-finding': ({ codes = [] }) => `not written: with this fix, the plan would report ${joinWords(codes.map(escapeForTerminal))}`,
  stays: () => 'not written: with this fix, the finding would remain',
  'fewer-pods': () => 'not written: fewer pods would be available during the rollout',
  'not-in-the-text': () => 'not written: the value is used elsewhere too, or is not in this file; edit it by hand',
  'read-only': () => 'not written: the file is read-only, or is a link to a file outside PATH',
  refused: () => 'not written: applied over OLD, the object would be refused or replaced',
};

function formatEdit(edit: Edit): string {
  const { path, of } = edit;
  const location = escapeForTerminal(of ? `${of.kind} ${of.name} ${path}` : path);
  if (edit.op === 'set') return `${location}: ${formatValueForTerminal(edit.value)}`;
  if (edit.op === 'rename') return `${location}: renamed to ${escapeForTerminal(edit.to)}`;
  return `${location}: removed`;
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

/** Renders the output of `fix`: a summary line, the diffs of a dry run, the fixed findings, and those that need a decision. */
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
      'Reported after the fixes are written',
      uncovered.flatMap((finding) => renderFindingLines(finding, palette)),
      palette,
    ),
  ];
  // Lines of a diff are never wrapped, so that other programs can read it.
  const diffLines = diffs.length > 0 ? ['', ...diffs.map((line) => renderDiffLine(line, palette))] : [];
  return `${[wrapTextToWidth(headlineText, width), ...diffLines, ...text.map((line) => wrapTextToWidth(line, width))].join('\n')}\n`;
}
