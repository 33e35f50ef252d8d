import { nanosOf } from '../../src/core/quantity';
import { quantityText } from '../../src/core/quantity-text';
import { recorded } from './recording';

type Case =
  | { readonly text: string; readonly refused: true }
  | { readonly text: string; readonly refused?: undefined; readonly nanos: string; readonly written: string; readonly rounded: string };

const cases = recorded('kubernetes-quantities') as readonly Case[];

test('an amount is read and written back as the API server does, and one that it refuses is none', () => {
  const ours = cases.map(({ text }): Case => {
    const nanos = nanosOf(text.trim());
    if (nanos === undefined) return { text, refused: true };
    return { text, nanos: `${nanos}`, written: String(quantityText(text, false)), rounded: String(quantityText(text, true)) };
  });
  expect(ours.filter(({ refused }) => refused).length).toBeGreaterThan(200);
  expect(ours).toEqual(cases);
});
