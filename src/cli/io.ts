import type { EXIT } from './exit-codes';

/** A stream that a command prints to. */
export interface Printer {
  write(text: string): void;
  readonly isTTY?: boolean;
}

/** All that a command touches besides files, so that a test can run it without a process. */
export interface Io {
  readonly stdout: Printer;
  readonly stderr: Printer;
  /** Reads standard input to its end. */
  readonly readStdin: () => Promise<Uint8Array | string>;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Why a command could not run: what was seen, why it fails, what to write. Nothing goes to standard output. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What a command has to say, once all of it is known. */
export interface Outcome {
  readonly text: string;
  /** Files to write besides, each whole or not at all. */
  readonly files?: readonly { readonly path: string; readonly text: string }[];
  readonly exitCode: typeof EXIT.done | typeof EXIT.failed;
}

/** Colour for a person at a terminal alone. `NO_COLOR`: https://no-color.org */
export function wantsColour({ stdout, env }: Io, output: string | undefined): boolean {
  return output === undefined && stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}
