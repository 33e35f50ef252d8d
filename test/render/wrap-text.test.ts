import * as fc from 'fast-check';
import { wrapLineToWidth } from '../../src/render/wrap-text';
import { alignRows, computeNameWidth } from '../../src/render/table';

describe('a line that is wider than the terminal', () => {
  test('goes on below its second column, a cell a line where it has no room beside the others', () => {
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

  test('goes on in the column of a long text, where that leaves half of the width', () => {
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

  test('keeps a name whole, with what is said of it below', () => {
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

  test('of a sentence is a little further in', () => {
    expect(wrapLineToWidth('  fix: Write 0 without quotes, or a percentage.', 30)).toEqual([
      '  fix: Write 0 without quotes,',
      '    or a percentage.',
    ]);
  });

  test('loses no word, and is no wider, but for a word that is wider itself', () => {
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

test('one long name moves its own row alone, so that the others have room for what is said', () => {
  const rows = [
    ['!', 'InferenceService models/a-model-with-a-very-long-name predictor', '1 pod: 3 waves'],
    ['', 'Deployment shop/web', '2 pods: 2 waves'],
    ['', 'Deployment shop/checkout', '9 pods: 4 waves'],
  ];
  const most = computeNameWidth(
    rows.map(([, , said]) => said!),
    5,
    60,
  );
  expect(most).toBe(40);
  expect(alignRows(rows, ['left', 'left', 'left'], '  ', most)).toEqual([
    '!  InferenceService models/a-model-with-a-very-long-name predictor  1 pod: 3 waves',
    '   Deployment shop/web       2 pods: 2 waves',
    '   Deployment shop/checkout  9 pods: 4 waves',
  ]);
});
