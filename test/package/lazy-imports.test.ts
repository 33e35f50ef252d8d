import path from 'node:path';

interface LazyImports {
  readonly importsOf: (compiled: ReadonlyMap<string, string>) => ReadonlyMap<string, readonly string[]>;
  readonly lazily: (file: string, text: string, imports: ReadonlyMap<string, readonly string[]>) => string;
}

const { importsOf, lazily } = require('../../.ci/lazy-imports.mjs') as LazyImports;

/** Returns the bundled code of one of several compiled modules, given by path without `.js`. */
function bundled(name: string, modules: Readonly<Record<string, string>>): string {
  const files = new Map(Object.entries(modules).map(([module, text]) => [path.resolve('/lib', `${module}.js`), text]));
  const file = path.resolve('/lib', `${name}.js`);
  return lazily(file, files.get(file)!, importsOf(files));
}

/** Four modules, each importing the next one, so that the first also loads three others. */
const CHAIN = {
  'core/a': 'const b_1 = require("./b");\nexports.a = () => b_1.b;\n',
  'core/b': 'const c_1 = require("./c");\nexports.b = () => c_1.c;\n',
  'core/c': 'const d_1 = require("./d");\nexports.c = () => d_1.d;\n',
  'core/d': 'exports.d = 1;\n',
};

test('a module that loads more than two others is loaded on first use', () => {
  const plan = 'const a_1 = require("../core/a");\nexports.plan = () => (0, a_1.a)(a_1.a.length);\n';

  expect(bundled('plan/plan', { ...CHAIN, 'plan/plan': plan })).toMatchInlineSnapshot(`
"let a_1;
exports.plan = () => (0, (a_1 ??= require("../core/a")).a)((a_1 ??= require("../core/a")).a.length);
"
`);
});

test('a module that loads two others or none is loaded immediately, and its members become variables', () => {
  const plan =
    'const b_1 = require("../core/b");\nconst d_1 = require("../core/d");\nexports.plan = () => (0, b_1.b)() + d_1.d + (0, b_1.c)();\n';

  expect(bundled('plan/plan', { ...CHAIN, 'plan/plan': plan })).toMatchInlineSnapshot(`
"const { b: b_1_b, c: b_1_c } = require("../core/b");
const { d: d_1_d } = require("../core/d");
exports.plan = () => (0, b_1_b)() + d_1_d + (0, b_1_c)();
"
`);
});

test('a module that twenty-five modules import is loaded immediately, whatever else it loads', () => {
  const plan = 'const a_1 = require("../core/a");\nexports.plan = () => (0, a_1.a)();\n';
  const importers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`plan/plan${index}`, plan]));

  expect(bundled('plan/plan0', { ...CHAIN, ...importers(24) })).toContain('(a_1 ??= require("../core/a")).a');
  expect(bundled('plan/plan0', { ...CHAIN, ...importers(25) })).toContain('const { a: a_1_a } = require("../core/a");');
});

test('a folder resolves to its index', () => {
  const all = 'const rules_1 = require("../rules");\nexports.all = rules_1.RULES;\n';

  expect(bundled('plan/all', { 'rules/index': 'exports.RULES = [];\n', 'plan/all': all })).toMatchInlineSnapshot(`
"const { RULES: rules_1_RULES } = require("../rules");
exports.all = rules_1_RULES;
"
`);
});

test('an index that exports members of other modules loads each module on first use', () => {
  const index =
    'exports.a = void 0;\nvar a_1 = require("./a");\nObject.defineProperty(exports, "a", { get: function () { return a_1.a; } });\n';

  expect(bundled('core/index', { ...CHAIN, 'core/index': index })).toMatchInlineSnapshot(`
"exports.a = void 0;
let a_1;
Object.defineProperty(exports, "a", { get: function () { return (a_1 ??= require("./a")).a; } });
"
`);
});

test('two modules that import each other are loaded on first use, since one of them would see the other without its members', () => {
  const odd = 'const even_1 = require("./even");\nexports.ONE = 1;\nexports.isOdd = (n) => even_1.isEven(n - even_1.ONE);\n';
  const even = 'const odd_1 = require("./odd");\nexports.isEven = (n) => odd_1.isOdd(n - odd_1.ONE);\n';

  expect(bundled('core/even', { 'core/odd': odd, 'core/even': even })).toMatchInlineSnapshot(`
"let odd_1;
exports.isEven = (n) => (odd_1 ??= require("./odd")).isOdd(n - (odd_1 ??= require("./odd")).ONE);
"
`);
});

test('packages and Node.js modules are loaded on first use', () => {
  const read =
    'const yaml_1 = require("yaml");\nconst picocolors_1 = __importDefault(require("picocolors"));\n' +
    'exports.read = (text) => picocolors_1.default.red((0, yaml_1.parse)(text));\n';

  expect(bundled('input/read', { 'input/read': read })).toMatchInlineSnapshot(`
"let yaml_1;
let picocolors_1;
exports.read = (text) => (picocolors_1 ??= __importDefault(require("picocolors"))).default.red((0, (yaml_1 ??= require("yaml")).parse)(text));
"
`);
});

test('a module that uses another one as a namespace object is refused, since the used members are not known', () => {
  const all = 'const a_1 = require("../core/a");\nexports.names = Object.keys(a_1);\n';

  expect(() => bundled('plan/all', { ...CHAIN, 'plan/all': all })).toThrow(
    /all\.js uses a_1 as an object, but only its members can be loaded$/,
  );
});
