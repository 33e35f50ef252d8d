// Assembles the site in site/source: the pages of docs/, those at the root of the checkout, and the playground.
// The pages are also read in the repository, so links are rewritten here: a page at the root gets its own address, and a
// link to a source file becomes the file's name, because the site does not contain it.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const TARGET = path.join(ROOT, 'site/source');

/** Pages at the root of the checkout, with their paths on the site. */
const ROOT_PAGES = {
  'README.md': 'index.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
};

/** Returns the path on the site for a file of the checkout; undefined if the site does not contain it. */
function sitePathOf(file) {
  if (Object.hasOwn(ROOT_PAGES, file)) return ROOT_PAGES[file];
  return file.startsWith('docs/') && existsSync(path.join(ROOT, file)) ? file.slice('docs/'.length) : undefined;
}

/** Rewrites a link of a page. `page` is a path from the root of the checkout, `place` its path on the site. */
function rewriteLink(page, place, [whole, text, target]) {
  if (/^(?:[a-z]+:|#)/.test(target)) return whole;
  const [file, fragment = ''] = target.split('#');
  const at = path.posix.join(path.posix.dirname(page), file);
  const found = sitePathOf(at);
  if (found === undefined) {
    if (!existsSync(path.join(ROOT, at))) throw new Error(`${page} links to ${target}, which does not exist`);
    return text.startsWith('`') ? text : `\`${at}\``;
  }
  const to = path.posix.relative(path.posix.dirname(place), found);
  return `[${text}](${to.startsWith('.') ? to : `./${to}`}${fragment === '' ? '' : `#${fragment}`})`;
}

const FENCE = /^ {0,3}(?:```|~~~)/;

/** Returns the page with rewritten links. Fenced code is unchanged. */
function rewritePage(page, place) {
  let isCode = false;
  return readFileSync(path.join(ROOT, page), 'utf8')
    .split('\n')
    .filter((line) => !/^<!-- \/?generated\b.*-->$/.test(line))
    .map((line) => {
      if (FENCE.test(line)) isCode = !isCode;
      if (isCode || FENCE.test(line)) return line;
      return line.replaceAll(/\[([^\]]*)\]\(([^()\s]+)\)/g, (...match) => rewriteLink(page, place, match));
    })
    .join('\n');
}

function writePage(page, place) {
  const target = path.join(TARGET, place);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, rewritePage(page, place));
}

rmSync(TARGET, { recursive: true, force: true });
for (const [page, place] of Object.entries(ROOT_PAGES)) writePage(page, place);
for (const file of readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })) {
  const from = path.join('docs', file);
  if (file.endsWith('.md')) writePage(from, file);
  else if (path.extname(file) === '.html') cpSync(path.join(ROOT, from), path.join(TARGET, 'public', file));
  else if (path.extname(file) !== '') cpSync(path.join(ROOT, from), path.join(TARGET, file));
}
cpSync(path.join(ROOT, 'build/playground'), path.join(TARGET, 'public/playground'), { recursive: true });
