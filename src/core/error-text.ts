/** What an error says. Anything may have been thrown, also what throws when it is asked. */
export function errorText(error: unknown): string {
  try {
    return error instanceof Error ? `${error.message}` : String(error);
  } catch {
    return 'an error that says nothing';
  }
}
