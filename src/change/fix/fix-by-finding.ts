import { diffLines } from 'diff';
import type { AnyRule, Finding } from '../../core/findings/finding';
import type { ProposedFix, LineReplacement } from '../../core/document/fix-document';
import { collectFixCandidates } from './candidates';
import type { FixCandidate, PlannedFiles } from './candidates';
import { applyEditsToFiles } from './apply-edits';

/** Returns the lines that differ between two texts. */
function diffTextLines(old: string, next: string): LineReplacement[] {
  const found: LineReplacement[] = [];
  let line = 1;
  let open: { line: number; lines: number; text: string } | undefined;
  for (const { added, removed, value, count } of diffLines(old, next)) {
    if (!added && !removed) {
      if (open) found.push(open);
      open = undefined;
      line += count;
      continue;
    }
    open ??= { line, lines: 0, text: '' };
    if (added) open.text += value;
    else {
      open.lines += count;
      line += count;
    }
  }
  return open ? [...found, open] : found;
}

function proposeFix({ locatedEdits, suggestedFix }: FixCandidate): ProposedFix | undefined {
  if (locatedEdits === undefined || suggestedFix.needsDecision || suggestedFix.first) return undefined;
  const written = applyEditsToFiles(locatedEdits);
  const textOf = new Map(locatedEdits.map(({ origin: { text } }) => [text.file, text.text]));
  return written && { files: [...written].map(([file, next]) => ({ file, replacements: diffTextLines(textOf.get(file)!, next) })) };
}

/** Returns fixes for the findings of a plan, each on its own. Findings that need a decision have none. */
export function proposeFixes(planned: PlannedFiles, rules: readonly AnyRule[]): ReadonlyMap<Finding, ProposedFix> {
  return new Map(
    collectFixCandidates(planned, rules, () => true).flatMap((candidate) => {
      const fix = proposeFix(candidate);
      return fix ? [[candidate.finding, fix] as const] : [];
    }),
  );
}
