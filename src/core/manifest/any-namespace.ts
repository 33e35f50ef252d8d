/** Begins what stands for a namespace that another program fills in, so that it may be any. No namespace has such a name. */
export const ANY_NAMESPACE = '*';

export function isAnyNamespace(namespace: string): boolean {
  return namespace.startsWith(ANY_NAMESPACE);
}
