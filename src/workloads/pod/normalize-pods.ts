import { isFields, isClassInstance } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { normalizeQuantity } from '../../core/normalize-quantity';

/** Maps of amounts. */
const RESOURCE_MAP_FIELDS: ReadonlySet<string> = new Set(['limits', 'requests']);

function isEmptyValue(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function normalizeAmounts(amounts: Fields): Fields {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, normalizeQuantity(amount, true)]));
}

/** Without what every pod gets where it is left out. */
function stripDefault(key: string, value: unknown): unknown {
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
export function normalizePodFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalizePodFields);
  if (!isFields(value) || isClassInstance(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => !isEmptyValue(inner));
  return Object.fromEntries(
    entries.map(([key, inner]) => [
      key,
      RESOURCE_MAP_FIELDS.has(key) && isFields(inner) ? normalizeAmounts(inner) : normalizePodFields(stripDefault(key, inner)),
    ]),
  );
}
