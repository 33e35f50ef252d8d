import { getListAt, getValueAt, isFields } from '../../core/manifest/manifest';

/** The words of the process that a container starts. */
export interface ContainerCommand {
  /** Words of the process: those of `command` and `args`, or those after `exec` in the script of a shell. */
  readonly words: readonly string[];
  /** Whether the program is that of the image, so that the words are only its arguments. */
  readonly isEntrypoint: boolean;
  /** Commands that a script runs before `exec`. They may set variables of the process. */
  readonly setup?: string;
  /** The shell that runs a script, if no `exec` replaces it: `sh`, `bash`. */
  readonly shell?: string;
  /** Script of that shell. */
  readonly script?: string;
}

/** The command of a container that only names its image. */
const NO_WORDS: ContainerCommand = { words: [], isEntrypoint: true };

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'ash']);

/** Words after which a shell stays in front of the program. */
const SHELL_WORDS: ReadonlySet<string> = new Set(['.', 'builtin', 'command', 'eval', 'source', 'time']);

/** Returns the name of a program without its folder: `uvicorn` for `/usr/local/bin/uvicorn`. */
export function getProgramName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

/**
 * Returns an environment variable of a container: its text, null if there is none, undefined if its value is not in the manifest. The last
 * entry of a name counts, and an entry counts before `envFrom`.
 */
export function getVariable(container: unknown, name: string): string | null | undefined {
  const entry = getListAt(container, 'env').findLast((one) => getValueAt(one, 'name') === name);
  if (entry === undefined) return getListAt(container, 'envFrom').length > 0 ? undefined : null;
  const value = getValueAt(entry, 'value');
  return typeof value === 'string' && !value.includes('$(') ? value : undefined;
}

/** Expands `$(NAME)` as the kubelet does, if the manifest has its value. Other references stay. */
function expandReferences(word: string, container: unknown): string {
  return word.replaceAll(/\$?\$\(([A-Za-z_][A-Za-z0-9_.-]*)\)/g, (reference, name: string) =>
    reference.startsWith('$$') ? reference : (getVariable(container, name) ?? reference),
  );
}

function toWords(container: unknown, field: string): string[] | undefined {
  const written = getValueAt(container, field);
  if (written !== undefined && written !== null && !Array.isArray(written)) return undefined;
  const list = getListAt(container, field);
  if (!list.every((word) => typeof word === 'string')) return undefined;
  return list.map((word) => expandReferences(word, container));
}

/**
 * Splits a simple command of a script into words; undefined if they do not follow from its text alone, because it has variables,
 * substitutions, patterns or several commands.
 */
export function splitShellWords(command: string): string[] | undefined {
  const words: string[] = [];
  const pattern = /\s*(?:'([^']*)'|"([^"$`\\]*)"|([^\s'"$`\\;&|<>(){}*?[\]#~]+)|(\d?>&\d(?=\s|$)))/y;
  let isInWord = false;
  while (pattern.lastIndex < command.length) {
    const start = pattern.lastIndex;
    const match = pattern.exec(command);
    if (!match) return command.slice(start).trim() === '' ? words : undefined;
    const [text, single, double, bare] = match;
    const part = single ?? double ?? bare;
    // `2>&1` is no word.
    if (part === undefined) continue;
    if (isInWord && !/^\s/.test(text)) words[words.length - 1] += part;
    else words.push(part);
    isInWord = true;
  }
  return words;
}

/** The end of a script: the words that its shell executes in its own place, and the commands before. */
interface ExecutedWords {
  readonly words: readonly string[];
  readonly setup: string;
}

/** Returns the words that a script executes in place of the shell; undefined if its text does not show them. */
function parseExec(script: string): ExecutedWords | undefined {
  const text = script.replaceAll('\\\n', ' ').trimEnd();
  // With two of them, the text does not show which one is executed.
  if (text.split(/\bexec\b/).length !== 2 || text.includes('`') || /\beval\b/.test(text)) return undefined;
  const start = text.search(/(?:^|[;&\n])[ \t]*exec\s/);
  if (start < 0) return undefined;
  const at = text.indexOf('exec', start);
  const words = splitShellWords(text.slice(at + 'exec'.length));
  return words && words.length > 0 ? { words, setup: text.slice(0, at) } : undefined;
}

/** A script that a shell runs with `-c`, and the words after it. */
interface ShellScript {
  readonly script: string;
  readonly parameters: readonly string[];
}

/** Finds the script of `sh -c`, after other options such as `-e` and `-o pipefail`. */
function findShellScript(words: readonly string[]): ShellScript | undefined {
  for (let index = 1; index < words.length; index++) {
    const word = words[index]!;
    if (/^-[a-zA-Z]*c$/.test(word)) {
      const script = words[index + 1];
      return script === undefined ? undefined : { script, parameters: words.slice(index + 2) };
    }
    if (!/^[-+][a-zA-Z]+$/.test(word)) return undefined;
    if (/[oO]$/.test(word)) index++;
  }
  return undefined;
}

/**
 * Returns the command of a container; undefined if it is no list of words.
 *
 * `sh -c "exec vllm serve m"` has the words of vllm, since `exec` replaces the shell. `bash -c "vllm serve m"` has them too, since bash executes
 * an only command in its own place.
 */
export function parseContainerCommand(container: unknown): ContainerCommand | undefined {
  if (!isFields(container)) return undefined;
  if (container.command === undefined && container.args === undefined) return NO_WORDS;
  const command = toWords(container, 'command');
  const args = toWords(container, 'args');
  if (!command || !args) return undefined;
  if (command.length === 0) return { words: args, isEntrypoint: true };
  const words = [...command, ...args];
  const shell = getProgramName(words[0]!);
  const found = SHELLS.has(shell) ? findShellScript(words) : undefined;
  if (!found) return { words, isEntrypoint: false };
  const { script, parameters } = found;
  if (script.trim() === 'exec "$@"') return { words: parameters.slice(1), isEntrypoint: false };
  const executed = parseExec(script);
  if (executed) return { ...executed, isEntrypoint: false };
  // For a command with a redirection, bash stays in front of it.
  const only = shell === 'bash' && !script.includes('>') ? splitShellWords(script.replaceAll('\\\n', ' ').trim()) : undefined;
  // An assignment or a word of the shell at the start is no program.
  if (only && /^[\w./-]+$/.test(only[0] ?? '') && !SHELL_WORDS.has(only[0]!)) return { words: only, isEntrypoint: false };
  return { words: [], isEntrypoint: false, shell, script };
}

/** Value of a flag: its text, `null` if the flag is not there, or undefined if the words do not show it. */
export type FlagValue = string | null | undefined;

/**
 * Returns the value of a flag: `--flag value` or `--flag=value`; the last one counts. `--` ends the flags.
 *
 * A word that is only a variable, `$(EXTRA)`, may be any flag, so that its value is not known. The same holds for the beginning of the flag,
 * which some programs accept as an abbreviation.
 */
export function getFlag(words: readonly string[], name: string): FlagValue {
  let value: FlagValue = null;
  for (const [index, word] of words.entries()) {
    if (word === '--') break;
    if (word.startsWith('$')) value = undefined;
    const equals = word.indexOf('=');
    const flag = (equals < 0 ? word : word.slice(0, equals)).replaceAll('_', '-');
    if (!flag.startsWith('--') || !name.startsWith(flag)) continue;
    const text = equals < 0 ? words[index + 1] : word.slice(equals + 1);
    value = flag !== name || text === undefined || text.includes('$') ? undefined : text;
  }
  return value;
}
