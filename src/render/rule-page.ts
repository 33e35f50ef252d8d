import type { FindingRule } from '../core/finding';

function fenced(language: string, text: string): string {
  return ['```' + language, text.trimEnd(), '```'].join('\n');
}

/** The page `docs/rules/<code>.md` of one finding code, from the catalogue that the code itself uses. */
export function renderRulePage(code: string, rule: FindingRule): string {
  const severities = typeof rule.severity === 'string' ? [rule.severity] : rule.severity;
  return (
    [
      `# ${code}`,
      `Severity: ${severities.join(' or ')}`,
      rule.fires,
      '## Why it matters',
      rule.why,
      '## What to write',
      rule.fix,
      '## Fires',
      fenced('yaml', rule.example),
      '## Silent',
      fenced('yaml', rule.fixed),
    ].join('\n\n') + '\n'
  );
}

/** The table of all codes, `docs/rules/README.md`. */
export function renderRuleIndex(rules: readonly (readonly [code: string, rule: FindingRule])[]): string {
  const rows = rules.map(([code, rule]) => {
    const severities = typeof rule.severity === 'string' ? [rule.severity] : rule.severity;
    return `| [${code}](${code}.md) | ${severities.join(', ')} | ${rule.fires.replaceAll('|', '\\|')} |`;
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
