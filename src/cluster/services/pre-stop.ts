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

/** Returns the seconds of a command that only sleeps: `sleep 15`, `/bin/sleep 15`, `sh -c "sleep 15"`. Any other command returns undefined. */
function parseSleepCommand(words: readonly string[]): number | undefined {
  const [program, argument] = words;
  return words.length === 2 && getProgramName(program!) === 'sleep' ? parseSeconds(argument) : undefined;
}

function parseSleep(command: unknown): number | undefined {
  const { words = [], shell, script } = parseContainerCommand({ command }) ?? {};
  const only = shell === undefined ? words : splitShellWords(script!.trim().replace(/;$/, ''));
  return only && parseSleepCommand(only);
}

/**
 * Returns the seconds that the preStop hook of a container takes before SIGTERM: 0 without a hook, undefined if the manifest does not show it,
 * as for a script or a request.
 */
export function getPreStopSeconds(container: unknown): number | undefined {
  const hook = getValueAt(container, 'lifecycle', 'preStop');
  if (hook === undefined || hook === null) return 0;
  const sleep = getValueAt(hook, 'sleep', 'seconds');
  if (typeof sleep === 'number') return sleep;
  return parseSleep(getValueAt(hook, 'exec', 'command'));
}

/** Returns the seconds for which a terminating pod certainly still serves: the longest known preStop hook of its containers. */
export function getServingSeconds(podSpec: unknown): number {
  return getListAt(podSpec, 'containers').reduce((longest: number, container) => Math.max(longest, getPreStopSeconds(container) ?? 0), 0);
}
