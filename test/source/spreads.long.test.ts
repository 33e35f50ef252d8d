import ts from 'typescript-5-9';
import { findNodes } from './source-files';

/** Functions with any number of arguments. Spreading a list of about 100,000 items into them overflows the stack. */
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

/** Calls in which the length of the spread list does not depend on the input. */
const BOUNDED: readonly string[] = [
  // A port has one address, or two marks.
  'avoids.push(...(address === ALL_ADDRESSES ? [`${port} on any`] : [`${port} ${address}`, `${port} ${ALL_ADDRESSES}`]))',
];

function isVariadicCall(node: ts.Node): node is ts.CallExpression {
  if (!ts.isCallExpression(node) || !node.arguments.some(ts.isSpreadElement)) return false;
  return ts.isPropertyAccessExpression(node.expression) && VARIADIC.has(node.expression.name.text);
}

test('no list of the input is spread into the arguments of a call, where a long list would overflow the stack', () => {
  const found = findNodes(isVariadicCall).filter(({ node }) => !BOUNDED.includes(node.getText()));
  expect(found.map(({ node, place }) => `${place}: ${node.getText()}`)).toEqual([]);
});
