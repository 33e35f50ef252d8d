import { detectOutputTarget as mediumOfStream, PLAIN_OUTPUT } from '../render/output-target';
import type { OutputTarget } from '../render/output-target';
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
  /** Standard input, of which no more is read than is asked for. */
  readonly stdin: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
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
export interface CommandResult {
  readonly text: string;
  /** Files to write besides, each whole or not at all. */
  readonly files?: readonly { readonly path: string; readonly text: string }[];
  readonly exitCode: typeof EXIT.done | typeof EXIT.failed;
}

/** What a command's text is laid out for: a file, or what standard output is. */
export function selectMedium({ stdout, env }: Io, output: string | undefined): OutputTarget {
  return output === undefined ? mediumOfStream(stdout, env) : PLAIN_OUTPUT;
}
