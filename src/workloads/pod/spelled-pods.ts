import { isFields, isInstance } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { quantityText } from '../../core/quantity-text';

/** Maps of amounts. */
const AMOUNTS: ReadonlySet<string> = new Set(['limits', 'requests']);

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function amountsSpelled(amounts: Fields): Fields {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, quantityText(amount, true)]));
}

/** Without what every pod gets where it is left out. */
function withoutDefault(key: string, value: unknown): unknown {
  if (key === 'ports' && Array.isArray(value)) {
    return value.map((port: unknown) => {
      if (!isFields(port) || port.protocol !== 'TCP') return port;
      const { protocol: _, ...others } = port;
      return others;
    });
  }
  if (key !== 'grpc' || !isFields(value) || value.service !== '') return value;
  const { service: _, ...others } = value;
  return others;
}

/**
 * What an operator's resource says of pods, in one spelling: what makes the same pods is equal then.
 * Such a resource is stored as it is written, with the few defaults of its definition, and its controller decodes it:
 * `1000m` is `1`, a port without a protocol is one of TCP, null and an empty list are nothing.
 */
export function spelledPods(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spelledPods);
  if (!isFields(value) || isInstance(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => !isNothing(inner));
  return Object.fromEntries(
    kept.map(([key, inner]) => [
      key,
      AMOUNTS.has(key) && isFields(inner) ? amountsSpelled(inner) : spelledPods(withoutDefault(key, inner)),
    ]),
  );
}
