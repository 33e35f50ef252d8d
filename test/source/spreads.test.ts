import ts from 'typescript-5-9';
import { piecesOf } from './source-files';

/** Take any number of arguments, so that a list of the input is easily spread into them: from some 100,000 on that overflows the stack. */
const VARIADIC: ReadonlySet<string> = new Set([
  'push',
  'unshift',
  'splice',
  'concat',
  'max',
  'min',
  'fromCharCode',
  'fromCodePoint',
  'stringify',
]);

/** What is spread there has a length that no input decides. */
const BOUNDED: readonly string[] = [
  // A block of at most 8 groups of nodes becomes at most 3 blocks.
  'blocks.splice(index, 1, ...parts)',
  // A port has one address, or two marks.
  'avoids.push(...(address === ALL_ADDRESSES ? [`${port} on any`] : [`${port} ${address}`, `${port} ${ALL_ADDRESSES}`]))',
];

function isVariadicCall(node: ts.Node): node is ts.CallExpression {
  if (!ts.isCallExpression(node) || !node.arguments.some(ts.isSpreadElement)) return false;
  return ts.isPropertyAccessExpression(node.expression) && VARIADIC.has(node.expression.name.text);
}

test('no list of the input is spread into the arguments of a call, which overflows the stack when it is long', () => {
  const found = piecesOf(isVariadicCall).filter(({ node }) => !BOUNDED.includes(node.getText()));
  expect(found.map(({ node, place }) => `${place}: ${node.getText()}`)).toEqual([]);
});
