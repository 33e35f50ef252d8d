import vm from 'node:vm';
import type * as Drawing from '../../playground/drawing';
import type * as Engine from '../../playground/engine';

/** Runs scripts of the page without Node.js modules and globals, like a browser. */
export function loadScripts(...scripts: readonly string[]): { readonly engine: typeof Engine; readonly drawing: typeof Drawing } {
  const context = vm.createContext({ TextDecoder, TextEncoder, atob, btoa, performance });
  for (const script of scripts) vm.runInContext(script, context);
  return vm.runInContext('({ engine: rolloutkit, drawing: rolloutkitDrawing })', context) as ReturnType<typeof loadScripts>;
}
