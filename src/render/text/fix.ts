import { structuredPatch, formatPatch } from 'diff';
import type { StructuredPatch } from 'diff';
import type { Edit } from '../../core/findings/suggested-fix';
import type { FixableFinding, FixDocument, FixObstacle, UnsafeFix } from '../../core/document/fix-document';
import { pluralize, joinWords } from '../../core/text/text-format';
import { stringifySafeJson } from '../json/json';
import { wrapTextToWidth } from '../layout/wrap-text';
import { createPalette } from '../layout/palette';
import { normalizeArtifactPath } from '../findings/report-findings';
import type { Palette } from '../layout/palette';
import { renderFindingLines } from '../findings/text-findings';
import type { TextOptions } from './plan';
import { escapeForTerminal, formatValueForTerminal } from '../../core/text/escape-output';

/** Text in place of lines that may contain a value of a Secret. */
const HIDDEN_LINES = '(The lines are not shown, because their document contains a Secret.)\n';

/** Maximum number of different lines of a document. The time to compare them grows with its square. */
const MAX_DIFFERENT_LINES = 1_000;

/** Text in place of more different lines. */
const MANY_LINES = `(The lines are not shown, because more than ${MAX_DIFFERENT_LINES.toLocaleString('en-US')} of a document differ.)\n`;

/** The beginning of a line between two documents of YAML. */
const SEPARATOR = /(?<=\n)(?=---(?:\s|$))/;

/** Splits two versions of a file into their documents. No fix adds or removes one. */
function pairDocuments(old: string, next: string): (readonly [string, string])[] {
  const [before, after] = [old.split(SEPARATOR), next.split(SEPARATOR)];
  return before.length === after.length ? before.map((document, index) => [document, after[index]!]) : [[old, next]];
}

function countLineBreaks(text: string): number {
  return text.split('\n').length - 1;
}

/**
 * Returns the difference between two versions of a file in the format of `diff -u`. The path is normalized because `git apply` refuses `a/./web.yaml`.
 * It shows only lines of documents that differ, and none if one of these may contain a Secret.
 */
export function createUnifiedDiff(file: string, old: string, next: string, mayContainSecret: (document: string) => boolean): string {
  const path = normalizeArtifactPath(file);
  const [oldName, newName] = [`a/${path}`, `b/${path}`];
  const hideLines = (text: string) => `--- ${oldName}\n+++ ${newName}\n${text}`;
  const hunks: StructuredPatch['hunks'] = [];
  let [oldLines, newLines] = [0, 0];
  for (const [before, after] of pairDocuments(old, next)) {
    if (before !== after) {
      if (mayContainSecret(before)) return hideLines(HIDDEN_LINES);
      const options = { context: 3, maxEditLength: MAX_DIFFERENT_LINES };
      const patch = structuredPatch(oldName, newName, before, after, undefined, undefined, options);
      if (!patch) return hideLines(MANY_LINES);
      for (const hunk of patch.hunks) hunks.push({ ...hunk, oldStart: hunk.oldStart + oldLines, newStart: hunk.newStart + newLines });
    }
    oldLines += countLineBreaks(before);
    newLines += countLineBreaks(after);
  }
  const patch = { oldFileName: oldName, newFileName: newName, oldHeader: undefined, newHeader: undefined, hunks };
  return formatPatch(patch).replace(/^=+\n/, '');
}

/** Renders the output of `fix --format json`. */
export function renderFixJson(fixes: FixDocument): string {
  return stringifySafeJson(fixes);
}

const OBSTACLE_TEXTS: Readonly<Record<FixObstacle, (fix: UnsafeFix) => string>> = {
  'new-finding': ({ codes = [] }) => `not written: with this fix, the plan would report ${joinWords(codes.map(escapeForTerminal))}`,
  stays: () => 'not written: with this fix, the finding would remain',
  'fewer-pods': () => 'not written: fewer pods would be available during the rollout',
  'not-in-the-text': () =>
    'not written: the value is used elsewhere too, is not in this file, or is in a document with more than 200 levels; edit it by hand',
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
