/**
 * Replaces the fast YAML reader in a browser. It accepts no text, so that the full reader reads everything, with the same result.
 * Input in the playground is small, and the fast reader is one percent of the download.
 */
export function hasOnlyCommonCharacters(): boolean {
  return false;
}

export function readFast(): undefined {
  return undefined;
}
