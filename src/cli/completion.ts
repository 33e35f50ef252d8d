import type { Command } from 'commander';
import { APPLY_MODES } from '../core/change';
import { FAIL_THRESHOLDS, SEVERITIES } from '../core/severity';
import { joinWords } from '../core/text-format';
import { DETAIL_LEVELS } from '../render/text';
import { EXIT } from './exit-codes';
import { OUTPUT_FORMATS } from './formats';
import { UsageError } from './io';
import type { CommandResult } from './io';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** An option as a shell offers it. */
interface CompletionOption {
  readonly flag: string;
  readonly description: string;
  readonly takesValue: boolean;
  /** What it may have as its value; empty where that is a file or anything else. */
  readonly values: readonly string[];
}

interface CompletionCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletionOption[];
  /** What may stand behind it besides files. */
  readonly words: readonly string[];
}

/** Values of options that are one of a few. */
function listOptionValues(command: string, flag: string): readonly string[] {
  if (flag === '--format') return (OUTPUT_FORMATS as Readonly<Record<string, readonly string[]>>)[command] ?? [];
  const known: Readonly<Record<string, readonly string[]>> = {
    '--details': DETAIL_LEVELS,
    '--min-severity': SEVERITIES,
    '--fail-on': FAIL_THRESHOLDS,
    '--apply': APPLY_MODES,
  };
  return known[flag] ?? [];
}

function describeCommand(command: Command, codes: readonly string[], others: readonly string[]): CompletionCommand {
  const name = command.name();
  return {
    name,
    description: command.description(),
    words: name === 'rules' ? codes : name === 'completion' ? SHELLS : name === 'help' ? others : [],
    options: command.options.flatMap(({ long, description, required, optional }) =>
      long ? [{ flag: long, description, takesValue: required || optional, values: listOptionValues(name, long) }] : [],
    ),
  };
}

/** A text in single quotes, as every shell here takes it. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function buildBashScript(commands: readonly CompletionCommand[]): string {
  const values = commands.flatMap(({ name, options }) =>
    options
      .filter((option) => option.values.length > 0)
      .map((option) => `    ${quoteForShell(`${name} ${option.flag}`)}) words=${quoteForShell(option.values.join(' '))} ;;`),
  );
  const flags = commands.map(({ name, options }) => `      ${name}) words=${quoteForShell(options.map(({ flag }) => flag).join(' '))} ;;`);
  const argumentWords = commands
    .filter(({ words }) => words.length > 0)
    .map(({ name, words }) => `      ${name}) words=${quoteForShell(words.join(' '))} ;;`);
  return `_rolloutkit() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${quoteForShell([...commands.map(({ name }) => name), '--help', '--version'].join(' '))}
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
${argumentWords.join('\n')}
      esac ;;
      esac
    fi
  fi
  [ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -o bashdefault -F _rolloutkit rolloutkit
`;
}

function buildFishScript(commands: readonly CompletionCommand[]): string {
  const lines = commands.flatMap(({ name, description, options, words }) => [
    `complete -c rolloutkit -f -n __fish_use_subcommand -a ${name} -d ${quoteForShell(description)}`,
    ...words.map((word) => `complete -c rolloutkit -f -n '__fish_seen_subcommand_from ${name}' -a ${quoteForShell(word)}`),
    ...options.map(({ flag, description: what, takesValue, values }) => {
      const value = values.length > 0 ? ` -x -a ${quoteForShell(values.join(' '))}` : takesValue ? ' -r' : '';
      return `complete -c rolloutkit -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}${value} -d ${quoteForShell(what)}`;
    }),
  ]);
  return `${lines.join('\n')}\n`;
}

/** Sourced it registers itself; as a file of fpath, which zsh reads at the first key, it has to answer that key too. */
function buildZshScript(commands: readonly CompletionCommand[]): string {
  return `#compdef rolloutkit
autoload -U +X bashcompinit && bashcompinit
${buildBashScript(commands)}[ "\${funcstack[1]}" != _rolloutkit ] || _bash_complete -o default -o bashdefault -F _rolloutkit
`;
}

/**
 * `rolloutkit completion`: a script that a shell reads to complete command lines.
 *
 * @throws UsageError for a shell that there is no script for
 */
export function runCompletionCommand(shell: string, program: Command, codes: readonly string[]): CommandResult {
  const all = program.createHelp().visibleCommands(program);
  const names = all.map((command) => command.name());
  const commands = all.map((command) => describeCommand(command, codes, names));
  const scripts: Readonly<Record<(typeof SHELLS)[number], () => string>> = {
    bash: () => buildBashScript(commands),
    zsh: () => buildZshScript(commands),
    fish: () => buildFishScript(commands),
  };
  const known = SHELLS.find((name) => name === shell);
  if (!known) throw new UsageError(`there is no completion for "${shell}"; write ${joinWords(SHELLS, 'or')}`);
  return { text: scripts[known](), exitCode: EXIT.done };
}
