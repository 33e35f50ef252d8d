import { formatFindingText } from '../../core/findings/finding';
import type { AnyRule } from '../../core/findings/finding';
import { joinWords } from '../../core/text/text-format';
import { wrapTextToWidth } from '../layout/wrap-text';
import { alignRows } from '../layout/table';

function renderCodeFence(language: string, text: string): string {
  return ['```' + language, text.trimEnd(), '```'].join('\n');
}

function listSeverities({ severity }: AnyRule): readonly string[] {
  return typeof severity === 'string' ? [severity] : severity;
}

/** Escapes text so that Markdown shows it literally. */
function escapeRuleText(text: string): string {
  return text.replaceAll(/[\\`*_<]/g, (mark) => `\\${mark}`);
}

/** Renders a message of a rule with its sample data, and its help. */
function renderMessageLines(rule: AnyRule, messageId: string): string[] {
  const { message, help } = formatFindingText(rule, messageId, rule.messages[messageId]!.sample);
  return [`- \`${messageId}\`: ${escapeRuleText(message)}`, ...(help === undefined ? [] : [`  Fix: ${escapeRuleText(help)}`])];
}

/** Renders `docs/rules/<code>.md` from the rule that the code itself uses. */
export function renderRulePage(rule: AnyRule): string {
  return (
    [
      `# ${rule.code}`,
      `Severity: ${joinWords(listSeverities(rule), 'or')}. Since ${rule.since}.`,
      rule.fires,
      '## Why it matters',
      rule.why,
      '## How to fix it',
      rule.fix,
      '## Messages',
      Object.keys(rule.messages)
        .flatMap((messageId) => renderMessageLines(rule, messageId))
        .join('\n'),
      '## Example',
      renderCodeFence('yaml', rule.example),
      '## Fixed example',
      renderCodeFence('yaml', rule.fixedExample),
    ].join('\n\n') + '\n'
  );
}

/**
 * Renders the list of codes for a terminal, each with its severities and when it fires.
 *
 * @param width of the terminal
 */
export function renderRuleList(rules: readonly AnyRule[], width?: number): string {
  const byCode = rules.toSorted((a, b) => (a.code < b.code ? -1 : 1));
  const rows = byCode.map((rule) => [rule.code, listSeverities(rule).join(', '), rule.fires]);
  const lines = alignRows(rows, ['left', 'left', 'left']);
  return wrapTextToWidth(`${lines.join('\n')}\n`, width);
}

/** Renders `docs/rules/README.md`, the sorted table of all codes. */
export function renderRuleIndex(rules: readonly AnyRule[]): string {
  const byCode = rules.toSorted((a, b) => (a.code < b.code ? -1 : 1));
  const rows = byCode.map((rule) => {
    return `| [${rule.code}](${rule.code}.md) | ${listSeverities(rule).join(', ')} | ${rule.fires.replaceAll('|', '\\|')} |`;
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
