import { readdirSync } from 'node:fs';
import path from 'node:path';

import type { FindingRule } from '../../src/core/finding';
import { FINDING_RULES } from '../../src/plan/registry';
import { renderRuleIndex, renderRulePage } from '../../src/render/rule-page';
import { expectGenerated, ROOT } from './generated';

const RULES: readonly (readonly [string, FindingRule])[] = Object.entries(FINDING_RULES);

test('docs/rules/README.md lists every code', () => {
  expectGenerated('docs/rules/README.md', renderRuleIndex(RULES));
});

test.each(RULES)('the page of %s is written from the catalogue', (code, rule) => {
  expectGenerated(`docs/rules/${code}.md`, renderRulePage(code, rule));
});

test('there is no page of a code that is gone', () => {
  const pages = readdirSync(path.join(ROOT, 'docs/rules'), { recursive: true, encoding: 'utf8' }).filter((file) => file.includes('/'));
  expect(pages.toSorted()).toEqual(RULES.map(([code]) => `${code}.md`).toSorted());
});
