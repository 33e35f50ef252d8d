import type { Finding } from '../core/findings/finding';

/** Options of the command line in advice, and the props that constructs and components have instead. */
const REPLACEMENTS: readonly (readonly [option: RegExp, prop: string])[] = [
  [/ with --(?:clusters|capacity), or (?=(?:as|in) the prop )/g, ' '],
  [/Add it to the input or pass it with --kserve-config:/g, 'Pass it as the prop platform:'],
  [/ with --kserve-config\b/g, ' as the prop platform'],
  [/ Set --startup-seconds, or the option startupSeconds, to get a duration\./g, ''],
  [/, or pass (?:it|them) with --not-ready-now\b/g, ''],
  [/--versions ([a-z-]+)=([\d.]*\d)/g, "$1: '$2'"],
];

/** Returns a finding whose advice names props instead of options of the command line. */
export function withPropAdvice(finding: Finding): Finding {
  if (!finding.help?.includes('--')) return finding;
  return { ...finding, help: REPLACEMENTS.reduce((help, [option, prop]) => help.replace(option, prop), finding.help) };
}
