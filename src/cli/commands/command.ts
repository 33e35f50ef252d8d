import { Command } from 'commander';
import type { HelpContext, Option } from 'commander';
import { findClosestName } from '../../core/errors/did-you-mean';
import { pluralize } from '../../core/text/text-format';
import { UsageError } from '../output/io';
import type { CommandResult, Io } from '../output/io';
import type * as LazyCommandsModule from '../lazy-commands';

/** Loads the modules of the commands. It is called once the command is known. */
export type CommandLoader = () => typeof LazyCommandsModule.COMMAND_MODULES;

/** The environment of a command. */
export interface CommandContext {
  readonly io: Io;
  readonly load: CommandLoader;
  /** Runs another command line, for a server of commands. */
  readonly run: (argv: readonly string[], io: Io) => Promise<number>;
  /** Receives the output of a command and the file to write it to. */
  readonly setResult: (outcome: CommandResult, output?: string) => void;
}

/** Formats the examples below the help of a command. */
export function formatExamples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}\n`;
}

/** Arguments that name manifests. */
const MANIFEST_ARGUMENTS: ReadonlySet<string> = new Set(['PATH', 'OLD', 'NEW']);

/** Returns the names of commands, without hidden ones. */
function listVisibleNames(commands: readonly Command[]): string[] {
  return commands.map((command) => command.name()).filter((name) => !name.startsWith('__'));
}

/** Creates the error for an unknown or missing command. */
export function createUnknownCommandError({ commands }: Command, name: string | undefined): UsageError {
  const help = `write one of ${listVisibleNames(commands).join(', ')}`;
  return new UsageError(name === undefined ? `no command is given; ${help}` : `there is no command "${name}"; ${help}`);
}

/**
 * Command whose error messages say what to do. Commander calls these methods to create its own messages.
 *
 * Source: commander 14, lib/command.js. The methods are not in its types. If a version calls other methods, its own message is printed.
 */
export class RolloutkitCommand extends Command {
  /** Options of the command line, by the names of their attributes. */
  private readonly givenOptions = new Map<string, string>();

  override createCommand(name?: string): RolloutkitCommand {
    return new RolloutkitCommand(name);
  }

  /** Rejects an empty value, and another value of an option that takes one. Commander would use the last one. */
  override addOption(option: Option): this {
    super.addOption(option);
    if (!option.required && !option.negate) return this;
    const isRepeatable = option.parseArg !== undefined;
    this.on(`option:${option.name()}`, (value: string | undefined) => {
      const text = `--${option.name()}${value === undefined ? '' : ` ${value}`}`;
      if (value !== undefined && value.split(',').every((part) => part.trim() === ''))
        throw new UsageError(`--${option.name()} is empty, perhaps because a shell variable is not set; write a value, or omit the option`);
      const other = this.givenOptions.get(option.attributeName());
      if (!isRepeatable && other !== undefined && other !== text)
        throw new UsageError(`${other} and ${text} contradict each other; write only one of them`);
      this.givenOptions.set(option.attributeName(), text);
    });
    return this;
  }

  /** Prints the help. Commander calls this with `error` if the name after `help` is not a command. */
  override help(context?: HelpContext): never;
  override help(change: (text: string) => string): never;
  override help(context?: unknown): never {
    if (typeof context === 'object' && context !== null && 'error' in context) throw createUnknownCommandError(this, this.args.at(-1));
    return super.help(context as HelpContext);
  }

  /** Names the help of this command: `see rolloutkit verify --help`. */
  private seeHelp(): string {
    return `see rolloutkit ${this.parent === null ? '' : `${this.name()} `}--help`;
  }

  protected missingArgument(name: string): never {
    const help = MANIFEST_ARGUMENTS.has(name) ? 'name a file, a folder, or - for standard input' : this.seeHelp();
    throw new UsageError(`no ${name} is given; ${help}`);
  }

  protected optionMissingArgument({ flags }: Option): never {
    throw new UsageError(`option '${flags}' argument missing; ${this.seeHelp()}`);
  }

  protected unknownOption(flag: string): never {
    const known = this.createHelp()
      .visibleOptions(this)
      .flatMap(({ long }) => long?.slice('--'.length) ?? []);
    const nearest = flag.startsWith('--') ? findClosestName(flag.slice('--'.length), known) : undefined;
    throw new UsageError(`unknown option '${flag}'${nearest === undefined ? '' : ` (Did you mean --${nearest}?)`}; ${this.seeHelp()}`);
  }

  /** Rejects surplus arguments. The program itself has no limit: only its first argument selects the command. */
  protected _excessArguments(received: readonly string[]): void {
    if (this.parent === null) return;
    const expected = pluralize(this.registeredArguments.length, 'argument');
    throw new UsageError(
      `too many arguments for '${this.name()}': it takes ${expected}, but ${received.length} are given; ${this.seeHelp()}`,
    );
  }
}
