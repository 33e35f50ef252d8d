import { Command } from 'commander';
import type { HelpContext, Option } from 'commander';
import { findClosestName } from '../core/did-you-mean';
import { pluralize } from '../core/text-format';
import { UsageError } from './io';

const SEE_HELP = 'see rolloutkit --help';

/** There is no command of this name, or none is given. */
export function createUnknownCommandError({ commands }: Command, name: string | undefined): UsageError {
  const offered = `write one of ${commands.map((command) => command.name()).join(', ')}`;
  return new UsageError(name === undefined ? `no command is given; ${offered}` : `there is no command "${name}"; ${offered}`);
}

/**
 * A command that complains in our own words, each with what to do: commander calls these methods before it makes a sentence of its own.
 *
 * Source: commander 14, lib/command.js. They are no part of its types; where a version calls others, its own sentence is shown.
 */
export class RolloutkitCommand extends Command {
  override createCommand(name?: string): RolloutkitCommand {
    return new RolloutkitCommand(name);
  }

  /** As an error it is asked for where there is no command of the name behind `help`. */
  override help(context?: HelpContext): never;
  override help(change: (text: string) => string): never;
  override help(context?: unknown): never {
    if (typeof context === 'object' && context !== null && 'error' in context) throw createUnknownCommandError(this, this.args.at(-1));
    return super.help(context as HelpContext);
  }

  protected missingArgument(name: string): never {
    throw new UsageError(`no ${name} is given; name a file, a folder, or - for standard input`);
  }

  protected optionMissingArgument({ flags }: Option): never {
    throw new UsageError(`option '${flags}' argument missing; ${SEE_HELP}`);
  }

  protected unknownOption(flag: string): never {
    const known = this.createHelp()
      .visibleOptions(this)
      .flatMap(({ long }) => long?.slice('--'.length) ?? []);
    const nearest = flag.startsWith('--') ? findClosestName(flag.slice('--'.length), known) : undefined;
    throw new UsageError(`unknown option '${flag}'${nearest === undefined ? '' : ` (Did you mean --${nearest}?)`}; ${SEE_HELP}`);
  }

  /** The program itself is told what to do by its first argument alone. */
  protected _excessArguments(received: readonly string[]): void {
    if (this.parent === null) return;
    const expected = pluralize(this.registeredArguments.length, 'argument');
    throw new UsageError(`too many arguments for '${this.name()}': it takes ${expected}, and ${received.length} are given; ${SEE_HELP}`);
  }
}
