import ts from 'typescript-5-9';
import { findNodes } from './source-files';

/** Lookups whose key cannot be any text of the input. */
const SAFE_LOOKUPS: readonly string[] = [
  // Own keys, from Object.keys of the same table.
  'ACTION_CHECKS[first!]',
  'PROJECTIONS[name]',
  'VOLUME_SOURCE_CHECKS[first!]',
  'BUILT_IN_KINDS[otherGroup]',
  'BUILT_IN_KINDS[group]',
  // Single characters, and units and escapes matched by one of our patterns.
  'XML_ENTITIES[mark]',
  'MARKUP_ENTITIES[character]',
  'SHORT_ESCAPES[character]',
  'CHARACTER_ESCAPES[character]',
  'ESCAPES[character]',
  'ESCAPES[part]',
  'BASES[letter]',
  'NANOS_PER_UNIT_NAME[unit]',
  // An API group and a kind separated by a slash or a space, which no inherited property name contains.
  'BYTE_FIELDS[`${object.apiVersion}/${object.kind}`]',
  'STORED_KINDS[`${apiVersion}/${kind}`]',
  'UPDATE_VALIDATORS[`${after.apiVersion}/${after.kind}`]',
  'TEMPLATE_PATHS[`${group}/${kind}`]',
  'BUILT_IN_REGISTRARS[`${manifest.apiVersion} ${manifest.kind}`]',
  // Manifests created by our constructs, and kinds named by our systems.
  'KINDS_WITHOUT_READINESS[groupOf(manifest)]',
  'REQUIRED_KINDS[object.kind]',
  'ROLLING_OUT_BY_KIND[kind]',
  // Names of our rules, options and problems, and of the expression nodes of the CEL parser.
  'FIXED_MESSAGES[messageId]',
  'FORMATTER_BY_MESSAGE[messageId]',
  'IMPLICIT_DEFAULTS[field]',
  'LIMIT_TEXTS[keyword]',
  'FIELD_HINTS[fieldKeyOf(parseFieldPath(path))]',
  "CONSTANT_TYPES[exprKind.value.constantKind.case ?? '']",
  // The result is only compared with a kind.
  'KINDS_WITH_POD_ANNOTATIONS[groupOf({ apiVersion })]',
  // Error codes of Node.js.
  'OS_ERROR_MESSAGES[code]',
  'MODES[name]',
  'REQUIRED_CONTAINER_FIELDS[resource]',
  // Limits of a goal, resources that the program itself watches, and classes of pictures.
  'LIMIT_WORDS[limit]',
  'KIND_OF_RESOURCE[resource]',
  'CLASS_PAINTS[name]',
];

/** Reports whether the node declares a table: `const TABLE: Readonly<Record<string, …>>`, also with another type around the record. */
function isTable(node: ts.Node): node is ts.VariableDeclaration {
  return ts.isVariableDeclaration(node) && node.type !== undefined && /^(?:\w+<)*Record<string,/.test(node.type.getText());
}

function isLookUp(node: ts.Node): node is ts.ElementAccessExpression {
  return ts.isElementAccessExpression(node) && ts.isIdentifier(node.expression) && /^[A-Z][A-Z_\d]*$/.test(node.expression.text);
}

/** Reports whether the same function checks with `Object.hasOwn` that the table has the key. */
function isGuarded(node: ts.ElementAccessExpression): boolean {
  const guard = `Object.hasOwn(${node.expression.getText()}, ${node.argumentExpression.getText()})`;
  let around: ts.Node = node;
  while (!ts.isSourceFile(around) && !ts.isFunctionLike(around)) around = around.parent;
  return around.getText().includes(guard);
}

/** Combines the file of a location with a name. */
function inFile(place: string, name: string): string {
  return `${place.slice(0, place.indexOf(':'))} ${name}`;
}

test('a lookup of input text in a table checks for own keys, because every object has constructor and toString', () => {
  const nodes = findNodes((node): node is ts.VariableDeclaration | ts.ElementAccessExpression => isTable(node) || isLookUp(node));
  const tables = new Set(nodes.flatMap(({ node, place }) => (isTable(node) ? [inFile(place, node.name.getText())] : [])));
  const unguarded = nodes.flatMap(({ node, place }) => {
    if (!isLookUp(node) || ts.isStringLiteral(node.argumentExpression) || isGuarded(node)) return [];
    return tables.has(inFile(place, node.expression.getText())) ? [{ place, text: node.getText() }] : [];
  });
  const found = new Set(unguarded.map(({ text }) => text));
  expect(unguarded.filter(({ text }) => !SAFE_LOOKUPS.includes(text)).map(({ text, place }) => `${place}: ${text}`)).toEqual([]);
  expect(SAFE_LOOKUPS.filter((known) => !found.has(known))).toEqual([]);
});
