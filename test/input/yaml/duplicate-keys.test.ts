import { DocumentText } from '../../../src/input/yaml';

/** A map with 102 equal keys, 900 levels deep. */
const DEEP = `${'{"a":'.repeat(900)}{${Array.from({ length: 102 }, () => '"key":1').join(',')}}${'}'.repeat(900)}`;

test.each([
  ['JSON', DEEP],
  ['YAML', `# a comment\n${DEEP}`],
])('only the first 100 duplicate keys of %s have a path, as only these are listed, and all are found', (_, text) => {
  const documents = new DocumentText(text);
  const [chunk] = documents.chunks();
  const { duplicateKeys } = documents.valueOf(chunk as Extract<typeof chunk, { end: number }>);
  expect(duplicateKeys.map(({ path }) => path.length)).toEqual([...Array.from({ length: 100 }, () => 900 * 2 + 3), 0]);
});
