import type { AsyncLocalStorage } from 'node:async_hooks';
import { runtime } from '@pulumi/pulumi';
import type { ResourceTransform } from '@pulumi/pulumi';

/**
 * Keeps a transform in the context of an inline program of the Automation API. The SDK calls it outside of that, where it does not know that the
 * engine supports secrets, and returns the secrets of all props in plain text, which end up in the state. Seen with SDK 3.248; a transform that
 * changes nothing does the same. Source: @pulumi/pulumi/runtime/callbacks.js and state.js.
 */
export function withProgramContext(transform: ResourceTransform): ResourceTransform {
  const { asyncLocalStorage: storage } = globalThis as { readonly asyncLocalStorage?: AsyncLocalStorage<unknown> };
  const program = storage?.getStore();
  if (!storage || program === undefined) return transform;
  return (args) => {
    storage.enterWith(program);
    return transform(args);
  };
}

/**
 * Creates a function that returns the state of the program that runs. The Automation API runs several inline programs in a process, also one
 * of them several times, each with a monitor of its own. Outside of programs, each call returns a new state.
 */
export function memoizePerProgram<State>(create: () => State): () => State {
  const states = new WeakMap<object, State>();
  return () => {
    const monitor = runtime.getMonitor();
    if (!monitor) return create();
    const state = states.get(monitor) ?? create();
    states.set(monitor, state);
    return state;
  };
}
