import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitepress';
import type { DefaultTheme } from 'vitepress';

const SOURCE = path.resolve(import.meta.dirname, '../source');

function titleOf(page: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(path.join(SOURCE, page), 'utf8'));
  return (heading?.[1] ?? page).replaceAll('`', '');
}

function pagesIn(folder: string): string[] {
  return readdirSync(path.join(SOURCE, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.posix.join(folder, file));
}

function item(page: string): DefaultTheme.SidebarItem {
  return { text: titleOf(page), link: `/${page.replace(/\.md$/, '')}` };
}

type Highlight = (code: string, ...block: [language: string, attributes: string]) => string;

/** Highlights each block once. Every page is rendered again for the search index, which takes no colors. */
function memoize(highlight: Highlight): Highlight {
  const highlighted = new Map<string, string>();
  return (...block) => {
    const key = JSON.stringify(block);
    if (!highlighted.has(key)) highlighted.set(key, highlight(...block));
    return highlighted.get(key)!;
  };
}

/** Sidebar groups of the rules, one per system or kind. */
const RULES = readdirSync(path.join(SOURCE, 'rules'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({ text: name, collapsed: true, items: pagesIn(`rules/${name}`).map(item) }));

/** Sidebar group of the entries of the API, in the order of its index. */
const API = {
  text: 'API',
  items: [...readFileSync(path.join(SOURCE, 'api/README.md'), 'utf8').matchAll(/^- \[(.+)\]\((.+)\.md\)$/gm)].map(([, text, page]) => ({
    text,
    link: `/api/${page}`,
  })),
};

/** Pages that the sidebar lists outside of the reference. */
const PLACED = [
  'index.md',
  'changelog.md',
  'contributing.md',
  'security.md',
  'architecture.md',
  'releasing.md',
  'mutation-testing.md',
  'stability.md',
  'conformance.md',
  'threat-model.md',
];

export default defineConfig({
  title: 'rolloutkit',
  description: 'What the real controllers will do with a change, before it is applied.',
  srcDir: SOURCE,
  outDir: path.resolve(import.meta.dirname, '../../build/site'),
  cacheDir: path.resolve(import.meta.dirname, '../../build/site-cache'),
  base: process.env.SITE_BASE ?? '/',
  lastUpdated: false,
  // The theme does not style blocks without a language; on a phone they would make the page as wide as their longest line.
  head: [['style', {}, '.vp-doc pre { overflow-x: auto }']],
  markdown: {
    html: false,
    // Vue would evaluate braces in prose and code, such as templates of other tools, as its own expressions.
    config({ options, renderer: { rules } }) {
      options.highlight = memoize(options.highlight);
      for (const name of ['text', 'code_inline'] as const) {
        const rule = rules[name]!;
        rules[name] = (...args) => rule(...args).replaceAll('{{', '&#123;&#123;');
      }
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guides', link: '/guides/what-will-this-change-do' },
      { text: 'Rules', link: '/rules/README' },
      { text: 'API', link: '/api/README' },
      { text: 'Playground', link: '/playground/index.html', target: '_self' },
    ],
    // The pages of the API are more than half of the site. With all rules in their sidebar they took a fifth of the time of the build.
    sidebar: {
      '/api/': [{ text: 'Start', items: [{ text: 'rolloutkit', link: '/' }] }, API],
      '/': [
        { text: 'Start', items: [{ text: 'rolloutkit', link: '/' }] },
        { text: 'Guides', items: pagesIn('guides').map(item) },
        {
          text: 'Reference',
          items: pagesIn('.')
            .filter((page) => !PLACED.includes(page))
            .map(item),
        },
        { text: 'Rules', items: [{ text: 'All rules', link: '/rules/README' }, ...RULES] },
        { text: 'Guarantees', items: ['conformance.md', 'stability.md', 'threat-model.md', 'security.md'].map(item) },
        {
          text: 'Project',
          items: ['architecture.md', 'contributing.md', 'mutation-testing.md', 'releasing.md', 'changelog.md'].map(item),
        },
      ],
    },
  },
});
