import type * as Yaml from 'yaml';

/** The library compares each key of a map with all others. A map of 5,000 characters takes some tenths of a second, one of 3 MB some hours. */
const MAX_CHARACTERS = 5_000;

/** Near the end of the stack, a regular expression that the library compiles makes Node.js abort. It needs a level of the stack for each of these. */
const MAX_LEVELS = 200;

/** The beginnings of a list or a map that need no deeper indentation: 5,000 characters have fewer than 100 levels of that. */
const BEGINNING = /[[{]|[-?](?=\s)/g;

/**
 * Parses YAML that is a text in an object. The library, which is loaded only for such a text, would print the text in its warnings as it is.
 *
 * @throws YAMLParseError for a text that is not YAML, and Error for one that is longer or deeper than any that users write
 */
export function parseYamlText(text: string): unknown {
  if (text.length > MAX_CHARACTERS) throw new Error(`the text has more than ${MAX_CHARACTERS} characters`);
  if ((text.match(BEGINNING)?.length ?? 0) > MAX_LEVELS) throw new Error(`the text has more than ${MAX_LEVELS} lists, items and maps`);
  const { parse } = require('yaml') as typeof Yaml;
  return parse(text, { logLevel: 'error' });
}
