'use strict';
// Reads random texts with the fast reader and with the full YAML reader, and reports where the values or their positions differ.
//
//     node oracle/reader/fuzz.js TEXTS [SEED]
//
// Needs the build (npm run build). The texts are the manifests of the docs and the texts in the recording of kubectl, with up to four changes each.
// Texts that the fast reader does not support do not count. Exits with 1 at the first difference, and prints it with its seed.
const { readFileSync, readdirSync } = require('node:fs');
const path = require('node:path');
const { isDeepStrictEqual } = require('node:util');
const { hasOnlyCommonCharacters, readFast } = require('../../lib/input/yaml/fast-reader');
const { readDocument } = require('../../lib/input/yaml');
const { Draw } = require('../mutations/mutate');

const ROOT = path.join(__dirname, '../..');

function pages() {
  const files = readdirSync(path.join(ROOT, 'docs'), { withFileTypes: true, recursive: true });
  return files.filter((file) => file.isFile() && file.name.endsWith('.md')).map((file) => readFileSync(path.join(file.parentPath, file.name), 'utf8'));
}

const recorded = JSON.parse(readFileSync(path.join(ROOT, 'test/fixtures/upstream/kubectl-yaml.json'), 'utf8')).cases.map(({ text }) => text);
const examples = pages().flatMap((page) => Array.from(page.matchAll(/```yaml\n(.*?)```/gs), ([, text]) => text));
const SEEDS = [...new Set([...recorded, ...examples].flatMap((text) => text.split(/^---.*\n/m)))].filter((text) => text.trim() !== '' && text.length < 3_000);
const LINES = [...new Set(SEEDS.flatMap((text) => text.split('\n')))];
const PARTS = [
  '- ', '  ', ' ', '\n', '\n\n', ': ', ':', '#', ' # c', '"', "'", "''", '|', '>', '|-', '>+', '|2', '[', ']', '{', '}', '[]', '{}', ',', ', ', '\t', '\r\n', '\r', '&x ', '*x',
  '!!str ', '!', '<<', '<<: ', '? ', '\\', '\\n', '\\u0041', '\\x41', '%', '@', '`', '---', '...', 'yes', 'null', '~', '1', '0x1F', '0o7', '1_000', '1e3', '.5', '-', '+1', '.inf',
  '2001-01-01', '12:30', '\u00e9', '\u0085', '\u2028', '\ufeff', '\u{1f600}', '\u0000', '__proto__', '$patch',
];

function changed(text, draw) {
  const at = draw.below(text.length + 1);
  switch (draw.below(8)) {
    case 0:
      return text.slice(0, at) + draw.of(PARTS) + text.slice(at);
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + draw.below(4));
    default: {
      const lines = text.split('\n');
      const index = draw.below(lines.length);
      const line = lines[index];
      const other = draw.below(4);
      if (other === 0) lines.splice(index, 0, draw.of(LINES));
      else if (other === 1) lines.splice(index, 1);
      else if (other === 2) lines[index] = ' '.repeat(1 + draw.below(3)) + line;
      else lines[index] = line.slice(Math.min(draw.below(3) + 1, line.length - line.trimStart().length));
      return lines.join('\n');
    }
  }
}

/** Returns the offsets of all parts of a value. */
function offsetsIn(value, offsets) {
  if (typeof value !== 'object' || value === null) return undefined;
  return [{ ...offsets.get(value) }, Object.values(value).map((inner) => offsetsIn(inner, offsets))];
}

function slowly(text) {
  try {
    const { value, at, offsets, duplicateKeys } = readDocument(text);
    return { value, at: value === null ? 0 : at, offsets: offsetsIn(value, offsets), duplicates: duplicateKeys.length };
  } catch (error) {
    return { error: error.problem ?? String(error) };
  }
}

/** Reads a text with the fast reader; undefined if the reader does not support the text. */
function quickly(text) {
  if (!hasOnlyCommonCharacters(text)) return undefined;
  const offsets = new Map();
  const read = readFast(text, 0, text.length, offsets);
  return read && { value: read.value, at: read.value === null ? 0 : read.at, offsets: offsetsIn(read.value, offsets), duplicates: 0 };
}

const [wanted = '1000', first = '1'] = process.argv.slice(2);

/** Returns the text for a seed. */
function textOf(seed) {
  const draw = new Draw(seed);
  let text = draw.of(SEEDS);
  for (let changes = draw.below(5); changes > 0; changes--) text = changed(text, draw);
  return text.endsWith('\n') ? text : `${text}\n`;
}

let seed = Number(first);
let taken = 0;
for (; taken < Number(wanted); seed++) {
  const text = textOf(seed);
  const fast = quickly(text);
  if (fast === undefined) continue;
  const slow = slowly(text);
  if (!isDeepStrictEqual(fast, slow)) {
    console.log(JSON.stringify({ seed, text, fast, slow }));
    process.exitCode = 1;
    break;
  }
  taken++;
}
console.log(`${taken} texts of the seeds ${first} to ${seed - 1} read identically${process.exitCode ? `; the text of seed ${seed} differs` : ''}`);
