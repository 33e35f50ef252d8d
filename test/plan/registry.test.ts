import { readdirSync } from 'node:fs';
import path from 'node:path';

import type { AnyRule } from '../../src/core/finding';
import { RULES } from '../../src/plan/registry';

const SOURCE = path.resolve(__dirname, '../../src');

function isRule(value: unknown): value is AnyRule {
  return typeof value === 'object' && value !== null && 'code' in value && 'messages' in value;
}

/** The files in folders `rules/`, indexes apart, as they stand below src/. */
const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?:^|\/)rules\/[^/]+\.ts$/.test(file) && !file.endsWith('/index.ts'))
  .toSorted();

/** The rules that a file exports. What several rules share may stand beside them in a file that exports none. */
function rulesIn(file: string): AnyRule[] {
  return Object.values(require(path.join(SOURCE, file)) as object).filter(isRule);
}

const RULE_FILES = FILES.map((file) => [file, rulesIn(file)] as const).filter(([, rules]) => rules.length > 0);

test.each(RULE_FILES)('%s holds one rule, is named after its code, and plans know it', (file, rules) => {
  expect(rules.map(({ code }) => code.slice(code.indexOf('/') + 1))).toEqual([path.basename(file, '.ts')]);
  expect(RULES.filter((rule) => rule === rules[0])).toHaveLength(1);
});

test('plans know no rule that has no file of its own, and none twice', () => {
  const codes = RULES.map(({ code }) => code).toSorted();
  expect(codes).toEqual(RULE_FILES.map(([, [rule]]) => rule!.code).toSorted());
  expect(codes).toEqual([...new Set(codes)]);
});
