/** What an error says. Anything may have been thrown, also what throws when it is asked. */
export function errorText(error: unknown): string {
  try {
    const said: unknown = error instanceof Error ? error.message : error;
    return String(said);
  } catch {
    return 'an error that says nothing';
  }
}
