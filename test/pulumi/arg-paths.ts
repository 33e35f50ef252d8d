import path from 'node:path';
// TypeScript 7, the compiler of the project, has no API yet.
import ts from 'typescript-5-9';

const ROOT = path.join(__dirname, '../..');

function optionsOf(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    config: { compilerOptions: object };
  };
  return { ...ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT).options, baseUrl: ROOT };
}

/** Types that are not props: those of values that are known later, and classes. */
const NO_PROPS: readonly (string | undefined)[] = ['OutputInstance', 'Promise', 'KServePlatformConfig', 'Inventory'];

function isNoProps(type: ts.Type): boolean {
  return NO_PROPS.includes(type.symbol?.name ?? type.aliasSymbol?.name);
}

/** Largest depth of props. Deeper props are fields of a pod, which are those of Kubernetes. */
const DEEPEST = 3;

/** Returns the paths of all props of a type, with `[0]` for the items of a list and `.key` for the values of a map. */
function pathsOf(checker: ts.TypeChecker, type: ts.Type, place: string, depth: number, found: Set<string>): void {
  if (type.isUnion()) {
    for (const member of type.types) if (!isNoProps(member)) pathsOf(checker, member, place, depth, found);
    return;
  }
  if (type.isIntersection() && type.types.some((member) => member.flags & (ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike))) return;
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) || depth > DEEPEST || isNoProps(type)) return;
  const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  if (item && (checker.isArrayType(type) || checker.isTupleType(type))) {
    found.add(`${place}[0]`);
    pathsOf(checker, item, `${place}[0]`, depth + 1, found);
    return;
  }
  if (type.getCallSignatures().length > 0) return;
  for (const property of checker.getPropertiesOfType(type)) {
    const own = place === '' ? property.name : `${place}.${property.name}`;
    found.add(own);
    pathsOf(checker, checker.getTypeOfSymbol(property), own, depth + 1, found);
  }
  const value = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  if (value && checker.getPropertiesOfType(type).length === 0 && !(value.flags & ts.TypeFlags.Unknown)) found.add(`${place}.key`);
}

/** Returns the props of every component of the Pulumi entry, by class name. */
export function argPaths(): ReadonlyMap<string, readonly string[]> {
  const entry = path.join(ROOT, 'src/pulumi/index.ts');
  const program = ts.createProgram([entry], { ...optionsOf(), noEmit: true, skipLibCheck: true });
  const checker = program.getTypeChecker();
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)!)!);
  const found = new Map<string, readonly string[]>();
  for (const symbol of exported) {
    const declared = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const declaration = declared.valueDeclaration;
    if (
      !declaration ||
      !ts.isClassDeclaration(declaration) ||
      declaration.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AbstractKeyword)
    )
      continue;
    const [signature] = checker.getTypeOfSymbol(declared).getConstructSignatures();
    const args = signature?.parameters[1];
    if (!args || args.name !== 'args') continue;
    const paths = new Set<string>();
    pathsOf(checker, checker.getTypeOfSymbol(args), '', 0, paths);
    found.set(declared.name, [...paths]);
  }
  return found;
}
