/**
 * Removes all of some characters at the end of a text: `charts//` becomes `charts`. A pattern such as `/\/+$/` takes quadratic time
 * for this.
 */
export function trimEndCharacters(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}
