import { CommanderError } from 'commander';
import type * as VisibleModule from '../core/text/escape-output';
import { getErrorMessage } from '../core/errors/error-message';
import { EXIT } from './output/exit-codes';
import { isUsageError } from './output/io';
import type { CommandResult, Io } from './output/io';
import { buildProgram } from './program';
import type { CommandContext, CommandLoader } from './commands/command';

/** Reports whether Node.js failed to create a text of more than about 537,000,000 characters. */
function isStringTooLong(error: unknown): boolean {
  return error instanceof RangeError && error.message === 'Invalid string length';
}

function describeFailure(error: unknown): string {
  if (isUsageError(error)) return error.message;
  if (error instanceof CommanderError) return error.message;
  if (isStringTooLong(error)) return 'the output is longer than a text can be; name fewer files or folders';
  return `internal error: ${getErrorMessage(error)}; please report it, with the command line`;
}

/** Prints why a command line could not run. */
export function printFailure(error: unknown, stderr: Io['stderr']): void {
  const { escapeForTerminal } = require('../core/text/escape-output') as typeof VisibleModule;
  stderr.write(`rolloutkit: ${escapeForTerminal(describeFailure(error))}\n`);
}

/** Reports whether help or the version was printed, so that there is nothing else to do. */
function isHelpOrVersion(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === EXIT.done;
}

/**
 * Runs one command line.
 *
 * @param argv - the arguments after the program's name
 * @param load - called once the command is known
 * @returns the exit code, one of `EXIT`. If the command could not run, standard output stays empty
 */
export async function run(argv: readonly string[], io: Io, load: CommandLoader): Promise<number> {
  let finished: { readonly outcome: CommandResult; readonly output?: string } | undefined;
  try {
    const program = buildProgram(
      { io, load, run: (others, each) => run(others, each, load), setResult: (outcome, output) => (finished = { outcome, output }) },
      argv[0],
    );
    await program.parseAsync([...argv], { from: 'user' });
    if (!finished) return EXIT.done;
    // A signal that arrived while another program ran is handled in a turn of the event loop. Nothing is written after it.
    await new Promise((resolve) => setImmediate(resolve));
    return writeResult(finished.outcome, finished.output, { io, load });
  } catch (error) {
    if (isHelpOrVersion(error)) return EXIT.done;
    printFailure(error, io.stderr);
    return EXIT.unable;
  }
}

/** Writes the output of a command, once it is complete. */
function writeResult(
  { text, files = [], notes = [], exitCode }: CommandResult,
  output: string | undefined,
  { io, load }: Pick<CommandContext, 'io' | 'load'>,
): number {
  const written = output === undefined ? files : [...files, { path: output, text }];
  if (written.length > 0) {
    const { writeOutput } = load().output();
    for (const file of written) writeOutput(file.path, io.cwd, file.text);
  }
  if (output === undefined && text !== '') io.stdout.write(text);
  if (notes.length > 0) {
    const { escapeForTerminal } = require('../core/text/escape-output') as typeof VisibleModule;
    for (const note of notes) io.stderr.write(`rolloutkit: ${escapeForTerminal(note)}\n`);
  }
  return exitCode;
}
