import ts from 'typescript-5-9';
import { findNodes } from './source-files';

/** Tables that no text of the input chooses a name for. */
const ASKED_BY_NAMES_OF_OURS: readonly string[] = [
  // Names of their own, from Object.keys of the same table.
  'ACTIONS[first!]',
  'PROJECTIONS[name]',
  'SOURCES[first!]',
  'BUILT_IN[elsewhere]',
  'BUILT_IN[group]',
  // Single characters, and units and escapes that an expression of ours has matched.
  'ENTITIES[mark]',
  'ENTITIES[character]',
  'SHORT[character]',
  'SHOWN[character]',
  'ESCAPES[character]',
  'ESCAPES[part]',
  'BASES[letter]',
  'UNITS[unit]',
  // An API group and a kind with a stroke or a blank between them, which no name of every object has.
  'BYTES[`${object.apiVersion}/${object.kind}`]',
  'KINDS[`${apiVersion}/${kind}`]',
  'UPDATES[`${after.apiVersion}/${after.kind}`]',
  'TEMPLATES[`${group}/${kind}`]',
  'BUILT_IN[`${manifest.apiVersion} ${manifest.kind}`]',
  // Manifests that a construct of ours made, and kinds that a system of ours names.
  'WITHOUT_READINESS[groupOf(manifest)]',
  'NEEDS[object.kind]',
  'UNDER_WAY[kind]',
  // Words of our own rules, options and problems, and what the parser of CEL calls the parts of an expression.
  'WORDS[messageId]',
  'ABOUT[messageId]',
  'UNWRITTEN[field]',
  'KEYWORDS[keyword]',
  'LIMITS[keyword]',
  'WRITE[roleOf(fieldPathParts(path))]',
  "OF_CONSTANTS[exprKind.value.constantKind.case ?? '']",
  // What is found is compared with a kind, and nothing else is done with it.
  'REACHES_PODS[groupOf({ apiVersion })]',
  // Node's own codes of errors.
  'REASONS[code]',
  'MODES[name]',
  'TO_BE_NAMED[resource]',
];

/** `const TABLE: Readonly<Record<string, …>>`, whatever else is around the record. */
function isTable(node: ts.Node): node is ts.VariableDeclaration {
  return ts.isVariableDeclaration(node) && node.type !== undefined && /^(?:\w+<)*Record<string,/.test(node.type.getText());
}

function isLookUp(node: ts.Node): node is ts.ElementAccessExpression {
  return ts.isElementAccessExpression(node) && ts.isIdentifier(node.expression) && /^[A-Z][A-Z_\d]*$/.test(node.expression.text);
}

/** Is the table asked in the same function whether it has the name of its own? */
function isGuarded(node: ts.ElementAccessExpression): boolean {
  const asks = `Object.hasOwn(${node.expression.getText()}, ${node.argumentExpression.getText()})`;
  let around: ts.Node = node;
  while (!ts.isSourceFile(around) && !ts.isFunctionLike(around)) around = around.parent;
  return around.getText().includes(asks);
}

/** The file of a place, with a name. */
function inFile(place: string, name: string): string {
  return `${place.slice(0, place.indexOf(':'))} ${name}`;
}

test('a table that text of the input is looked up in is asked for names of its own, for every object has constructor and toString', () => {
  const nodes = findNodes((node): node is ts.VariableDeclaration | ts.ElementAccessExpression => isTable(node) || isLookUp(node));
  const tables = new Set(nodes.flatMap(({ node, place }) => (isTable(node) ? [inFile(place, node.name.getText())] : [])));
  const unguarded = nodes.flatMap(({ node, place }) => {
    if (!isLookUp(node) || ts.isStringLiteral(node.argumentExpression) || isGuarded(node)) return [];
    return tables.has(inFile(place, node.expression.getText())) ? [{ place, text: node.getText() }] : [];
  });
  const found = new Set(unguarded.map(({ text }) => text));
  expect(unguarded.filter(({ text }) => !ASKED_BY_NAMES_OF_OURS.includes(text)).map(({ text, place }) => `${place}: ${text}`)).toEqual([]);
  expect(ASKED_BY_NAMES_OF_OURS.filter((known) => !found.has(known))).toEqual([]);
});
