import { readFileSync } from 'node:fs';
import { parse, print } from '@swc/core';
import type { Module } from '@swc/core';
import type { Plugin } from 'esbuild';

/** Members of rules and messages that no plan shows: the texts of the rule's page, the samples, and the edits of `fix`. They are a quarter of the download. */
const PAGE_TEXTS: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  ['defineRule', ['since', 'fires', 'why', 'fix', 'example', 'fixedExample']],
  ['defineMessage', ['sample', 'variants', 'suggestedFix']],
]);

/** The members of a syntax tree node that are read here. */
interface Node {
  readonly type?: string;
  readonly callee?: { readonly type: string; readonly value?: string };
  readonly arguments?: readonly { readonly expression: Node }[];
  properties?: readonly { readonly type: string; readonly key?: { readonly value?: unknown }; readonly value?: unknown }[];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

/** Rules about input that the page does not take: CRDs, guardrails, links, a plan to compare with, and files rendered by other programs. Only their codes are needed. */
const NOT_ASKED = /[\\/](crds|guardrails)[\\/]rules[\\/]|[\\/](?:not-as-planned|not-rendered|skipped)\.ts$/;
const WITHOUT_TEXTS: typeof PAGE_TEXTS = new Map([
  ...PAGE_TEXTS,
  ['defineMessage', ['text', 'help', 'sample', 'variants', 'suggestedFix']],
]);

/** Removes the page texts of every `defineRule({ … })` and `defineMessage({ … })` below a node. */
function emptyTexts(node: Node, left: typeof PAGE_TEXTS): void {
  const texts = node.type === 'CallExpression' ? left.get(node.callee?.value) : undefined;
  const given = node.arguments?.[0]?.expression;
  if (texts && given?.properties) given.properties = given.properties.filter(({ key }) => !texts.includes(String(key?.value)));
  for (const child of Object.values(node)) if (isNode(child)) emptyTexts(child, left);
}

/** Leaves the parts of rules for their pages and for `fix` out of a bundle. */
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
