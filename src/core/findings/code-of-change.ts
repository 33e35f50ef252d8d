/**
 * Reports whether a code is one of a rule about one apply. An annotation stays when the change is over, so it would hide the findings about later
 * changes too.
 */
export function isCodeOfChange(code: string): boolean {
  return /^(?:change|upgrade)\//.test(code);
}
