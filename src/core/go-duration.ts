/** One part of a duration: `30s`, `1.5h`. */
interface DurationPart {
  readonly count: string;
  readonly unit: string;
}

const PART = /([0-9]+(?:\.[0-9]+)?)(ns|us|µs|ms|s|m|h)/y;

/** The parts of a Go duration such as `1h30m`, read one after the other; undefined where it is none. */
export function durationParts(text: string): readonly DurationPart[] | undefined {
  const parts: DurationPart[] = [];
  PART.lastIndex = 0;
  while (PART.lastIndex < text.length) {
    const match = PART.exec(text);
    if (!match) return undefined;
    parts.push({ count: match[1]!, unit: match[2]! });
  }
  return parts.length === 0 ? undefined : parts;
}
