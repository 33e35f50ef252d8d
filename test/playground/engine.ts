import vm from 'node:vm';
import type * as Engine from '../../playground/engine';

/** Runs the script of the engine where nothing of Node is, as a browser does: a module of Node's, or a global, would be missing. */
export function loadEngine(script: string): typeof Engine {
  const context = vm.createContext({ TextDecoder, TextEncoder, atob, btoa, performance });
  vm.runInContext(script, context);
  return vm.runInContext('rolloutkit', context) as typeof Engine;
}
