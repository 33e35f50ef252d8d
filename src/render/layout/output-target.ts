/** What text is laid out for: a terminal, a file or another program. */
export interface OutputTarget {
  readonly colour: boolean;
  /** Columns of the terminal. Unset if the text goes to a file or another program. */
  readonly width?: number;
}

/** Target of text that is written to a file. */
export const PLAIN_OUTPUT: OutputTarget = { colour: false };

/** A stream that may be a terminal. */
interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Detects whether a stream takes colour, and its width if it is a terminal. */
export function detectOutputTarget(stream: OutputStream, env: Environment): OutputTarget {
  const width = stream.isTTY === true ? stream.columns : undefined;
  return { colour: shouldUseColour(stream, env), ...(width !== undefined && { width }) };
}

/** Reports whether to use colour: only on a terminal, or if FORCE_COLOR is set. `NO_COLOR` (https://no-color.org) wins. */
function shouldUseColour({ isTTY }: OutputStream, env: Environment): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return isTTY === true && env.TERM !== 'dumb';
}
