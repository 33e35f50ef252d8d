/** A text as it is without the colours of a terminal. */
export function withoutColours(text: string): string {
  // oxlint-disable-next-line no-control-regex -- colours are what is taken away
  return text.replaceAll(/\u001b\[[0-9;]*m/g, '');
}
