import { formatFindingText } from '../../src/core/findings/finding';
import { RULES } from '../../src/plan/rules';

test('every message that shows a number as `value` can show a described value as well', () => {
  const value = { described: '1.2345678901234568e+22' };
  const samples = RULES.flatMap((rule) => Object.entries(rule.messages).map(([id, { sample }]) => ({ rule, id, sample })));
  const texts = samples
    .filter(({ sample }) => 'value' in sample && typeof sample.value === 'number')
    .map(({ rule, id, sample }) => formatFindingText(rule, id, { ...sample, value }));
  expect(texts.length).toBeGreaterThan(5);
  expect(texts.filter(({ message, help = '' }) => `${message} ${help}`.includes('[object'))).toEqual([]);
});
