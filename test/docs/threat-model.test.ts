import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const PAGE = readFileSync(path.join(ROOT, 'docs/threat-model.md'), 'utf8');

/** The list items of a section, with the lines that continue them. */
function itemsOf(heading: string): readonly string[] {
  const [, section = ''] = PAGE.split(`## ${heading}\n`);
  const [body = ''] = section.split('\n## ');
  return body
    .split(/^- /m)
    .slice(1)
    .map((item) => item.replaceAll(/\n {2}/g, ' '));
}

describe('docs/threat-model.md', () => {
  const named = [...new Set(PAGE.match(/`test\/[^`]*`/g))].map((name) => name.slice(1, -1));

  test('names only tests that exist', () => {
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });

  test.each(['What it runs', 'What it reads and writes', 'Every run ends', 'Nothing is hidden', 'What it shows'])(
    'names a test for each promise: %s',
    (heading) => {
      expect(itemsOf(heading).length).toBeGreaterThan(2);
      expect(itemsOf(heading).filter((item) => !/`test\/[^`]*`/.test(item))).toEqual([]);
    },
  );
});

const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

test('no file of the program opens a network connection', () => {
  const network =
    /^import (?!\{ (?:is\w+(?:, )?)+ \}|type ).* from '(?:node:)?(?:net|http|https|http2|tls|dns|dgram)'|require\('(?:node:)?(?:net|http|https|http2|tls|dns|dgram)'\)|(?:^|[^.\w])(?<!private )fetch\(/m;
  const opening = files.filter((file) => network.test(readFileSync(path.join(ROOT, 'src', file), 'utf8')));
  expect(files.length).toBeGreaterThan(500);
  expect(opening).toEqual([]);
});

test('only one file calls the parser of the YAML library that prints warnings', () => {
  const parsing = /\bparse\b[^;]*(?:from|require\()\s*'yaml'|\b(?:loadYaml\(\)|yaml|YAML)\.parse\(/;
  expect(files.filter((file) => parsing.test(readFileSync(path.join(ROOT, 'src', file), 'utf8')))).toEqual(['core/values/yaml-text.ts']);
});
