/**
 * Returns an element of the page by its tag and id.
 *
 * @throws Error if the page has none
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, id: string): HTMLElementTagNameMap[Tag] {
  const found = document.querySelector<HTMLElementTagNameMap[Tag]>(`${tag}#${id}`);
  if (!found) throw new Error(`the page has no ${tag} "${id}"`);
  return found;
}
