import { formatFindingText } from '../../src/core/findings/finding';
import type { AnyRule } from '../../src/core/findings/finding';
import { ALL_RULES } from '../../src/upgrade/all-rules';

/** Renders a message for its sample and for the variants of its data. */
function renderMessages(rule: AnyRule, messageId: string): string[] {
  const { sample, variants = [] } = rule.messages[messageId]!;
  return [sample, ...variants].flatMap((data) => {
    const { message, help } = formatFindingText(rule, messageId, data);
    return [message, ...(help === undefined ? [] : [`  fix: ${help}`])];
  });
}

const NAMED = ALL_RULES.map((rule) => [rule.code, rule] as const);

/** Only this test contains the prose of findings. Other tests check codes, messageIds and data. */
test.each(NAMED)('%s', (_code, rule) => {
  const texts = Object.keys(rule.messages).flatMap((messageId) => ['', `${messageId}:`, ...renderMessages(rule, messageId)]);
  expect([`severity: ${[rule.severity].flat().join(' or ')}`, `fires: ${rule.fires}`, ...texts].join('\n')).toMatchSnapshot();
});

describe('the messages of each rule are complete for their data', () => {
  test.each(NAMED)('%s', (_code, rule) => {
    const messageIds = Object.keys(rule.messages);
    expect(messageIds).not.toEqual([]);
    const incomplete = messageIds
      .flatMap((messageId) => renderMessages(rule, messageId))
      .filter((text) => /undefined|\[object|NaN|  $/.test(text));
    expect(incomplete).toEqual([]);
  });

  test.each(NAMED)('%s has plain JSON data', (_code, rule) => {
    for (const { sample, variants = [] } of Object.values(rule.messages)) {
      for (const data of [sample, ...variants]) expect(JSON.parse(JSON.stringify(data))).toEqual(data);
    }
  });
});

describe('each rule documents when it fires, why that matters and how to fix it', () => {
  test.each(NAMED)('%s', (_code, { fires, why, fix, example, fixedExample, since }) => {
    expect([fires, why, fix].filter((text) => text.length <= 10)).toEqual([]);
    expect(example).not.toBe(fixedExample);
    expect(since).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
