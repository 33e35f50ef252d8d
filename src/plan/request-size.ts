/**
 * Bytes of a request that the API server reads.
 *
 * Source: k/k staging/src/k8s.io/apiserver/pkg/server/config.go, `NewConfig`, MaxRequestBodyBytes.
 */
export const MOST_REQUEST_BYTES = 3 * 1024 * 1024;

/** The bytes that a value takes at least as JSON: what is escaped, or takes several bytes, counts as one. Counts no further than `most`. */
function leastBytes(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 1;
  let bytes = 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && bytes <= most; index++) bytes += leastBytes(value[index], most - bytes) + 1;
    return bytes;
  }
  for (const key in value) {
    if (bytes > most) break;
    bytes += key.length + 4 + leastBytes((value as Readonly<Record<string, unknown>>)[key], most - bytes);
  }
  return bytes;
}

/** Is an object larger than any request that the API server reads, however it is sent? */
export function isTooLarge(object: object): boolean {
  return leastBytes(object, MOST_REQUEST_BYTES) > MOST_REQUEST_BYTES;
}
