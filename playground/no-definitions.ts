/** Returns no CRDs, in place of `src/plan/input-definitions.ts`. Their rules are in CEL, which is larger than the engine. */
export function readInputDefinitions(): undefined {
  return undefined;
}
