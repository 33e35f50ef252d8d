import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/** What jest passes to `vm.compileFunction` for each module (jest-runtime 30.5, ModuleExecutor.compile). */
interface CompileOptions {
  readonly filename?: string;
  readonly parsingContext?: vm.Context;
}

const compileFunction = vm.compileFunction;
const compiledByFile = new Map<string, { readonly code: string; readonly script: vm.Script }>();

/** Returns the script of a module, which is compiled once per worker. Each test file runs it in a context of its own. */
function compileOnce(file: string, code: string, parameters: readonly string[]): vm.Script {
  const compiled = compiledByFile.get(file);
  if (compiled?.code === code) return compiled.script;
  const head = `(function(${parameters.join(',')}){`;
  const script = new vm.Script(`${head}${code}\n})`, { filename: file, columnOffset: -head.length });
  compiledByFile.set(file, { code, script });
  return script;
}

// Each test file loads about 1,000 modules, and jest compiles all of them again for each file, which took a fifth of the CPU time of `npm test`.
// A module with a dynamic import keeps jest's own function, which knows how to import.
Object.assign(vm, {
  compileFunction(code: string, parameters: readonly string[] = [], options: CompileOptions = {}) {
    const { filename, parsingContext } = options;
    if (!filename || !parsingContext || /\bimport\(/.test(code)) return compileFunction(code, parameters, options);
    return compileOnce(filename, code, parameters).runInContext(parsingContext) as unknown;
  },
});

/** Runs tests as jest does for Node.js, with modules that are compiled once per worker. */
export default class extends TestEnvironment {}
