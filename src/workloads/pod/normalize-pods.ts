import { isFields, isClassInstance } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { normalizeQuantity } from '../../core/values/normalize-quantity';

/** The fields that contain maps of amounts. */
const RESOURCE_MAP_FIELDS: ReadonlySet<string> = new Set(['limits', 'requests']);

function isEmptyValue(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function normalizeAmounts(amounts: Fields): Fields {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, normalizeQuantity(amount, true)]));
}

/** Removes values that equal the default of every pod. */
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
 * Normalizes the pod fields of an operator's resource, so that two values that result in the same pods are equal.
 * Such a resource is stored as it is written, with only the defaults of its CRD, and its controller decodes it:
 * `1000m` equals `1`, a port without a protocol uses TCP, and null and an empty list equal a missing value.
 *
 * @param isRaw - whether a field is kept as it is written, by the name of the map around it
 */
export function normalizePodFields(value: unknown, isRaw?: (around: string, name: string) => boolean, around = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => normalizePodFields(item, isRaw));
  if (!isFields(value) || isClassInstance(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => !isEmptyValue(inner));
  return Object.fromEntries(
    entries.map(([key, inner]) => {
      if (isRaw?.(around, key) === true) return [key, inner];
      if (RESOURCE_MAP_FIELDS.has(key) && isFields(inner)) return [key, normalizeAmounts(inner)];
      return [key, normalizePodFields(stripDefault(key, inner), isRaw, key)];
    }),
  );
}
