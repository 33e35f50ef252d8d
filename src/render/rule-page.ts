import { textOf } from '../core/finding';
import type { AnyRule } from '../core/finding';
import { listed } from '../core/words';
import { fitText } from './fit-width';
import { alignRows } from './table';

function fenced(language: string, text: string): string {
  return ['```' + language, text.trimEnd(), '```'].join('\n');
}

function severities({ severity }: AnyRule): readonly string[] {
  return typeof severity === 'string' ? [severity] : severity;
}

/** Text as Markdown shows it as it is. */
function plain(text: string): string {
  return text.replaceAll(/[\\`*_<]/g, (mark) => `\\${mark}`);
}

/** A message of a rule with the sample of its data, and what it says to do. */
function messageLines(rule: AnyRule, messageId: string): string[] {
  const { message, help } = textOf(rule, messageId, rule.messages[messageId]!.sample);
  return [`- \`${messageId}\`: ${plain(message)}`, ...(help === undefined ? [] : [`  Fix: ${plain(help)}`])];
}

/** The page `docs/rules/<code>.md` of one rule, from the rule that the code itself uses. */
export function renderRulePage(rule: AnyRule): string {
  return (
    [
      `# ${rule.code}`,
      `Severity: ${listed(severities(rule), 'or')}. Since ${rule.since}.`,
      rule.fires,
      '## Why it matters',
      rule.why,
      '## What to write',
      rule.fix,
      '## What it says',
      Object.keys(rule.messages)
        .flatMap((messageId) => messageLines(rule, messageId))
        .join('\n'),
      '## Fires',
      fenced('yaml', rule.example),
      '## Silent',
      fenced('yaml', rule.fixed),
    ].join('\n\n') + '\n'
  );
}

/** Codes that a person reads at a terminal, each with its severities and when it fires. @param width of the terminal */
export function renderRuleList(rules: readonly AnyRule[], width?: number): string {
  const byCode = rules.toSorted((a, b) => (a.code < b.code ? -1 : 1));
  const rows = byCode.map((rule) => [rule.code, severities(rule).join(', '), rule.fires]);
  const lines = alignRows(rows, ['left', 'left', 'left']);
  return fitText(`${lines.join('\n')}\n`, width);
}

/** The table of all codes in their order, `docs/rules/README.md`. */
export function renderRuleIndex(rules: readonly AnyRule[]): string {
  const byCode = rules.toSorted((a, b) => (a.code < b.code ? -1 : 1));
  const rows = byCode.map((rule) => {
    return `| [${rule.code}](${rule.code}.md) | ${severities(rule).join(', ')} | ${rule.fires.replaceAll('|', '\\|')} |`;
  });
  return (
    [
      '# Findings',
      '',
      'Every code, its severity and when it fires. Codes are stable.',
      '',
      '| code | severity | fires when |',
      '|---|---|---|',
      ...rows,
    ].join('\n') + '\n'
  );
}
