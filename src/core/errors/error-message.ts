/** Returns the message of an error. Any value can be thrown, even one that throws when it is read. */
export function getErrorMessage(error: unknown): string {
  try {
    const message: unknown = error instanceof Error ? error.message : error;
    // oxlint-disable-next-line typescript/no-base-to-string -- an error of another realm has a text of its own
    return String(message);
  } catch {
    return 'an error without a message';
  }
}
