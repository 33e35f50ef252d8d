import { getListAt, getValueAt } from '../../core/manifest/manifest';
import { getProgramName, parseContainerCommand, splitShellWords } from './command-words';

/** Largest number of seconds that a wait may have; larger ones are no wait that a user means. */
const MAX_SECONDS = 2 ** 31 - 1;

function parseSeconds(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  const match = /^(\d+(?:\.\d+)?)(s|m|h)?$/.exec(text);
  if (!match) return undefined;
  const factor = { s: 1, m: 60, h: 3600 }[match[2] ?? 's']!;
  const seconds = Number(match[1]) * factor;
  return seconds <= MAX_SECONDS ? seconds : undefined;
}

/** Returns the seconds of a command that only sleeps: `sleep 15`, `/bin/sleep 15`. Any other command returns undefined. */
function parseSleepCommand(words: readonly string[] | undefined): number | undefined {
  const [program, argument] = words ?? [];
  return words?.length === 2 && getProgramName(program!) === 'sleep' ? parseSeconds(argument) : undefined;
}

/** Splits a script into its commands, which are undefined if their words do not follow from the text. */
function splitCommands(script: string): (readonly string[] | undefined)[] {
  return script
    .split(/&&|;|\n/)
    .filter((command) => command.trim() !== '')
    .map((command) => splitShellWords(command));
}

/** The time of a hook. */
interface HookTime {
  /** Seconds that it certainly sleeps. */
  readonly seconds: number;
  /** Whether it does nothing else. */
  readonly isExact: boolean;
}

/** Adds up the sleeps at the start of a command: `sleep 10 && sleep 25` takes 35 s, and `sleep 10 && /quit` at least 10 s. */
function readCommandTime(command: unknown): HookTime {
  const { words = [], setup = '', shell, script = '' } = parseContainerCommand({ command }) ?? {};
  const commands = shell === undefined ? [...splitCommands(setup), words] : splitCommands(script);
  const sleeps = commands.map(parseSleepCommand);
  const end = sleeps.indexOf(undefined);
  const seconds = sleeps.slice(0, end < 0 ? sleeps.length : end).reduce((sum: number, one) => sum + one!, 0);
  return { seconds, isExact: end < 0 && sleeps.length > 0 };
}

function readHookTime(container: unknown): HookTime {
  const hook = getValueAt(container, 'lifecycle', 'preStop');
  if (hook === undefined || hook === null) return { seconds: 0, isExact: true };
  const sleep = getValueAt(hook, 'sleep', 'seconds');
  return typeof sleep === 'number' ? { seconds: sleep, isExact: true } : readCommandTime(getValueAt(hook, 'exec', 'command'));
}

/**
 * Returns the seconds that the preStop hook of a container takes before SIGTERM: 0 without a hook, undefined if the manifest does not show it,
 * as for a script or a request.
 */
export function getPreStopSeconds(container: unknown): number | undefined {
  const { seconds, isExact } = readHookTime(container);
  return isExact ? seconds : undefined;
}

/** Returns the seconds that the preStop hook of a container takes at least. */
export function getLeastPreStopSeconds(container: unknown): number {
  return readHookTime(container).seconds;
}

/** Returns the seconds for which a terminating pod certainly still serves: the longest preStop hook of its containers. */
export function getServingSeconds(podSpec: unknown): number {
  return getListAt(podSpec, 'containers').reduce((longest: number, container) => Math.max(longest, getLeastPreStopSeconds(container)), 0);
}
