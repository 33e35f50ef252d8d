/** One step of a pattern: any text, or one character out of these ranges (or out of all others). */
type Step = 'any-text' | { readonly ranges: readonly (readonly [low: string, high: string])[]; readonly negated: boolean };

const ANY_CHARACTER: Step = { ranges: [], negated: true };

function character(value: string): Step {
  return { ranges: [[value, value]], negated: false };
}

/** Reads a pattern from left to right, one character after the other. */
class PatternReader {
  private at = 0;
  private readonly characters: readonly string[];

  constructor(pattern: string) {
    this.characters = Array.from(pattern);
  }

  /** The steps of the whole pattern; undefined where it is malformed. */
  steps(): readonly Step[] | undefined {
    const steps: Step[] = [];
    while (this.at < this.characters.length) {
      const step = this.step();
      if (step === undefined) return undefined;
      steps.push(step);
    }
    return steps;
  }

  private step(): Step | undefined {
    const next = this.characters[this.at++]!;
    if (next === '*') return 'any-text';
    if (next === '?') return ANY_CHARACTER;
    if (next === '[') return this.set();
    if (next !== '\\') return character(next);
    const escaped = this.characters[this.at++];
    return escaped === undefined ? undefined : character(escaped);
  }

  /** What stands in brackets, behind the first of them: `[a-c]`, `[^a]`. It must not be empty. */
  private set(): Step | undefined {
    const negated = this.characters[this.at] === '^';
    if (negated) this.at++;
    const ranges: [string, string][] = [];
    while (this.characters[this.at] !== ']' || ranges.length === 0) {
      const low = this.bound();
      if (low === undefined) return undefined;
      if (this.characters[this.at] === '-') this.at++;
      else {
        ranges.push([low, low]);
        continue;
      }
      const high = this.bound();
      if (high === undefined) return undefined;
      ranges.push([low, high]);
    }
    this.at++;
    return { ranges, negated };
  }

  private bound(): string | undefined {
    const next = this.characters[this.at++];
    if (next === '-' || next === ']') return undefined;
    return next === '\\' ? this.characters[this.at++] : next;
  }
}

function takes(step: Exclude<Step, 'any-text'>, value: string): boolean {
  const code = value.codePointAt(0)!;
  return step.ranges.some(([low, high]) => low.codePointAt(0)! <= code && code <= high.codePointAt(0)!) !== step.negated;
}

/** Where a step matches no further, only the last `*` before it can take more: so this takes at most pattern × name steps. */
function matches(steps: readonly Step[], name: readonly string[]): boolean {
  let step = 0;
  let at = 0;
  let star: { readonly step: number; at: number } | undefined;
  while (at < name.length) {
    const next = steps[step];
    if (next === 'any-text') {
      star = { step: step + 1, at };
      step++;
    } else if (next !== undefined && takes(next, name[at]!)) {
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
 * Tells which names of one folder a pattern matches: `*` any text, `?` any character, `[a-c]` one of them, `[^a]` any other, `\*` a star.
 * A malformed pattern matches none.
 *
 * Source: Go's filepath.Match, with which Fleet looks for the paths of a GitRepo (rancher/fleet internal/cmd/cli/apply, `globDirs`).
 */
export function namePattern(pattern: string): (name: string) => boolean {
  const steps = new PatternReader(pattern).steps();
  return (name) => steps !== undefined && matches(steps, Array.from(name));
}
