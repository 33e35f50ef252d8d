import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { PASSES } from '../../src/plan/passes';
import { expectGenerated, ROOT } from './generated';

const SRC = path.join(ROOT, 'src');

/** Relative paths in a source file: imports, including types and lazily loaded modules. */
const RELATIVE_IMPORT = /(?:from|require\() ?'(\.[^']*)'/g;

/** Returns the folder of src that a file belongs to. An entry counts as its own folder. */
function folderOf(file: string): string {
  return path.relative(SRC, file).split(path.sep)[0]!.replace(/\.ts$/, '');
}

/** Returns the folders of src, each with the other folders that its files import. */
function collectImports(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const entry of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.ts')) continue;
    const file = path.join(SRC, entry);
    const own = folderOf(file);
    const named = found.get(own) ?? new Set();
    found.set(own, named);
    for (const [, target] of readFileSync(file, 'utf8').matchAll(RELATIVE_IMPORT)) {
      const other = folderOf(path.resolve(path.dirname(file), target!));
      if (other !== own) named.add(other);
    }
  }
  return found;
}

const IMPORTS = collectImports();
const ENTRIES = ['index', 'headless'];
const FOLDERS = [...IMPORTS.keys()].filter((folder) => !ENTRIES.includes(folder));

/** Returns the length of the longest import chain from a folder. */
function level(folder: string): number {
  const below = [...IMPORTS.get(folder)!].filter((other) => IMPORTS.has(other));
  return below.length === 0 ? 0 : 1 + Math.max(...below.map(level));
}

const LEVELS = [...new Set(FOLDERS.map(level))].toSorted((a, b) => b - a);
const ROWS = LEVELS.map((row) => FOLDERS.filter((folder) => level(folder) === row).toSorted());

const BOX = { width: 116, height: 36, gap: 12 };
const WIDTH = Math.max(...ROWS.map(({ length }) => length)) * (BOX.width + BOX.gap) + BOX.gap;

/** Draws the folders as boxes: each imports only from rows below it. */
function picture(): string {
  const height = ROWS.length * (BOX.height + BOX.gap) + BOX.gap;
  const boxes = ROWS.flatMap((folders, row) =>
    folders.map((folder, column) => {
      const left = (WIDTH - folders.length * (BOX.width + BOX.gap) + BOX.gap) / 2;
      const x = left + column * (BOX.width + BOX.gap);
      const y = BOX.gap + row * (BOX.height + BOX.gap);
      return (
        `<rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="4"/>` +
        `<text x="${x + BOX.width / 2}" y="${y + BOX.height / 2}">${folder}</text>`
      );
    }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" role="img" aria-label="The folders of src, each above those that it imports">
<style>rect { fill: none; stroke: currentColor } text { fill: currentColor; font: 14px sans-serif; text-anchor: middle; dominant-baseline: central } svg { color: #57606a }</style>
${boxes.join('\n')}
</svg>
`;
}

function table(): string {
  const rows = ROWS.flat().map((folder) => {
    const named = [...IMPORTS.get(folder)!].toSorted().map((other) => `\`${other}\``);
    return `| \`src/${folder}/\` | ${named.join(', ') || 'none'} |`;
  });
  return ['| folder | imports |', '|---|---|', ...rows].join('\n');
}

const BEGIN = '<!-- generated architecture -->';
const END = '<!-- /generated architecture -->';

test('docs/architecture.md shows what the folders import (npm run docs updates it)', () => {
  const page = readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8');
  const [head, rest = ''] = page.split(BEGIN);
  const [, tail] = rest.split(END);
  expectGenerated('docs/architecture.md', `${head}${BEGIN}\n${table()}\n${END}${tail}`);
});

test('its picture shows every folder above those that it imports', () => {
  expectGenerated('docs/architecture.svg', picture());
});

test.each(FOLDERS)('src/%s/README.md names the folders that its files import', (folder) => {
  const page = readFileSync(path.join(SRC, folder, 'README.md'), 'utf8');
  // The folders above the plan import nearly all others, so their pages name only the highest.
  const named = page.includes('all folders below') ? [] : [...IMPORTS.get(folder)!];
  expect(named.filter((other) => !page.includes(`\`${other}\``))).toEqual([]);
});

test('the page lists the passes of a plan in their order', () => {
  const page = readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8');
  const section = page.slice(page.indexOf('## Passes'), page.indexOf('### Steps of a change'));
  const names = Array.from(section.matchAll(/^\| ([a-z ]+) \|/gm), ([, name]) => name).slice(1);

  expect(names).toEqual(PASSES.map(({ name }) => name));
});

test('the page lists the steps of a change in their order', () => {
  const page = readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8');
  const section = page.slice(page.indexOf('### Steps of a change'), page.indexOf('## Folders'));
  const named = Array.from(section.matchAll(/^\| ([a-z-]+) \|/gm), ([, name]) => name).slice(1);
  const program = readFileSync(path.join(SRC, 'change/plan-change.ts'), 'utf8');
  const [, body] = /function runSteps\(.*?\{\n(.*?)\n\}/s.exec(program)!;
  const steps = Array.from(body!.matchAll(/(?:= |return )(\w+)\(/g), ([, name]) =>
    name!.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );

  expect(named).toEqual(steps);
});
