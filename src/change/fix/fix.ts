import type { FixableFinding, UnsafeFix } from '../../core/document/fix-document';
import type { AnyRule, Finding } from '../../core/findings/finding';
import { severityRankOf } from '../../core/findings/severity';
import { collectFixCandidates } from './candidates';
import type { FixCandidate, PlannedFiles } from './candidates';
import { listFindings, findingKeyOf, resourceKeyOf } from './finding-keys';
import { findNewFindings, findFixProblem } from './safety';
import type { FixProblem, FixRejection } from './safety';
import { applyEditsToFiles, editDocuments } from './apply-edits';

/** Options for fixing findings. */
export interface FixOptions {
  /** All rules of the catalogue. */
  readonly rules: readonly AnyRule[];
  /** Plans the files, with these texts in place of their contents. */
  readonly plan: (texts: ReadonlyMap<string, string>) => PlannedFiles;
  /** Reports whether a finding is to be fixed. */
  readonly isSelected: (finding: Finding) => boolean;
  /** Reports whether a file may be written. */
  readonly mayWrite: (file: string) => boolean;
}

/** The result of fixing findings. */
export interface FixOutcome {
  /** The files that differ, with their new text. */
  readonly texts: ReadonlyMap<string, string>;
  readonly fixed: readonly FixableFinding[];
  readonly undecided: readonly FixableFinding[];
  readonly unsafe: readonly UnsafeFix[];
  readonly uncovered: readonly Finding[];
  /** The number of remaining findings without a suggested fix. */
  readonly withoutFix: number;
}

/** The current texts and their plan. */
interface FixState {
  readonly texts: ReadonlyMap<string, string>;
  readonly planned: PlannedFiles;
}

function toAdvisedFinding({ finding, resource, suggestedFix }: FixCandidate): FixableFinding {
  return { ...finding, ...(resource && { resource }), edits: suggestedFix.edits, ...(suggestedFix.first && { first: suggestedFix.first }) };
}

/** Splits candidates into those not affected by a problem and those affected; into halves if that does not separate them. */
function splitCandidates(candidates: readonly FixCandidate[], { about }: FixProblem): readonly [FixCandidate[], FixCandidate[]] {
  const files = new Set(about.map(({ finding }) => finding?.source?.file));
  const resources = new Set(about.map(({ resource }) => resource && resourceKeyOf(resource)));
  const isAffected = ({ finding, resource }: FixCandidate) =>
    (finding.source && files.has(finding.source.file)) || (resource && resources.has(resourceKeyOf(resource)));
  const affected = candidates.filter(isAffected);
  if (affected.length > 0 && affected.length < candidates.length) return [candidates.filter((one) => !isAffected(one)), affected];
  const half = Math.ceil(candidates.length / 2);
  return [candidates.slice(0, half), candidates.slice(half)];
}

/** Fixes the findings of one plan until none is left that can be fixed. */
class FixRun {
  readonly fixed = new Map<string, FixCandidate>();
  private readonly rejected = new Map<string, FixRejection>();

  constructor(private readonly options: FixOptions) {}

  listCandidates(planned: PlannedFiles): FixCandidate[] {
    return collectFixCandidates(planned, this.options.rules, this.options.isSelected);
  }

  /** Returns the candidates that need no decision and have not been rejected. */
  private listOpenCandidates(planned: PlannedFiles): FixCandidate[] {
    const automatic = this.listCandidates(planned).filter(
      (candidate) => !candidate.suggestedFix.needsDecision && !this.isRejected(candidate),
    );
    return automatic.toSorted((a, b) => severityRankOf(a.finding.severity) - severityRankOf(b.finding.severity));
  }

  rejectionOf(candidate: FixCandidate): FixRejection | undefined {
    return this.rejected.get(findingKeyOf(candidate));
  }

  private isRejected(candidate: FixCandidate): boolean {
    return this.rejected.has(findingKeyOf(candidate));
  }

  /** Returns why a fix cannot be written at all. */
  private findObstacle({ locatedEdits, suggestedFix }: FixCandidate): FixRejection | undefined {
    if (locatedEdits?.some(({ origin }) => !this.options.mayWrite(origin.text.file))) return { obstacle: 'read-only' };
    // A fix that needs a step in the cluster first cannot be made by writing files.
    if (suggestedFix.first) return { obstacle: 'fewer-pods' };
    return locatedEdits && editDocuments(locatedEdits) ? undefined : { obstacle: 'not-in-the-text' };
  }

  private applyCandidates(state: FixState, candidates: readonly FixCandidate[]): FixState | FixProblem {
    const written = applyEditsToFiles(candidates.flatMap(({ locatedEdits }) => locatedEdits!));
    if (!written) return { reason: { obstacle: 'not-in-the-text' }, about: [] };
    const texts = new Map([...state.texts, ...written]);
    const planned = this.options.plan(texts);
    return findFixProblem(state.planned.plan, planned.plan, candidates) ?? { texts, planned };
  }

  /** Applies all candidates together; if that fails, in two parts, down to single candidates. Every attempt plans the complete input. */
  private applyOrBisect(state: FixState, candidates: readonly FixCandidate[]): FixState {
    const outcome = this.applyCandidates(state, candidates);
    if ('planned' in outcome) {
      for (const candidate of candidates) this.fixed.set(findingKeyOf(candidate), candidate);
      return outcome;
    }
    if (candidates.length === 1) {
      this.rejected.set(findingKeyOf(candidates[0]!), outcome.reason);
      return state;
    }
    const [firstHalf, left] = splitCandidates(candidates, outcome);
    const first = this.applyOrBisect(state, firstHalf);
    const rest = new Set(left.map(findingKeyOf));
    // Positions have moved where the first part was written.
    const others = this.listOpenCandidates(first.planned).filter((candidate) => rest.has(findingKeyOf(candidate)));
    return others.length === 0 ? first : this.applyOrBisect(first, others);
  }

  run(state: FixState): FixState {
    const open = this.listOpenCandidates(state.planned);
    for (const candidate of open) {
      const obstacle = this.fixed.has(findingKeyOf(candidate)) ? ({ obstacle: 'stays' } as const) : this.findObstacle(candidate);
      if (obstacle) this.rejected.set(findingKeyOf(candidate), obstacle);
    }
    // Two findings may suggest edits of one value: the next round sees what the first left of the second.
    const attempted = excludeOverlappingFixes(open.filter((candidate) => !this.isRejected(candidate)));
    return attempted.length === 0 ? state : this.run(this.applyOrBisect(state, attempted));
  }
}

/** Drops candidates that edit a value that an earlier candidate edits. */
function excludeOverlappingFixes(candidates: readonly FixCandidate[]): FixCandidate[] {
  const editedPaths = new Set<string>();
  return candidates.filter(({ locatedEdits }) => {
    const paths = locatedEdits!.map(({ origin, edit }) => `${origin.text.file} ${origin.chunk.at} ${edit.path}`);
    if (paths.some((path) => editedPaths.has(path))) return false;
    for (const path of paths) editedPaths.add(path);
    return true;
  });
}

/** Writes the suggested fixes that are safe: planned again, no finding as severe is added, and no rollout has fewer pods. */
export function fixFindings(options: FixOptions): FixOutcome {
  const fixing = new FixRun(options);
  const initialState: FixState = { texts: new Map(), planned: options.plan(new Map()) };
  const { texts, planned } = fixing.run(initialState);
  const left = fixing.listCandidates(planned);
  const reportedFindings = new Set(left.map(({ finding }) => finding));
  return {
    texts,
    fixed: [...fixing.fixed.values()].map(toAdvisedFinding),
    undecided: left.filter(({ suggestedFix }) => suggestedFix.needsDecision).map(toAdvisedFinding),
    unsafe: left.flatMap((candidate) => {
      const rejection = fixing.rejectionOf(candidate);
      return rejection ? [{ ...toAdvisedFinding(candidate), ...rejection }] : [];
    }),
    uncovered: findNewFindings(initialState.planned.plan, planned.plan).flatMap(({ finding }) =>
      reportedFindings.has(finding) ? [] : [finding],
    ),
    withoutFix: listFindings(planned.plan).filter(({ finding }) => options.isSelected(finding)).length - left.length,
  };
}
