import { collectFindings } from '../../src/core/document/plan-document';
import type { PlanDocument } from '../../src/core/document/plan-document';
import type { Result, Setting } from './command-line';
import { rolloutkit } from './command-line';

/** The messages, longest first, so that no text is replaced as a part of another. */
function byLength(a: readonly [string, string], b: readonly [string, string]): number {
  return b[0].length - a[0].length;
}

/** Escapes a text as between the quotes of a JSON string. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * Replaces the prose of findings in printed text by `<messageId>` and `<messageId: fix>`.
 * The snapshot of each rule checks its words. Here only their position matters.
 */
export async function withoutProse(args: string, setting: Setting): Promise<Result> {
  const result = await rolloutkit(args, setting);
  const [, ...rest] = args.split(' ');
  const paths = rest.join(' ').replaceAll(/ --(?:resource|component|field|fail-on|format) \S+/g, '');
  const planned = await rolloutkit(`plan ${paths} --format json`, setting);
  expect(planned.stderr).toBe('');
  const plan = JSON.parse(planned.stdout) as PlanDocument;
  const prose = collectFindings(plan).flatMap(({ messageId, message, help = '' }): [string, string][] => [
    [message, `<${messageId}>`],
    [inJson(message), `<${messageId}>`],
    [help, `<${messageId}: fix>`],
    [inJson(help), `<${messageId}: fix>`],
  ]);
  const stdout = prose
    .filter(([words]) => words !== '')
    .toSorted(byLength)
    .reduce((text, [words, name]) => text.replaceAll(words, name), result.stdout);
  return { ...result, stdout };
}
