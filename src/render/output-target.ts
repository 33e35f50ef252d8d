/** What text is laid out for. */
export interface OutputTarget {
  readonly colour: boolean;
  /** Characters in a line of the terminal; absent where a file or another program takes the text. */
  readonly width?: number;
}

/** What a file is written with. */
export const PLAIN_OUTPUT: OutputTarget = { colour: false };

/** A stream that may be a terminal's. */
interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What is printed to a stream is laid out for: its width at a terminal. */
export function detectOutputTarget(stream: OutputStream, env: Environment): OutputTarget {
  const width = stream.isTTY === true ? stream.columns : undefined;
  return { colour: shouldUseColour(stream, env), ...(width !== undefined && { width }) };
}

/** Colour for a person at a terminal alone, or where FORCE_COLOR asks for it; `NO_COLOR` (https://no-color.org) wins. */
function shouldUseColour({ isTTY }: OutputStream, env: Environment): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return isTTY === true && env.TERM !== 'dumb';
}
