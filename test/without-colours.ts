/** Removes the colours of a terminal from a text. */
export function withoutColours(text: string): string {
  // oxlint-disable-next-line no-control-regex -- this removes colours
  return text.replaceAll(/\u001b\[[0-9;]*m/g, '');
}
