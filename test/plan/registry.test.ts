import { readdirSync } from 'node:fs';
import path from 'node:path';

import type { AnyRule } from '../../src/core/findings/finding';
import { ALL_RULES } from '../../src/upgrade/all-rules';

const SOURCE = path.resolve(__dirname, '../../src');

function isRule(value: unknown): value is AnyRule {
  return typeof value === 'object' && value !== null && 'code' in value && 'messages' in value;
}

/** The files in folders `rules/` below src/, except indexes. */
const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?:^|\/)rules\/[^/]+\.ts$/.test(file) && !file.endsWith('/index.ts'))
  .toSorted();

/** The rules that a file exports. A file with code that several rules share exports none. */
function rulesIn(file: string): AnyRule[] {
  return Object.values(require(path.join(SOURCE, file)) as object).filter(isRule);
}

const RULE_FILES = FILES.map((file) => [file, rulesIn(file)] as const).filter(([, rules]) => rules.length > 0);

const WHOLE = RULE_FILES.filter(([, [rule]]) => !rule!.isExtension);
const PARTS = RULE_FILES.filter(([, [rule]]) => rule!.isExtension);

test.each(WHOLE)('%s contains one rule, is named after its code, and is registered', (file, rules) => {
  expect(rules.map(({ code }) => code.slice(code.indexOf('/') + 1))).toEqual([path.basename(file, '.ts')]);
});

test.each(RULE_FILES)('the messages of %s are on the page of its code', (_file, [rule, ...others]) => {
  expect(others).toEqual([]);
  const { messages } = ALL_RULES.find(({ code }) => code === rule!.code)!;
  for (const [messageId, message] of Object.entries(rule!.messages)) expect(messages[messageId]).toBe(message);
});

test('each message of a code is defined once', () => {
  expect(PARTS).not.toEqual([]);
  const messageIds = RULE_FILES.flatMap(([, [rule]]) => Object.keys(rule!.messages).map((messageId) => `${rule!.code} ${messageId}`));
  expect(messageIds).toEqual([...new Set(messageIds)]);
});

test('every registered rule has a file of its own, and none is registered twice', () => {
  const codes = ALL_RULES.map(({ code }) => code).toSorted();
  expect(codes).toEqual(WHOLE.map(([, [rule]]) => rule!.code).toSorted());
  expect(codes).toEqual([...new Set(codes)]);
});
