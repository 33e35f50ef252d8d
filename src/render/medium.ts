/** What text is laid out for. */
export interface Medium {
  readonly colour: boolean;
  /** Characters in a line of the terminal; absent where a file or another program takes the text. */
  readonly width?: number;
}

/** What a file is written with. */
export const PLAIN: Medium = { colour: false };

/** A stream that may be a terminal's. */
interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What is printed to a stream is laid out for: its width at a terminal. */
export function mediumOf(stream: Stream, env: Environment): Medium {
  const width = stream.isTTY === true ? stream.columns : undefined;
  return { colour: wantsColour(stream, env), ...(width !== undefined && { width }) };
}

/** Colour for a person at a terminal alone, or where FORCE_COLOR asks for it; `NO_COLOR` (https://no-color.org) wins. */
function wantsColour({ isTTY }: Stream, env: Environment): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return isTTY === true && env.TERM !== 'dumb';
}
