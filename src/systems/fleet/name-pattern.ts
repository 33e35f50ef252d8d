/** One step of a pattern: any text, or one character inside (or, if negated, outside) these ranges. */
type PatternStep = 'any-text' | { readonly ranges: readonly (readonly [low: string, high: string])[]; readonly negated: boolean };

const ANY_CHARACTER: PatternStep = { ranges: [], negated: true };

function createCharacterStep(value: string): PatternStep {
  return { ranges: [[value, value]], negated: false };
}

/** Parses a pattern from left to right, character by character. */
class PatternParser {
  private at = 0;
  private readonly characters: readonly string[];

  constructor(pattern: string) {
    this.characters = Array.from(pattern);
  }

  /** Parses the steps of the entire pattern; undefined if it is malformed. */
  parseSteps(): readonly PatternStep[] | undefined {
    const steps: PatternStep[] = [];
    while (this.at < this.characters.length) {
      const step = this.parseStep();
      if (step === undefined) return undefined;
      steps.push(step);
    }
    return steps;
  }

  private parseStep(): PatternStep | undefined {
    const next = this.characters[this.at++]!;
    if (next === '*') return 'any-text';
    if (next === '?') return ANY_CHARACTER;
    if (next === '[') return this.parseSet();
    if (next !== '\\') return createCharacterStep(next);
    const escaped = this.characters[this.at++];
    return escaped === undefined ? undefined : createCharacterStep(escaped);
  }

  /** Parses a character set after its opening bracket: `[a-c]`, `[^a]`. It must not be empty. */
  private parseSet(): PatternStep | undefined {
    const negated = this.characters[this.at] === '^';
    if (negated) this.at++;
    const ranges: [string, string][] = [];
    while (this.characters[this.at] !== ']' || ranges.length === 0) {
      const low = this.parseBound();
      if (low === undefined) return undefined;
      if (this.characters[this.at] === '-') this.at++;
      else {
        ranges.push([low, low]);
        continue;
      }
      const high = this.parseBound();
      if (high === undefined) return undefined;
      ranges.push([low, high]);
    }
    this.at++;
    return { ranges, negated };
  }

  private parseBound(): string | undefined {
    const next = this.characters[this.at++];
    if (next === '-' || next === ']') return undefined;
    return next === '\\' ? this.characters[this.at++] : next;
  }
}

function matchesStep(step: Exclude<PatternStep, 'any-text'>, value: string): boolean {
  const code = value.codePointAt(0)!;
  return step.ranges.some(([low, high]) => low.codePointAt(0)! <= code && code <= high.codePointAt(0)!) !== step.negated;
}

/** Matches the steps. On a mismatch only the last `*` is extended, so it takes at most pattern × name steps: 12 for 3 × 4. */
function matchesSteps(steps: readonly PatternStep[], name: readonly string[]): boolean {
  let step = 0;
  let at = 0;
  let star: { readonly step: number; at: number } | undefined;
  while (at < name.length) {
    const next = steps[step];
    if (next === 'any-text') {
      star = { step: step + 1, at };
      step++;
    } else if (next !== undefined && matchesStep(next, name[at]!)) {
      step++;
      at++;
    } else if (star) {
      star.at++;
      step = star.step;
      at = star.at;
    } else {
      return false;
    }
  }
  return steps.slice(step).every((rest) => rest === 'any-text');
}

/**
 * Compiles a pattern for the names in one folder. `*` matches any text, `?` any character, `[a-c]` one of these characters,
 * `[^a]` any other character, and `\*` a star. A malformed pattern matches no name.
 *
 * Source: Go's filepath.Match, which Fleet uses for the paths of a GitRepo (rancher/fleet internal/cmd/cli/apply, `globDirs`).
 */
export function compileNamePattern(pattern: string): (name: string) => boolean {
  const steps = new PatternParser(pattern).parseSteps();
  return (name) => steps !== undefined && matchesSteps(steps, Array.from(name));
}
