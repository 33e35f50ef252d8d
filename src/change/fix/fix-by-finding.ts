import { diffLines } from 'diff';
import type { AnyRule, Finding } from '../../core/findings/finding';
import type { ProposedFix, LineReplacement } from '../../core/document/fix-document';
import { listSecretLines } from '../../core/manifest/secret-lines';
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

/** Reports whether lines to write may contain a value of a Secret, as in a list on one line. */
function repeatsSecret(replacements: readonly LineReplacement[], old: string): boolean {
  const secretLines = listSecretLines(old);
  return replacements.some(({ line, lines }) =>
    Array.from({ length: lines }, (_, index) => line + index).some((one) => secretLines.has(one)),
  );
}

function proposeFix({ locatedEdits, suggestedFix }: FixCandidate): ProposedFix | undefined {
  if (locatedEdits === undefined || suggestedFix.needsDecision || suggestedFix.first) return undefined;
  const written = applyEditsToFiles(locatedEdits);
  const textOf = new Map(locatedEdits.map(({ origin: { text } }) => [text.file, text.text]));
  const files = [...(written ?? [])].map(([file, next]) => ({ file, replacements: diffTextLines(textOf.get(file)!, next) }));
  return files.length > 0 && !files.some(({ file, replacements }) => repeatsSecret(replacements, textOf.get(file)!))
    ? { files }
    : undefined;
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
