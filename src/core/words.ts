/** `1 pod`, `3 pods`; give the plural where it is more than an s: `counted(2, 'batch', 'batches')`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** The same as a summary for people has it: `no waves`, `1 wave`, `2 waves`. */
export function countedOrNo(count: number, noun: string, plural = `${noun}s`): string {
  return count === 0 ? `no ${plural}` : counted(count, noun, plural);
}

/** `a`, `a and b`, `a, b and c`; another word than "and" where one is given. */
export function listed(items: readonly string[], conjunction = 'and'): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`;
}

/** A text that begins a sentence. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
