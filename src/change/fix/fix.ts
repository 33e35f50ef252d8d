import type { AdvisedFinding, UnsafeFix } from '../../core/fix-document';
import type { AnyRule, Finding } from '../../core/finding';
import { rankOf } from '../../core/severity';
import { candidatesOf } from './candidates';
import type { Candidate, PlannedFiles } from './candidates';
import { foundIn, foundKey, resourceKey } from './identity';
import { newlyFound, unsafe } from './safety';
import type { Problem, Unsafe } from './safety';
import { writtenFiles } from './written';

/** What fixing is told. */
export interface FixOptions {
  /** All of the catalogue. */
  readonly rules: readonly AnyRule[];
  /** Plans the files, those of the map with the text that it has for them. */
  readonly plan: (texts: ReadonlyMap<string, string>) => PlannedFiles;
  /** Is a finding to be fixed? */
  readonly isWanted: (finding: Finding) => boolean;
  /** May a file be written? */
  readonly mayWrite: (file: string) => boolean;
}

/** What came of fixing. */
export interface FixOutcome {
  /** The files that differ, with their new text. */
  readonly texts: ReadonlyMap<string, string>;
  readonly fixed: readonly AdvisedFinding[];
  readonly undecided: readonly AdvisedFinding[];
  readonly unsafe: readonly UnsafeFix[];
  readonly uncovered: readonly Finding[];
  /** Findings left that have no advice. */
  readonly withoutFix: number;
}

/** Where fixing stands. */
interface State {
  readonly texts: ReadonlyMap<string, string>;
  readonly planned: PlannedFiles;
}

function advised({ finding, resource, advice }: Candidate): AdvisedFinding {
  return { ...finding, ...(resource && { resource }), edits: advice.edits, ...(advice.first && { first: advice.first }) };
}

/** Those about which nothing is said and those about which something is; halves where that does not part them. */
function inTwo(candidates: readonly Candidate[], { about }: Problem): readonly [Candidate[], Candidate[]] {
  const files = new Set(about.map(({ finding }) => finding?.source?.file));
  const resources = new Set(about.map(({ resource }) => resource && resourceKey(resource)));
  const isAccused = ({ finding, resource }: Candidate) =>
    (finding.source && files.has(finding.source.file)) || (resource && resources.has(resourceKey(resource)));
  const accused = candidates.filter(isAccused);
  if (accused.length > 0 && accused.length < candidates.length) return [candidates.filter((one) => !isAccused(one)), accused];
  const half = Math.ceil(candidates.length / 2);
  return [candidates.slice(0, half), candidates.slice(half)];
}

/** Fixes one plan's findings until none is left that can be. */
class Fixing {
  readonly fixed = new Map<string, Candidate>();
  private readonly refused = new Map<string, Unsafe>();

  constructor(private readonly options: FixOptions) {}

  candidates(planned: PlannedFiles): Candidate[] {
    return candidatesOf(planned, this.options.rules, this.options.isWanted);
  }

  /** Those about which nobody has to decide, and that were not tried in vain. */
  private open(planned: PlannedFiles): Candidate[] {
    const plain = this.candidates(planned).filter((candidate) => !candidate.advice.decision && !this.isRefused(candidate));
    return plain.toSorted((a, b) => rankOf(a.finding.severity) - rankOf(b.finding.severity));
  }

  refusalOf(candidate: Candidate): Unsafe | undefined {
    return this.refused.get(foundKey(candidate));
  }

  private isRefused(candidate: Candidate): boolean {
    return this.refused.has(foundKey(candidate));
  }

  /** What keeps a fix from being written at all. */
  private hindrance({ placed, advice }: Candidate): Unsafe | undefined {
    if (placed?.some(({ origin }) => !this.options.mayWrite(origin.text.file))) return { obstacle: 'read-only' };
    // What has to be done to the cluster first is nobody's who writes files.
    if (advice.first) return { obstacle: 'fewer-pods' };
    return placed && writtenFiles(placed) ? undefined : { obstacle: 'not-in-the-text' };
  }

  private attempt(state: State, candidates: readonly Candidate[]): State | Problem {
    const written = writtenFiles(candidates.flatMap(({ placed }) => placed!));
    if (!written) return { why: { obstacle: 'not-in-the-text' }, about: [] };
    const texts = new Map([...state.texts, ...written]);
    const planned = this.options.plan(texts);
    return unsafe(state.planned.plan, planned.plan, candidates) ?? { texts, planned };
  }

  /** All together where that goes well, else in two parts, down to each by itself: every attempt plans the whole input. */
  private settled(state: State, candidates: readonly Candidate[]): State {
    const outcome = this.attempt(state, candidates);
    if ('planned' in outcome) {
      for (const candidate of candidates) this.fixed.set(foundKey(candidate), candidate);
      return outcome;
    }
    if (candidates.length === 1) {
      this.refused.set(foundKey(candidates[0]!), outcome.why);
      return state;
    }
    const [begun, left] = inTwo(candidates, outcome);
    const first = this.settled(state, begun);
    const rest = new Set(left.map(foundKey));
    // Places have moved where the first part was written.
    const others = this.open(first.planned).filter((candidate) => rest.has(foundKey(candidate)));
    return others.length === 0 ? first : this.settled(first, others);
  }

  run(state: State): State {
    const open = this.open(state.planned);
    for (const candidate of open) {
      const hindrance = this.fixed.has(foundKey(candidate)) ? ({ obstacle: 'stays' } as const) : this.hindrance(candidate);
      if (hindrance) this.refused.set(foundKey(candidate), hindrance);
    }
    // Two findings may advise about one value: the next round sees what the first has left of the second.
    const tried = withoutRivals(open.filter((candidate) => !this.isRefused(candidate)));
    return tried.length === 0 ? state : this.run(this.settled(state, tried));
  }
}

/** The candidates but for those that edit what one before them edits. */
function withoutRivals(candidates: readonly Candidate[]): Candidate[] {
  const taken = new Set<string>();
  return candidates.filter(({ placed }) => {
    const places = placed!.map(({ origin, edit }) => `${origin.text.file} ${origin.chunk.at} ${edit.path}`);
    if (places.some((place) => taken.has(place))) return false;
    for (const place of places) taken.add(place);
    return true;
  });
}

/** Writes what the advice of the findings says, as far as it is safe: planned again, nothing as bad comes up, and no rollout has fewer pods. */
export function fixFindings(options: FixOptions): FixOutcome {
  const fixing = new Fixing(options);
  const start: State = { texts: new Map(), planned: options.plan(new Map()) };
  const { texts, planned } = fixing.run(start);
  const left = fixing.candidates(planned);
  const told = new Set(left.map(({ finding }) => finding));
  return {
    texts,
    fixed: [...fixing.fixed.values()].map(advised),
    undecided: left.filter(({ advice }) => advice.decision).map(advised),
    unsafe: left.flatMap((candidate) => {
      const refusal = fixing.refusalOf(candidate);
      return refusal ? [{ ...advised(candidate), ...refusal }] : [];
    }),
    uncovered: newlyFound(start.planned.plan, planned.plan).flatMap(({ finding }) => (told.has(finding) ? [] : [finding])),
    withoutFix: foundIn(planned.plan).filter(({ finding }) => options.isWanted(finding)).length - left.length,
  };
}
