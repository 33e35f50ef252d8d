import { readFileSync } from 'node:fs';
import { parse, print } from '@swc/core';
import type { Module } from '@swc/core';
import type { Plugin } from 'esbuild';

/** What the page of a rule says, the samples of its messages, and the edits that `fix` makes, none of which a plan shows: a quarter of what a browser would have to load. */
const PAGE_TEXTS: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  ['rule', ['since', 'fires', 'why', 'fix', 'example', 'fixed']],
  ['message', ['sample', 'variants', 'advice']],
]);

/** A node of a syntax tree, as far as it is looked at here. */
interface Node {
  readonly type?: string;
  readonly callee?: { readonly type: string; readonly value?: string };
  readonly arguments?: readonly { readonly expression: Node }[];
  properties?: readonly { readonly type: string; readonly key?: { readonly value?: unknown }; readonly value?: unknown }[];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

/** Rules of what nobody can give to the page, CRDs, guardrails and what other programs render: their codes alone are known to it. */
const NOT_ASKED = /[\\/](crds|guardrails)[\\/]rules[\\/]|[\\/]not-rendered\.ts$/;
const WITHOUT_TEXTS: typeof PAGE_TEXTS = new Map([...PAGE_TEXTS, ['message', ['text', 'help', 'sample', 'variants', 'advice']]]);

/** Empties the page texts of every `rule({ … })` and `message({ … })` below a node. */
function emptyTexts(node: Node, left: typeof PAGE_TEXTS): void {
  const texts = node.type === 'CallExpression' ? left.get(node.callee?.value) : undefined;
  const given = node.arguments?.[0]?.expression;
  if (texts && given?.properties) given.properties = given.properties.filter(({ key }) => !texts.includes(String(key?.value)));
  for (const child of Object.values(node)) if (isNode(child)) emptyTexts(child, left);
}

/** Leaves out of a bundle what rules hold for their pages and for `fix`. */
export const WITHOUT_PAGES: Plugin = {
  name: 'without-pages',
  setup(build) {
    build.onLoad({ filter: /[\\/]rules[\\/][^\\/]+\.ts$/ }, async ({ path }) => {
      const module: Module = await parse(readFileSync(path, 'utf8'), { syntax: 'typescript', target: 'es2022' });
      emptyTexts(module, NOT_ASKED.test(path) ? WITHOUT_TEXTS : PAGE_TEXTS);
      return { contents: (await print(module, {})).code, loader: 'ts' };
    });
  },
};
