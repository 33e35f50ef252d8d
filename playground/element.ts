/**
 * An element of the page by its tag and id.
 *
 * @throws Error where the page has none, which its author sees at once
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, id: string): HTMLElementTagNameMap[Tag] {
  const found = document.querySelector<HTMLElementTagNameMap[Tag]>(`${tag}#${id}`);
  if (!found) throw new Error(`the page has no ${tag} "${id}"`);
  return found;
}
