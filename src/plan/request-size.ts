/**
 * Maximum size of a request that the API server accepts, in bytes.
 *
 * Source: k/k staging/src/k8s.io/apiserver/pkg/server/config.go, `NewConfig`, MaxRequestBodyBytes.
 */
export const MAX_REQUEST_BYTES = 3 * 1024 * 1024;

/** Returns a lower bound of the size of a value as JSON: each character counts as one byte. Stops counting beyond `maxBytes`. */
function countMinBytes(value: unknown, maxBytes: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 1;
  let bytes = 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && bytes <= maxBytes; index++) bytes += countMinBytes(value[index], maxBytes - bytes) + 1;
    return bytes;
  }
  for (const key in value) {
    if (bytes > maxBytes) break;
    bytes += key.length + 4 + countMinBytes((value as Readonly<Record<string, unknown>>)[key], maxBytes - bytes);
  }
  return bytes;
}

/** Reports whether an object is larger than any request that the API server accepts, in every encoding. */
export function isTooLarge(object: object): boolean {
  return countMinBytes(object, MAX_REQUEST_BYTES) > MAX_REQUEST_BYTES;
}
