import * as fc from 'fast-check';
import { wrapLineToWidth } from '../../src/render/layout/wrap-text';
import { alignRows, computeNameWidth } from '../../src/render/layout/table';

describe('a line that is wider than the terminal', () => {
  test('continues below its second column, with one cell per line if cells do not fit next to each other', () => {
    expect(
      wrapLineToWidth(
        '! roll             Deployment shop/api   9 of 12 available at the worst moment   image shop/api:1 -> shop/api:2',
        60,
      ),
    ).toEqual([
      '! roll             Deployment shop/api',
      '                   9 of 12 available at the worst moment',
      '                   image shop/api:1 -> shop/api:2',
    ]);
  });

  test('continues in the column of a long text, if that leaves half of the width', () => {
    expect(
      wrapLineToWidth(
        '✗ refused   StatefulSet shop/orders   spec: Forbidden: updates to statefulset spec for fields other than replicas are forbidden',
        80,
      ),
    ).toEqual([
      '✗ refused   StatefulSet shop/orders   spec: Forbidden: updates to statefulset',
      '                                      spec for fields other than replicas are',
      '                                      forbidden',
    ]);
  });

  test('does not break a name, and puts the text below it', () => {
    expect(wrapLineToWidth('!  InferenceService models/a-model-with-a-long-name predictor  1 pod: 3 waves, peak 2', 70)).toEqual([
      '!  InferenceService models/a-model-with-a-long-name predictor',
      '   1 pod: 3 waves, peak 2',
    ]);
    expect(wrapLineToWidth('!  InferenceService models/a-model-with-a-long-name predictor  1 pod', 50)).toEqual([
      '!  InferenceService',
      '   models/a-model-with-a-long-name predictor',
      '   1 pod',
    ]);
  });

  test('of a sentence has a slight indent', () => {
    expect(wrapLineToWidth('  fix: Write 0 without quotes, or a percentage.', 30)).toEqual([
      '  fix: Write 0 without quotes,',
      '    or a percentage.',
    ]);
  });

  test('loses no word and is not too wide, except for a word that is too wide itself', () => {
    const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', 'b', '/', '.') });
    const line = fc.array(fc.tuple(fc.constantFrom(' ', '  ', '     '), word), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(line, fc.integer({ min: 20, max: 60 }), (parts, width) => {
        const text = parts.map(([gap, one]) => gap + one).join('');
        const lines = wrapLineToWidth(text, width);
        expect(lines.join(' ').split(/ +/).filter(Boolean)).toEqual(text.split(/ +/).filter(Boolean));
        expect(lines.filter(({ length }) => length > width)).toEqual([]);
      }),
    );
  });
});

test('one long name only shifts its own row, so that the text of other rows fits', () => {
  const rows = [
    ['!', 'InferenceService models/a-model-with-a-very-long-name predictor', '1 pod: 3 waves'],
    ['', 'Deployment shop/web', '2 pods: 2 waves'],
    ['', 'Deployment shop/checkout', '9 pods: 4 waves'],
  ];
  const maxWidth = computeNameWidth(
    rows.map(([, , text]) => text!),
    5,
    60,
  );
  expect(maxWidth).toBe(40);
  expect(alignRows(rows, ['left', 'left', 'left'], '  ', maxWidth)).toEqual([
    '!  InferenceService models/a-model-with-a-very-long-name predictor  1 pod: 3 waves',
    '   Deployment shop/web       2 pods: 2 waves',
    '   Deployment shop/checkout  9 pods: 4 waves',
  ]);
});
