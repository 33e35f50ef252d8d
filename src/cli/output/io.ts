import { detectOutputTarget as mediumOfStream, PLAIN_OUTPUT } from '../../render/layout/output-target';
import type { OutputTarget } from '../../render/layout/output-target';
import type { EXIT } from './exit-codes';

/** A stream that a command prints to. */
export interface Printer {
  write(text: string): void;
  readonly isTTY?: boolean;
  /** The width of the terminal in characters. */
  readonly columns?: number;
}

/** The environment of a command except files. A test can run a command with its own. */
export interface Io {
  readonly stdout: Printer;
  readonly stderr: Printer;
  /** Standard input, read on request. */
  readonly stdin: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  readonly cwd: string;
  /** Folder in which kubectl runs, where relative paths in its variables begin, such as KUBECONFIG. @default - `cwd` */
  readonly kubectlCwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether paths are limited to folders, so that a link in a revision, which could lead out of them, is not followed. @default false */
  readonly isLimited?: boolean;
  /** Whether the configuration that the command line names was found among the manifests, and not named by the user. @default false */
  readonly hasFoundConfiguration?: boolean;
}

/** The error of a command that could not run. Its message says what is wrong and what to write. Nothing is printed to standard output. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Reports whether an error is a UsageError of any copy of this module. The bundle of the commands has its own copy. */
export function isUsageError(error: unknown): error is UsageError {
  return error instanceof Error && error.name === 'UsageError';
}

/** The complete output of a command. */
export interface CommandResult {
  readonly text: string;
  /** Further files to write, each completely or not at all. */
  readonly files?: readonly { readonly path: string; readonly text: string }[];
  /** Lines for standard error, printed once all files are written. */
  readonly notes?: readonly string[];
  /** `EXIT.unable` if the output is not complete. It is printed even so. */
  readonly exitCode: (typeof EXIT)[keyof typeof EXIT];
}

/** Selects the target that text is laid out for: a file, or standard output. */
export function selectMedium({ stdout, env }: Io, output: string | undefined): OutputTarget {
  return output === undefined ? mediumOfStream(stdout, env) : PLAIN_OUTPUT;
}
