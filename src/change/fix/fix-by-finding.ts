import { diffLines } from 'diff';
import { Deadline, DeadlineError } from '../../core/budget/deadline';
import type { AnyRule, Finding } from '../../core/findings/finding';
import type { ProposedFix, LineReplacement } from '../../core/document/fix-document';
import { findLineAfter } from '../../input/edit/document-parts';
import { containsSecretDocument } from '../../input/secret-documents';
import type { SourceText } from '../../input/source-map';
import { collectFixCandidates } from './candidates';
import type { FixCandidate, PlannedFiles } from './candidates';
import { editDocuments, replaceDocuments } from './apply-edits';
import type { ReplacedDocument } from './apply-edits';

/** Maximum number of different lines of a document that are compared. The time grows with its square. */
const MAX_DIFFERENT_LINES = 1_000;

/** Returns a copy of a text. A part of a text otherwise keeps all of it in memory. */
function copyText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/**
 * Returns the lines that differ between two texts.
 *
 * @param first - number of the first line
 */
function diffTextLines(old: string, next: string, first: number): LineReplacement[] {
  const found: LineReplacement[] = [];
  let line = first;
  let open: { line: number; lines: number; text: string } | undefined;
  for (const { added, removed, value, count } of diffLines(old, next, { maxEditLength: MAX_DIFFERENT_LINES }) ?? []) {
    if (!added && !removed) {
      if (open) found.push(open);
      open = undefined;
      line += count;
      continue;
    }
    open ??= { line, lines: 0, text: '' };
    if (added) open.text += copyText(value);
    else {
      open.lines += count;
      line += count;
    }
  }
  return open ? [...found, open] : found;
}

/** Complete lines of a file with the documents in them. */
interface DocumentLines {
  readonly from: number;
  readonly to: number;
  readonly documents: readonly ReplacedDocument[];
}

/** Returns the lines of documents. Several documents of JSON may be in one line. */
function listDocumentLines(source: SourceText, documents: readonly ReplacedDocument[]): DocumentLines[] {
  const found: DocumentLines[] = [];
  for (const document of documents) {
    const { at, end } = document.chunk;
    const from = at - source.sourceAt(at).column! + 1;
    const to = findLineAfter(source.text, end);
    const last = found.at(-1);
    if (last && from < last.to) found.splice(-1, 1, { from: last.from, to, documents: [...last.documents, document] });
    else found.push({ from, to, documents: [document] });
  }
  return found;
}

/** Proposes the fixes of findings, each on its own. */
class FixProposals {
  /** Whether documents may contain a Secret, by the offsets of their lines. */
  private readonly secrets = new Map<SourceText, Map<string, boolean>>();

  /** Reports whether complete lines of a file may contain a value of a Secret, as in a list. */
  private mayContainSecret(source: SourceText, { from, to }: DocumentLines): boolean {
    const known = this.secrets.get(source) ?? new Map<string, boolean>();
    this.secrets.set(source, known);
    const place = `${from} ${to}`;
    const found = known.get(place) ?? containsSecretDocument(source.text.slice(from, to));
    known.set(place, found);
    return found;
  }

  propose({ locatedEdits, suggestedFix }: FixCandidate): ProposedFix | undefined {
    if (locatedEdits === undefined || suggestedFix.needsDecision || suggestedFix.first) return undefined;
    const files: { file: string; replacements: readonly LineReplacement[] }[] = [];
    for (const [source, edited] of editDocuments(locatedEdits) ?? []) {
      const lines = listDocumentLines(source, edited);
      if (lines.some((each) => this.mayContainSecret(source, each))) return undefined;
      const replacements = lines.flatMap(({ from, to, documents }) =>
        diffTextLines(source.text.slice(from, to), replaceDocuments(source.text, documents, from, to), source.sourceAt(from).line),
      );
      files.push({ file: source.file, replacements });
    }
    return files.length > 0 ? { files } : undefined;
  }
}

/** The fixes that the seconds of a budget are enough for. */
export interface ProposedFixes {
  readonly fixes: ReadonlyMap<Finding, ProposedFix>;
  readonly isComplete: boolean;
}

/** Returns fixes for the findings of a plan, each on its own. Findings that need a decision have none. */
export function proposeFixes(planned: PlannedFiles, rules: readonly AnyRule[], seconds: number): ProposedFixes {
  const fixes = new Map<Finding, ProposedFix>();
  const proposals = new FixProposals();
  const deadline = new Deadline(seconds);
  try {
    deadline.limit(() => {
      for (const candidate of collectFixCandidates(planned, rules, () => true)) {
        deadline.check();
        const fix = proposals.propose(candidate);
        if (fix) fixes.set(candidate.finding, fix);
      }
    });
  } catch (error) {
    if (error instanceof DeadlineError) return { fixes, isComplete: false };
    throw error;
  }
  return { fixes, isComplete: true };
}
