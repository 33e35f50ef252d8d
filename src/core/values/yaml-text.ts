import type * as Yaml from 'yaml';

/** The library compares each key of a map with all others. A map of 5,000 characters takes some tenths of a second, one of 3 MB some hours. */
const MAX_CHARACTERS = 5_000;

/**
 * Parses YAML that is a text in an object. The library, which is loaded only for such a text, would print the text in its warnings as it is.
 *
 * @throws YAMLParseError for a text that is not YAML, and Error for one that is longer than any that users write
 */
export function parseYamlText(text: string): unknown {
  if (text.length > MAX_CHARACTERS) throw new Error(`the text has more than ${MAX_CHARACTERS} characters`);
  const { parse } = require('yaml') as typeof Yaml;
  return parse(text, { logLevel: 'error' });
}
