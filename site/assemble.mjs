// Lays out what the site is made of, in site/source: the pages of docs/, those at the root of the checkout, and the playground.
// What is written in docs/ is also read where it lies, so links are turned here: a page at the root gets an address of its own, and a
// link to a source file becomes the file's name, since the site does not hold it.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const TARGET = path.join(ROOT, 'site/source');

/** Pages at the root of the checkout, and where the site has them. */
const ROOT_PAGES = {
  'README.md': 'index.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
};

/** Where the site has a file of the checkout; undefined where it does not. */
function placeOnSite(file) {
  if (Object.hasOwn(ROOT_PAGES, file)) return ROOT_PAGES[file];
  return file.startsWith('docs/') && existsSync(path.join(ROOT, file)) ? file.slice('docs/'.length) : undefined;
}

/** A link of a page, both by their paths from the root of the checkout. */
function turned(page, place, [whole, text, target]) {
  if (/^(?:[a-z]+:|#)/.test(target)) return whole;
  const [file, fragment = ''] = target.split('#');
  const at = path.posix.join(path.posix.dirname(page), file);
  const found = placeOnSite(at);
  if (found === undefined) {
    if (!existsSync(path.join(ROOT, at))) throw new Error(`${page} links to ${target}, which is not there`);
    return text.startsWith('`') ? text : `\`${at}\``;
  }
  const to = path.posix.relative(path.posix.dirname(place), found);
  return `[${text}](${to.startsWith('.') ? to : `./${to}`}${fragment === '' ? '' : `#${fragment}`})`;
}

const FENCE = /^ {0,3}(?:```|~~~)/;

/** The lines of a page, those within fences as they are. */
function turnedPage(page, place) {
  let isCode = false;
  return readFileSync(path.join(ROOT, page), 'utf8')
    .split('\n')
    .filter((line) => !/^<!-- \/?generated\b.*-->$/.test(line))
    .map((line) => {
      if (FENCE.test(line)) isCode = !isCode;
      if (isCode || FENCE.test(line)) return line;
      return line.replaceAll(/\[([^\]]*)\]\(([^()\s]+)\)/g, (...match) => turned(page, place, match));
    })
    .join('\n');
}

function put(page, place) {
  const target = path.join(TARGET, place);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, turnedPage(page, place));
}

rmSync(TARGET, { recursive: true, force: true });
for (const [page, place] of Object.entries(ROOT_PAGES)) put(page, place);
for (const file of readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })) {
  const from = path.join('docs', file);
  if (file.endsWith('.md')) put(from, file);
  else if (path.extname(file) === '.html') cpSync(path.join(ROOT, from), path.join(TARGET, 'public', file));
  else if (path.extname(file) !== '') cpSync(path.join(ROOT, from), path.join(TARGET, file));
}
cpSync(path.join(ROOT, 'build/playground'), path.join(TARGET, 'public/playground'), { recursive: true });
