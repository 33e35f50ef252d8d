import { formatFindingText } from '../../src/core/finding';
import type { AnyRule } from '../../src/core/finding';
import { ALL_RULES } from '../../src/change/all-rules';

/** What a message says for its sample, and for the further data that make it say something else. */
function said(rule: AnyRule, messageId: string): string[] {
  const { sample, variants = [] } = rule.messages[messageId]!;
  return [sample, ...variants].flatMap((data) => {
    const { message, help } = formatFindingText(rule, messageId, data);
    return [message, ...(help === undefined ? [] : [`  fix: ${help}`])];
  });
}

const NAMED = ALL_RULES.map((rule) => [rule.code, rule] as const);

/** All prose of findings is held here, and nowhere else: other tests ask for codes, messageIds and data. */
test.each(NAMED)('%s', (_code, rule) => {
  const says = Object.keys(rule.messages).flatMap((messageId) => ['', `${messageId}:`, ...said(rule, messageId)]);
  expect([`severity: ${[rule.severity].flat().join(' or ')}`, `fires: ${rule.fires}`, ...says].join('\n')).toMatchSnapshot();
});

describe('the messages of each rule are whole for the data that they name', () => {
  test.each(NAMED)('%s', (_code, rule) => {
    const messageIds = Object.keys(rule.messages);
    expect(messageIds).not.toEqual([]);
    const torn = messageIds.flatMap((messageId) => said(rule, messageId)).filter((text) => /undefined|\[object|NaN|  $/.test(text));
    expect(torn).toEqual([]);
  });

  test.each(NAMED)('%s keeps plain data, as JSON holds it', (_code, rule) => {
    for (const { sample, variants = [] } of Object.values(rule.messages)) {
      for (const data of [sample, ...variants]) expect(JSON.parse(JSON.stringify(data))).toEqual(data);
    }
  });
});

describe('each rule says when it fires, why that matters and what to write', () => {
  test.each(NAMED)('%s', (_code, { fires, why, fix, example, fixedExample, since }) => {
    expect([fires, why, fix].filter((text) => text.length <= 10)).toEqual([]);
    expect(example).not.toBe(fixedExample);
    expect(since).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
