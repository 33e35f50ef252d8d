import { readdirSync } from 'node:fs';
import path from 'node:path';

import { ALL_RULES } from '../../src/upgrade/all-rules';
import { renderRuleIndex, renderRulePage } from '../../src/render/text/rule-page';
import { expectGenerated, ROOT } from './generated';

test('docs/rules/README.md lists every code', () => {
  expectGenerated('docs/rules/README.md', renderRuleIndex(ALL_RULES));
});

test.each(ALL_RULES.map((rule) => [rule.code, rule] as const))('the page of %s is generated from its rule', (code, rule) => {
  expectGenerated(`docs/rules/${code}.md`, renderRulePage(rule));
});

test('no removed code has a page', () => {
  const pages = readdirSync(path.join(ROOT, 'docs/rules'), { recursive: true, encoding: 'utf8' }).filter((file) => file.includes('/'));
  expect(pages.toSorted()).toEqual(ALL_RULES.map(({ code }) => `${code}.md`).toSorted());
});
