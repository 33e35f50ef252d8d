import type * as Yaml from 'yaml';

/**
 * Parses YAML that is a text in an object. The library, which is loaded only for such a text, would print the text in its warnings as it is.
 *
 * @throws YAMLParseError for a text that is not YAML
 */
export function parseYamlText(text: string): unknown {
  const { parse } = require('yaml') as typeof Yaml;
  return parse(text, { logLevel: 'error' });
}
