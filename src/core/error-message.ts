/** Returns the message of an error. Any value can be thrown, even one that throws when it is read. */
export function getErrorMessage(error: unknown): string {
  try {
    const message: unknown = error instanceof Error ? error.message : error;
    return String(message);
  } catch {
    return 'an error without a message';
  }
}
