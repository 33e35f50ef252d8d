import { diffLines } from 'diff';
import type { AnyRule, Finding } from '../../core/finding';
import type { ProposedFix, Replacement } from '../../core/fix-document';
import { candidatesOf } from './candidates';
import type { Candidate, PlannedFiles } from './candidates';
import { writtenFiles } from './written';

/** The lines that differ between two texts. */
function replacements(old: string, next: string): Replacement[] {
  const found: Replacement[] = [];
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

function proposed({ placed, advice }: Candidate): ProposedFix | undefined {
  if (placed === undefined || advice.decision || advice.first) return undefined;
  const written = writtenFiles(placed);
  const textOf = new Map(placed.map(({ origin: { text } }) => [text.file, text.text]));
  return written && { files: [...written].map(([file, next]) => ({ file, replacements: replacements(textOf.get(file)!, next) })) };
}

/** What would mend the findings of a plan, each by itself: those about which nobody has to decide. */
export function fixesOf(planned: PlannedFiles, rules: readonly AnyRule[]): ReadonlyMap<Finding, ProposedFix> {
  return new Map(
    candidatesOf(planned, rules, () => true).flatMap((candidate) => {
      const fix = proposed(candidate);
      return fix ? [[candidate.finding, fix] as const] : [];
    }),
  );
}
