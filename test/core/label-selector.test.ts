import { matchesLabelSelector } from '../../src/core/values/label-selector';

const labels = { app: 'web', tier: 'front' };

describe('a label selector selects as the API server does', () => {
  test.each([
    ['all labels', { matchLabels: { app: 'web', tier: 'front' } }, true],
    ['one label with another value', { matchLabels: { app: 'web', tier: 'back' } }, false],
    ['In, with the value among them', { matchExpressions: [{ key: 'app', operator: 'In', values: ['api', 'web'] }] }, true],
    ['In, with a missing label', { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }, false],
    ['NotIn, with another value', { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['api'] }] }, true],
    ['NotIn, with a missing label', { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] }, true],
    ['NotIn, with the value among them', { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] }, false],
    ['Exists', { matchExpressions: [{ key: 'tier', operator: 'Exists' }] }, true],
    ['DoesNotExist', { matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }, false],
    ['DoesNotExist, with a missing label', { matchExpressions: [{ key: 'zone', operator: 'DoesNotExist' }] }, true],
    [
      'labels and expressions, one of them failing',
      { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'zone', operator: 'Exists' }] },
      false,
    ],
    ['an empty selector', {}, true],
    ['empty parts', { matchLabels: {}, matchExpressions: [] }, true],
    ['no selector', undefined, false],
    ['null', null, false],
    ['In, of a missing label, without values', { matchExpressions: [{ key: 'zone', operator: 'In', values: [undefined] }] }, false],
    ['In, with another value', { matchExpressions: [{ key: 'app', operator: 'In', values: ['api'] }] }, false],
    ['NotIn, of a missing label, without values', { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: [undefined] }] }, true],
    ['an expression that is not a map', { matchExpressions: ['app'] }, false],
    ['an expression without a key', { matchExpressions: [{ operator: 'DoesNotExist' }] }, false],
    ['an expression whose key is not text', { matchExpressions: [{ key: 3, operator: 'DoesNotExist' }] }, false],
    ['an operator that is not text', { matchExpressions: [{ key: 'app', operator: ['Exists'] }] }, false],
    ['an unknown operator', { matchExpressions: [{ key: 'app', operator: 'toString' }] }, false],
    ['an inherited property name', { matchLabels: { Object: 'web' } }, false],
  ])('%s: %p is %p', (_what, selector, selected) => {
    expect(matchesLabelSelector(selector, labels)).toBe(selected);
  });

  test('null is an empty value of a label and of an expression', () => {
    const expression = (operator: string) => ({ matchExpressions: [{ key: 'app', operator, values: [null] }] });
    for (const app of ['', null])
      expect(['In', 'NotIn'].map((operator) => matchesLabelSelector(expression(operator), { app }))).toEqual([true, false]);
    expect(matchesLabelSelector({ matchLabels: { app: null } }, { app: '' })).toBe(false);
  });

  test('objects without labels are selected by an empty selector and by DoesNotExist', () => {
    expect(matchesLabelSelector({}, undefined)).toBe(true);
    expect(matchesLabelSelector({ matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, undefined)).toBe(true);
    expect(matchesLabelSelector({ matchLabels: { app: 'web' } }, null)).toBe(false);
  });
});
