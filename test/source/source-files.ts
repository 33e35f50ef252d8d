import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript-5-9';

const ROOT = path.join(__dirname, '../..');

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const below = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(below);
    return entry.name.endsWith('.ts') ? below : [];
  });
}

/** A syntax node of our sources. */
export interface SourceNode<Node extends ts.Node = ts.Node> {
  readonly node: Node;
  /** `src/core/text/text-format.ts:7` */
  readonly place: string;
}

/** Returns every syntax node of the sources that matches. */
export function findNodes<Node extends ts.Node>(matches: (node: ts.Node) => node is Node): SourceNode<Node>[] {
  const nodes: SourceNode<Node>[] = [];
  for (const file of filesBelow('src')) {
    const source = ts.createSourceFile(file, readFileSync(path.join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (matches(node)) nodes.push({ node, place: `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}` });
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return nodes;
}
