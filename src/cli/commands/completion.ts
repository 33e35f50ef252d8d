import type { Command } from 'commander';
import { APPLY_MODES } from '../../core/document/change';
import { FAIL_THRESHOLDS, SEVERITIES } from '../../core/findings/severity';
import { joinWords } from '../../core/text/text-format';
import { DETAIL_LEVELS } from '../../render/text/plan';
import { EXIT } from '../output/exit-codes';
import { OUTPUT_FORMATS } from '../options/formats';
import { UsageError } from '../output/io';
import type { CommandResult } from '../output/io';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Option that a shell completes. */
interface CompletionOption {
  readonly flag: string;
  readonly description: string;
  readonly takesValue: boolean;
  /** Possible values; empty if the value is a file or free text. */
  readonly values: readonly string[];
}

interface CompletionCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletionOption[];
  /** Possible arguments other than files. */
  readonly words: readonly string[];
}

/** Lists the values of an option that accepts only some. */
function listOptionValues(command: string, flag: string): readonly string[] {
  if (flag === '--format') return (OUTPUT_FORMATS as Readonly<Record<string, readonly string[]>>)[command] ?? [];
  const valuesByFlag: Readonly<Record<string, readonly string[]>> = {
    '--details': DETAIL_LEVELS,
    '--min-severity': SEVERITIES,
    '--fail-on': FAIL_THRESHOLDS,
    '--apply': APPLY_MODES,
  };
  return valuesByFlag[flag] ?? [];
}

function describeCommand(command: Command, codes: readonly string[], commandNames: readonly string[]): CompletionCommand {
  const name = command.name();
  return {
    name,
    description: command.description(),
    words: name === 'rules' ? codes : name === 'completion' ? SHELLS : name === 'help' ? commandNames : [],
    options: command.options.flatMap(({ long, description, required, optional }) =>
      long ? [{ flag: long, description, takesValue: required || optional, values: listOptionValues(name, long) }] : [],
    ),
  };
}

/** Quotes a text with single quotes, which all supported shells read in the same way. */
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

/** Builds a zsh script that registers itself if sourced. As a file in fpath, zsh reads it at the first Tab, so it must also complete that one. */
function buildZshScript(commands: readonly CompletionCommand[]): string {
  return `#compdef rolloutkit
autoload -U +X bashcompinit && bashcompinit
${buildBashScript(commands)}[ "\${funcstack[1]}" != _rolloutkit ] || _bash_complete -o default -o bashdefault -F _rolloutkit
`;
}

function describeCommands(program: Command, codes: readonly string[]): CompletionCommand[] {
  const all = program.createHelp().visibleCommands(program);
  const names = all.map((command) => command.name());
  return all.map((command) => describeCommand(command, codes, names));
}

/** Candidates for a word, each with its description; undefined if the word may be a file. */
type Candidates = readonly (readonly [word: string, description: string])[] | undefined;

function listCandidates(words: readonly string[], commands: readonly CompletionCommand[]): Candidates {
  if (words.length <= 1) return commands.map(({ name, description }) => [name, description]);
  const command = commands.find(({ name }) => name === words[0]);
  const option = command?.options.find(({ flag }) => flag === words.at(-2));
  if (option?.takesValue) return option.values.length === 0 ? undefined : option.values.map((value) => [value, '']);
  if (words.at(-1)!.startsWith('-')) return command?.options.map(({ flag, description }) => [flag, description]);
  return command === undefined || command.words.length === 0 ? undefined : command.words.map((word) => [word, '']);
}

/** Directives that end the output: the shell completes files too, or only the words that are printed. */
const DIRECTIVES = { files: 0, wordsOnly: 4 };

/**
 * Completes the words of a command line for kubectl: a candidate per line, and a directive.
 *
 * Source: cobra 1.9, completions.go; kubectl 1.26 and later call `kubectl_complete-NAME` with the words after the name of the plugin
 */
export function runCompleteCommand(words: readonly string[], program: Command, codes: readonly string[]): CommandResult {
  const current = words.at(-1) ?? '';
  const candidates = listCandidates(words, describeCommands(program, codes));
  const matching = (candidates ?? []).filter(([word]) => word.startsWith(current));
  const lines = matching.map(([word, description]) => (description === '' ? word : `${word}\t${description}`));
  return { text: `${[...lines, `:${candidates ? DIRECTIVES.wordsOnly : DIRECTIVES.files}`].join('\n')}\n`, exitCode: EXIT.done };
}

/**
 * Runs `rolloutkit completion`: prints a script that a shell reads to complete command lines.
 *
 * @throws UsageError if the shell is not supported
 */
export function runCompletionCommand(shell: string, program: Command, codes: readonly string[]): CommandResult {
  const commands = describeCommands(program, codes);
  const scripts: Readonly<Record<(typeof SHELLS)[number], () => string>> = {
    bash: () => buildBashScript(commands),
    zsh: () => buildZshScript(commands),
    fish: () => buildFishScript(commands),
  };
  const known = SHELLS.find((name) => name === shell);
  if (!known) throw new UsageError(`there is no completion for "${shell}"; write ${joinWords(SHELLS, 'or')}`);
  return { text: scripts[known](), exitCode: EXIT.done };
}
