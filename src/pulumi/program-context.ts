import type { AsyncLocalStorage } from 'node:async_hooks';
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
