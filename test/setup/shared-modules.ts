import { AsyncLocalStorage } from 'node:async_hooks';
import { realpathSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/** What jest passes to `vm.compileFunction` for each module (jest-runtime 30.5, ModuleExecutor.compile). */
interface CompileOptions {
  readonly filename?: string;
  readonly parsingContext?: vm.Context;
}

type Require = (name: string) => unknown;
type ModuleFunction = (module: { exports: unknown }, exports: unknown, require: Require, ...others: unknown[]) => unknown;

const ROOT = path.resolve(__dirname, '../..');
const TESTS = path.join(ROOT, 'test/');
// In a worktree, node_modules may be a link to that of another checkout.
const SHARED = [path.join(ROOT, 'src/'), `${realpathSync(path.join(ROOT, 'node_modules'))}${path.sep}`];

/** Packages of jest, which have state for each test file. */
const JEST = /\/node_modules\/(?:jest|@jest|expect|pretty-format|@sinonjs|graceful-fs|stack-utils|source-map-support)/;

const compileFunction = vm.compileFunction;
const compiledByFile = new Map<string, { readonly code: string; readonly script: vm.Script }>();
const exportsByFile = new Map<string, unknown>();

/** Requires as the test file that runs now. A shared module would otherwise require as the test file that loaded it, which has ended. */
let requireNow: Require = () => undefined;

/** Returns the script of a module, which is compiled once per worker. */
function compileOnce(file: string, code: string, parameters: readonly string[]): vm.Script {
  const compiled = compiledByFile.get(file);
  if (compiled?.code === code) return compiled.script;
  const head = `(function(${parameters.join(',')}){`;
  const script = new vm.Script(`${head}${code}\n})`, { filename: file, columnOffset: -head.length });
  compiledByFile.set(file, { code, script });
  return script;
}

function isShared(file: string): boolean {
  return SHARED.some((folder) => file.startsWith(folder)) && !JEST.test(file);
}

/** Returns what a shared module requires with: also what it requires later, in the middle of a function. */
function requireFrom(file: string): Require {
  const fromPackage = file.includes('/node_modules/') ? createRequire(file) : undefined;
  return (name) => {
    if (isBuiltin(name)) return requireNow(name);
    if (fromPackage) return requireNow(fromPackage.resolve(name));
    return requireNow(name.startsWith('.') ? path.resolve(path.dirname(file), name) : name);
  };
}

/** Runs a shared module once per worker. Later test files get its exports. */
function runOnce(file: string, run: ModuleFunction): ModuleFunction {
  return (module, exports, require, ...others) => {
    if (!exportsByFile.has(file)) {
      run.call(exports, module, exports, Object.assign(requireFrom(file), require), ...others);
      exportsByFile.set(file, module.exports);
    }
    module.exports = exportsByFile.get(file);
  };
}

function runAsTest(run: ModuleFunction): ModuleFunction {
  return (module, exports, require, ...others) => {
    requireNow = require;
    return run.call(exports, module, exports, require, ...others);
  };
}

// Each test file loads about 1,000 modules, and jest compiles and runs all of them again for each file, which took a quarter of the time of
// `npm test`. A module with a dynamic import keeps jest's own function, which knows how to import.
Object.assign(vm, {
  compileFunction(code: string, parameters: readonly string[] = [], options: CompileOptions = {}) {
    const { filename, parsingContext } = options;
    if (!filename || !parsingContext || /\bimport\(/.test(code)) return compileFunction(code, parameters, options);
    const run = compileOnce(filename, code, parameters).runInContext(parsingContext) as ModuleFunction;
    if (isShared(filename)) return runOnce(filename, run);
    return filename.startsWith(TESTS) ? runAsTest(run) : run;
  },
});

/** Storages with a context since the last test file began. jest-circus creates one for each test file. */
const storages = new Set<AsyncLocalStorage<unknown>>();
const { prototype } = AsyncLocalStorage;
// oxlint-disable-next-line typescript/unbound-method -- it is called for the storage that it was called for
const { run } = prototype;

Object.assign(prototype, {
  run(this: AsyncLocalStorage<unknown>, ...options: Parameters<typeof run>) {
    storages.add(this);
    return run.apply(this, options);
  },
});

/** Disables the storages, since Node.js 20 copies the contexts of all enabled ones for each promise. Their next `run` enables them again. */
function disableStorages(): void {
  for (const storage of storages) storage.disable();
  storages.clear();
}

/** Handlers of jest-circus, which each test file adds its own to. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

/** Restores what a test file may leave behind in the context: variables of the environment, jest's check of `process.exit`, and timers. */
class SharedEnvironment extends TestEnvironment {
  readonly #variables: NodeJS.ProcessEnv = { ...this.global.process.env };
  readonly #exit: unknown = Reflect.get(this.global.process, 'exit');

  override teardown(): Promise<void> {
    const { env } = this.global.process;
    for (const name of Object.keys(env)) if (!(name in this.#variables)) delete env[name];
    Object.assign(env, this.#variables);
    Reflect.set(this.global.process, 'exit', this.#exit);
    this.fakeTimersModern?.useRealTimers();
    Reflect.deleteProperty(this.global, EVENT_HANDLERS);
    disableStorages();
    return Promise.resolve();
  }
}

let shared: SharedEnvironment | undefined;

/**
 * Returns the environment of a test file. All test files of a worker share one, in which the modules of `src` and of packages run once: test
 * files and their helpers run in it one after the other, as the scripts of a page do.
 */
export default function createEnvironment(...options: ConstructorParameters<typeof TestEnvironment>): SharedEnvironment {
  shared ??= new SharedEnvironment(...options);
  return shared;
}
