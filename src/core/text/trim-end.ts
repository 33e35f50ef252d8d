/**
 * Removes all repetitions of a character at the end of a text: `charts//` becomes `charts`. A pattern such as `/\/+$/` takes quadratic time
 * for this.
 */
export function trimEndCharacter(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
