import vm from 'node:vm';
import type * as Drawing from '../../playground/drawing';
import type * as Engine from '../../playground/engine';

/** Runs scripts of the page without Node.js modules and globals, like a browser, which may have another clock. */
export function loadScripts(
  scripts: readonly string[],
  clock: Pick<Performance, 'now'> = performance,
): { readonly engine: typeof Engine; readonly drawing: typeof Drawing } {
  const context = vm.createContext({ TextDecoder, TextEncoder, atob, btoa, crypto, performance: clock });
  for (const script of scripts) vm.runInContext(script, context);
  return vm.runInContext('({ engine: rolloutkit, drawing: globalThis.rolloutkitDrawing })', context) as ReturnType<typeof loadScripts>;
}
