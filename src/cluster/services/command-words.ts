import { getListAt, isFields } from '../../core/manifest';

/** The words of the process that a container starts. */
export interface ContainerCommand {
  /** Words of the process: those of `command` and `args`, or those after `exec` in the script of a shell. */
  readonly words: readonly string[];
  /** Whether the program is that of the image, so that the words are only its arguments. */
  readonly isEntrypoint: boolean;
  /** The shell that runs a script, if no `exec` replaces it: `sh`, `bash`. */
  readonly shell?: string;
  /** Script of that shell. */
  readonly script?: string;
}

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'ash']);

/** Returns the name of a program without its folder: `uvicorn` for `/usr/local/bin/uvicorn`. */
export function getProgramName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

function toWords(value: unknown, field: string): string[] | undefined {
  const list = getListAt(value, field);
  return list.every((word) => typeof word === 'string') ? (list as string[]) : undefined;
}

/** Whether the words of a script follow from its text alone: no variables, substitutions, quotes or several commands. */
function isPlainScript(script: string): boolean {
  return !/[$`"'\\;&|<>(){}*?#\n]/.test(script) && !/\beval\b/.test(script);
}

/** Returns the words that a script executes in place of the shell; undefined if its text does not show them. */
function parseExec(script: string): readonly string[] | undefined {
  const commands = script.trimEnd();
  const start = Math.max(commands.lastIndexOf('&') + 1, commands.lastIndexOf(';') + 1, commands.lastIndexOf('\n') + 1);
  const command = commands.slice(start).trim();
  const last = /^exec\s/.test(command) ? command.slice('exec'.length).trim() : undefined;
  return last !== undefined && isPlainScript(last) && !script.includes('`') && !/\beval\b/.test(script) ? last.split(/\s+/) : undefined;
}

/**
 * Returns the command of a container; undefined if it is no list of words.
 *
 * `sh -c "exec vllm serve m"` has the words of vllm, since `exec` replaces the shell. `bash -c "vllm serve m"` has them too, since bash executes
 * the last command in its own place.
 */
export function parseContainerCommand(container: unknown): ContainerCommand | undefined {
  if (!isFields(container)) return undefined;
  const command = toWords(container, 'command');
  const args = toWords(container, 'args');
  if (!command || !args) return undefined;
  if (command.length === 0) return { words: args, isEntrypoint: true };
  const words = [...command, ...args];
  const shell = getProgramName(words[0]!);
  const [, option, script] = words;
  if (!SHELLS.has(shell) || script === undefined || !/^-[a-z]*c$/.test(option!)) return { words, isEntrypoint: false };
  const executed = parseExec(script);
  if (executed) return { words: executed, isEntrypoint: false };
  if (shell === 'bash' && isPlainScript(script)) return { words: script.trim().split(/\s+/), isEntrypoint: false };
  return { words: [], isEntrypoint: false, shell, script };
}

/** Value of a flag: its text, `null` if the flag is not there, or undefined if the words do not show it. */
export type FlagValue = string | null | undefined;

/**
 * Returns the value of a flag: `--flag value` or `--flag=value`; the last one counts.
 *
 * A word that is only a variable, `$(EXTRA)`, may be any flag, so that its value is not known.
 */
export function getFlag(words: readonly string[], name: string): FlagValue {
  let value: FlagValue = null;
  for (const [index, word] of words.entries()) {
    if (word.startsWith('$(')) value = undefined;
    const equals = word.indexOf('=');
    const flag = equals < 0 ? word : word.slice(0, equals);
    if (!flag.startsWith('--') || flag.replaceAll('_', '-') !== name) continue;
    const text = equals < 0 ? words[index + 1] : word.slice(equals + 1);
    value = text === undefined || text.includes('$') ? undefined : text;
  }
  return value;
}
