import { parseQuantityNanos } from '../../src/core/quantity';
import { normalizeQuantity } from '../../src/core/normalize-quantity';
import { recorded } from './recording';

type Case =
  | { readonly text: string; readonly refused: true }
  | { readonly text: string; readonly refused?: undefined; readonly nanos: string; readonly written: string; readonly rounded: string };

const cases = recorded('kubernetes-quantities') as readonly Case[];

test('an amount is read and written back as the API server does, and one that it refuses is none', () => {
  const ours = cases.map(({ text }): Case => {
    const nanos = parseQuantityNanos(text.trim());
    if (nanos === undefined) return { text, refused: true };
    return { text, nanos: `${nanos}`, written: String(normalizeQuantity(text, false)), rounded: String(normalizeQuantity(text, true)) };
  });
  expect(ours.filter(({ refused }) => refused).length).toBeGreaterThan(200);
  expect(ours).toEqual(cases);
});
