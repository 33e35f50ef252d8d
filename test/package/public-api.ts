import path from 'node:path';
// TypeScript 7, the compiler of the project, has no compiler API yet.
import ts from 'typescript-5-9';
import { entries } from './declarations';

/** A symbol that an entry exports, or that one of its signatures uses. */
export interface PublicName {
  /** Its declared name. */
  readonly name: string;
  readonly symbol: ts.Symbol;
  readonly declarations: readonly ts.Declaration[];
}

/** The public interface of one entry. */
export interface PublicApi {
  readonly exported: readonly PublicName[];
  /** Types that its signatures use without being exported, each with the symbol that uses it: `Lack, of Shortage`. */
  readonly hidden: readonly string[];
}

/** Creates a program of the declarations of the package, without those of its dependencies. */
export function programOf(library: string): ts.Program {
  const options: ts.CompilerOptions = { noLib: true, types: [], strict: true, target: ts.ScriptTarget.ES2022 };
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => {
      const target = path.resolve(path.dirname(from), text);
      const file = text.startsWith('.')
        ? [`${target}.d.ts`, path.join(target, 'index.d.ts')].find((name) => ts.sys.fileExists(name))
        : undefined;
      return { resolvedModule: file === undefined ? undefined : { resolvedFileName: file, extension: ts.Extension.Dts } };
    });
  return ts.createProgram(
    Object.values(entries).map((file) => path.join(library, file)),
    options,
    host,
  );
}

/** Returns the public interface of an entry, given by the file of its declarations. */
export function publicApiOf(program: ts.Program, library: string, entry: string): PublicApi {
  const checker = program.getTypeChecker();
  const declared = (symbol: ts.Symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
  const file = program.getSourceFile(path.join(library, entry))!;
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(file)!).map(declared);
  const exported = new Set(symbols);

  const hidden = new Map<ts.Symbol, ts.Symbol>();
  const collect = (node: ts.Node, owner: ts.Symbol): void => {
    if (isPrivate(node)) return;
    const named = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    const symbol = named && declared(named);
    if (symbol && !exported.has(symbol) && !hidden.has(symbol) && isTypeOf(library, symbol)) {
      hidden.set(symbol, owner);
      symbol.declarations!.forEach((declaration) => collect(declaration, symbol));
    }
    ts.forEachChild(node, (child) => collect(child, owner));
  };
  for (const symbol of exported) symbol.declarations?.forEach((declaration) => collect(declaration, symbol));

  return {
    exported: symbols.map((symbol) => ({ name: symbol.name, symbol, declarations: symbol.declarations ?? [] })),
    hidden: [...hidden].map(([symbol, owner]) => `${symbol.name}, of ${owner.name}`),
  };
}

export function isPrivate(node: ts.Node): boolean {
  return ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword) === true;
}

/** Reports whether the package declares this type. (A `typeof` of a value is written out in inferred types.) */
function isTypeOf(library: string, symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).some(
    (declaration) =>
      declaration.getSourceFile().fileName.startsWith(library) &&
      (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration) || ts.isClassDeclaration(declaration)),
  );
}

/**
 * Returns exported symbols and members with a missing or empty docstring: `Finding.path`. Also returns optional fields of user input without a
 * `@default`: `HelmOptions.repo: no @default`.
 */
export function undocumented(program: ts.Program, library: string, entry: string): string[] {
  return publicApiOf(program, library, entry).exported.flatMap(({ name, declarations: [declaration] }) => {
    if (!declaration) return [];
    const documentedNode = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
    const members = membersOf(declaration).filter((member) => !isPrivate(member) && !hasSingleValue(member));
    const nameOf = (member: Member) => `${name}.${member.name?.getText() ?? 'constructor'}`;
    return [
      ...(isDocumented(documentedNode) ? [] : [name]),
      ...members.filter((member) => !isDocumented(member)).map(nameOf),
      ...(isUserInput(library, declaration) ? members.filter(lacksDefault).map((member) => `${nameOf(member)}: no @default`) : []),
    ];
  });
}

type Member = ts.TypeElement | ts.ClassElement;

/** Returns the members of an interface or class, or of a type or value with an object type, including nested members. */
function membersOf(declaration: ts.Declaration): readonly Member[] {
  if (ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration)) return withInner(declaration.members);
  const isWritten = ts.isTypeAliasDeclaration(declaration) || ts.isVariableDeclaration(declaration);
  return isWritten && declaration.type ? membersWithin(declaration.type) : [];
}

function withInner(members: readonly Member[]): readonly Member[] {
  return members
    .filter((member) => !ts.isIndexSignatureDeclaration(member))
    .flatMap((member) => {
      const isField = ts.isPropertySignature(member) || ts.isPropertyDeclaration(member);
      return [member, ...(isField && member.type && !isPrivate(member) ? membersWithin(member.type) : [])];
    });
}

/** Returns the members of object types at any depth of a type: `readonly { readonly op?: string }[]`. */
function membersWithin(node: ts.Node): readonly Member[] {
  if (ts.isTypeLiteralNode(node)) return withInner(node.members);
  const inner: Member[] = [];
  ts.forEachChild(node, (child) => void inner.push(...membersWithin(child)));
  return inner;
}

/** Reports whether the type of a field has only one value, such as `kind: 'fleet'`. The docstring of its type explains that value. */
function hasSingleValue(member: Member): boolean {
  if (!ts.isPropertySignature(member) && !ts.isPropertyDeclaration(member)) return false;
  const { type, initializer } = member as ts.PropertyDeclaration;
  if (!type) return initializer !== undefined;
  return ts.isLiteralTypeNode(type) || type.kind === ts.SyntaxKind.UndefinedKeyword || type.kind === ts.SyntaxKind.NeverKeyword;
}

/** Reports whether the node has a docstring with text, not only tags. */
function isDocumented(node: ts.Node): boolean {
  return docstrings(node).some(({ comment }) => (ts.getTextOfJSDocComment(comment) ?? '').trim() !== '');
}

function docstrings(node: ts.Node): readonly ts.JSDoc[] {
  return ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
}

/** Reports whether the declaration is user input. Classes, and the plan types in `core`, are output. */
function isUserInput(library: string, declaration: ts.Declaration): boolean {
  const answers = path.join(library, 'lib', 'core') + path.sep;
  return !ts.isClassDeclaration(declaration) && !declaration.getSourceFile().fileName.startsWith(answers);
}

function lacksDefault(member: Member): boolean {
  const isOptional = ts.isPropertySignature(member) && member.questionToken !== undefined;
  return isOptional && !docstrings(member).some(({ tags }) => tags?.some(({ tagName }) => tagName.text === 'default'));
}

/**
 * Returns a module that wraps everything that an entry exports, with inferred types, as a library on top of it would. Its declarations can
 * be emitted only if each type has a name that can be imported.
 */
export function wrapperOf(program: ts.Program, library: string, entry: string): string {
  const { exported } = publicApiOf(program, library, entries[entry]!);
  const checker = program.getTypeChecker();
  const wrapped = exported.flatMap(({ name, symbol, declarations: [declaration] }) => {
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    const members = checker.getPropertiesOfType(type).filter(isPublic);
    const reference = referenceTo(name, declaration);
    const instanceMembers = members.map(
      (member) => `export const ${name}_${member.name.replaceAll('-', '_')} = (it: ${reference}) => it['${member.name}'];`,
    );
    const allMembers = `export const all_of_${name} = (it: ${reference}) => ({ ...it });`;
    if (!declaration || ts.isFunctionDeclaration(declaration)) {
      return [`export const call_${name} = (...args: Parameters<typeof lib.${name}>) => lib.${name}(...args);`];
    }
    if (ts.isInterfaceDeclaration(declaration)) return [allMembers, ...instanceMembers];
    if (ts.isTypeAliasDeclaration(declaration))
      return declaration.typeParameters || !isObject(type) ? [] : [allMembers, ...instanceMembers];
    const statics = checker.getPropertiesOfType(checker.getTypeOfSymbol(symbol)).filter(isPublic);
    const staticMembers = statics
      .filter((member) => member.name !== 'prototype')
      .map((member) => `export const static_${name}_${member.name} = lib.${name}.${member.name};`);
    return [...instanceMembers, ...staticMembers, `export const value_${name} = { lib: lib.${name} };`];
  });
  return [`import * as lib from '${entry}';`, ...wrapped, ''].join('\n');
}

/** Returns how the code names a declared type. Type parameters are `any`, which meets every constraint. */
function referenceTo(name: string, declaration: ts.Declaration | undefined): string {
  const { typeParameters = [] } = declaration && ts.isInterfaceDeclaration(declaration) ? declaration : {};
  return typeParameters.length === 0 ? `lib.${name}` : `lib.${name}<${typeParameters.map(() => 'any').join(', ')}>`;
}

function isObject(type: ts.Type): boolean {
  return type.isUnionOrIntersection() ? type.types.every(isObject) : (type.flags & ts.TypeFlags.Object) !== 0;
}

function isPublic({ declarations = [] }: ts.Symbol): boolean {
  const hiding = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword];
  return declarations.every((node) => !ts.canHaveModifiers(node) || !ts.getModifiers(node)?.some(({ kind }) => hiding.includes(kind)));
}
