/** What an error says. Anything may have been thrown, also what throws when it is asked. */
export function getErrorMessage(error: unknown): string {
  try {
    const message: unknown = error instanceof Error ? error.message : error;
    return String(message);
  } catch {
    return 'an error that says nothing';
  }
}
