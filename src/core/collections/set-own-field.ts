/** Sets an own field of a map. A plain assignment to `__proto__` would set the prototype instead. */
export function setOwnField(map: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(map, name, { value, writable: true, enumerable: true, configurable: true });
  else map[name] = value;
}
