import type { Command } from 'commander';
import { APPLY_MODES } from '../core/change';
import { BARS, SEVERITIES } from '../core/severity';
import { listed } from '../core/words';
import { DETAILS } from '../render/text';
import { EXIT } from './exit-codes';
import { FORMATS } from './formats';
import { UsageError } from './io';
import type { Outcome } from './io';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** An option as a shell offers it. */
interface OfferedOption {
  readonly flag: string;
  readonly description: string;
  readonly takesValue: boolean;
  /** What it may have as its value; empty where that is a file or anything else. */
  readonly values: readonly string[];
}

interface OfferedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OfferedOption[];
  /** What may stand behind it besides files. */
  readonly words: readonly string[];
}

/** Values of options that are one of a few. */
function valuesOf(command: string, flag: string): readonly string[] {
  if (flag === '--format') return (FORMATS as Readonly<Record<string, readonly string[]>>)[command] ?? [];
  const known: Readonly<Record<string, readonly string[]>> = {
    '--details': DETAILS,
    '--min-severity': SEVERITIES,
    '--fail-on': BARS,
    '--apply': APPLY_MODES,
  };
  return known[flag] ?? [];
}

function offeredOf(command: Command, codes: readonly string[], others: readonly string[]): OfferedCommand {
  const name = command.name();
  return {
    name,
    description: command.description(),
    words: name === 'rules' ? codes : name === 'completion' ? SHELLS : name === 'help' ? others : [],
    options: command.options.flatMap(({ long, description, required, optional }) =>
      long ? [{ flag: long, description, takesValue: required || optional, values: valuesOf(name, long) }] : [],
    ),
  };
}

/** A text in single quotes, as every shell here takes it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function bashScript(commands: readonly OfferedCommand[]): string {
  const values = commands.flatMap(({ name, options }) =>
    options
      .filter((option) => option.values.length > 0)
      .map((option) => `    ${quoted(`${name} ${option.flag}`)}) words=${quoted(option.values.join(' '))} ;;`),
  );
  const flags = commands.map(({ name, options }) => `      ${name}) words=${quoted(options.map(({ flag }) => flag).join(' '))} ;;`);
  const wordsBehind = commands
    .filter(({ words }) => words.length > 0)
    .map(({ name, words }) => `      ${name}) words=${quoted(words.join(' '))} ;;`);
  return `_rolloutkit() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${quoted([...commands.map(({ name }) => name), '--help', '--version'].join(' '))}
  else
    case "\${COMP_WORDS[1]} $previous" in
${values.join('\n')}
    esac
    if [ -z "$words" ]; then
      case "$current" in
      -*) case "\${COMP_WORDS[1]}" in
${flags.join('\n')}
      esac ;;
      *) case "\${COMP_WORDS[1]}" in
${wordsBehind.join('\n')}
      esac ;;
      esac
    fi
  fi
  [ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -o bashdefault -F _rolloutkit rolloutkit
`;
}

function fishScript(commands: readonly OfferedCommand[]): string {
  const lines = commands.flatMap(({ name, description, options, words }) => [
    `complete -c rolloutkit -f -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`,
    ...words.map((word) => `complete -c rolloutkit -f -n '__fish_seen_subcommand_from ${name}' -a ${quoted(word)}`),
    ...options.map(({ flag, description: what, takesValue, values }) => {
      const value = values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : takesValue ? ' -r' : '';
      return `complete -c rolloutkit -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}${value} -d ${quoted(what)}`;
    }),
  ]);
  return `${lines.join('\n')}\n`;
}

/** Sourced it registers itself; as a file of fpath, which zsh reads at the first key, it has to answer that key too. */
function zshScript(commands: readonly OfferedCommand[]): string {
  return `#compdef rolloutkit
autoload -U +X bashcompinit && bashcompinit
${bashScript(commands)}[ "\${funcstack[1]}" != _rolloutkit ] || _bash_complete -o default -o bashdefault -F _rolloutkit
`;
}

/**
 * `rolloutkit completion`: a script that a shell reads to complete command lines.
 *
 * @throws UsageError for a shell that there is no script for
 */
export function completionCommand(shell: string, program: Command, codes: readonly string[]): Outcome {
  const all = program.createHelp().visibleCommands(program);
  const names = all.map((command) => command.name());
  const commands = all.map((command) => offeredOf(command, codes, names));
  const scripts: Readonly<Record<(typeof SHELLS)[number], () => string>> = {
    bash: () => bashScript(commands),
    zsh: () => zshScript(commands),
    fish: () => fishScript(commands),
  };
  const known = SHELLS.find((name) => name === shell);
  if (!known) throw new UsageError(`there is no completion for "${shell}"; write ${listed(SHELLS, 'or')}`);
  return { text: scripts[known](), exitCode: EXIT.done };
}
