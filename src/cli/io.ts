import type { EXIT } from './exit-codes';

/** A stream that a command prints to. */
export interface Printer {
  write(text: string): void;
  readonly isTTY?: boolean;
  /** Characters in a line of a terminal. */
  readonly columns?: number;
}

/** All that a command touches besides files, so that a test can run it without a process. */
export interface Io {
  readonly stdout: Printer;
  readonly stderr: Printer;
  /** Reads standard input to its end; where that is longer than `most` bytes, no further than is needed to tell. */
  readonly readStdin: (most: number) => Promise<Uint8Array | string>;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Why a command could not run: what was seen, why it fails, what to write. Nothing goes to standard output. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Is it one, of whichever copy of this module? The commands are bundled with one of their own. */
export function isUsageError(error: unknown): error is UsageError {
  return error instanceof Error && error.name === 'UsageError';
}

/** What a command has to say, once all of it is known. */
export interface Outcome {
  readonly text: string;
  /** Files to write besides, each whole or not at all. */
  readonly files?: readonly { readonly path: string; readonly text: string }[];
  readonly exitCode: typeof EXIT.done | typeof EXIT.failed;
}

/** What text is laid out for. */
export interface Medium {
  readonly colour: boolean;
  /** Characters in a line of the terminal; absent where a file or another program takes the text. */
  readonly width?: number;
}

/** What a file is written with. */
export const PLAIN: Medium = { colour: false };

/** What the printed text is laid out for. */
export function mediumOf(io: Io, output: string | undefined): Medium {
  const width = widthOf(io, output);
  return { colour: wantsColour(io, output), ...(width !== undefined && { width }) };
}

/** Colour for a person at a terminal alone, or where FORCE_COLOR asks for it; `NO_COLOR` (https://no-color.org) wins. */
function wantsColour({ stdout, env }: Io, output: string | undefined): boolean {
  if (output !== undefined || env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return stdout.isTTY === true && env.TERM !== 'dumb';
}

function widthOf({ stdout }: Io, output: string | undefined): number | undefined {
  return output === undefined && stdout.isTTY === true ? stdout.columns : undefined;
}
