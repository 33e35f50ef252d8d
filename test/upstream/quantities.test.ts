import { parseQuantityNanos } from '../../src/core/values/quantity';
import { normalizeQuantity } from '../../src/core/values/normalize-quantity';
import { recorded } from './recording';

type Case =
  | { readonly text: string; readonly refused: true }
  | { readonly text: string; readonly refused?: undefined; readonly nanos: string; readonly written: string; readonly rounded: string };

const cases = recorded('kubernetes-quantities') as readonly Case[];

test('an amount is parsed and formatted as by the API server, and is invalid if the server refuses it', () => {
  const ours = cases.map(({ text }): Case => {
    const nanos = parseQuantityNanos(text.trim());
    if (nanos === undefined) return { text, refused: true };
    return { text, nanos: `${nanos}`, written: String(normalizeQuantity(text, false)), rounded: String(normalizeQuantity(text, true)) };
  });
  expect(ours.filter(({ refused }) => refused).length).toBeGreaterThan(200);
  expect(ours).toEqual(cases);
});
