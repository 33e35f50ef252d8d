import { ROOT_PATH, appendLazily, resolveLazyPath } from '../core/manifest/field-path';
import type { FieldPath, LazyFieldPath } from '../core/manifest/field-path';
import { isFields } from '../core/manifest/manifest';
import { nonPlainKindOf } from './validate-props';

/** Reports whether a value is a token, which cdk8s itself asks for the value to write: a `Lazy`, or an object with a method `resolve`. */
export function isToken(value: unknown): boolean {
  if (nonPlainKindOf(value) !== 'instance') return false;
  return ['produce', 'resolve'].some((method) => typeof (value as Record<string, unknown>)[method] === 'function');
}

function addTokenPaths(paths: FieldPath[], value: unknown, location: LazyFieldPath): void {
  if (isToken(value)) paths.push(resolveLazyPath(location));
  else if (Array.isArray(value)) value.forEach((item, index) => addTokenPaths(paths, item, appendLazily(location, index)));
  else if (isFields(value) && nonPlainKindOf(value) === undefined) {
    for (const field of Object.keys(value)) addTokenPaths(paths, value[field], appendLazily(location, field));
  }
}

/** Lists the paths of the tokens in a value. */
export function listTokenPaths(value: unknown, location: LazyFieldPath = ROOT_PATH): FieldPath[] {
  const paths: FieldPath[] = [];
  addTokenPaths(paths, value, location);
  return paths;
}

/** Returns a value with what its tokens produce, as cdk8s writes it. Other instances of classes stay as they are. */
export function resolveTokens(value: unknown): unknown {
  if (isToken(value)) {
    const { produce, resolve } = value as { readonly produce?: () => unknown; readonly resolve?: () => unknown };
    return resolveTokens((produce ?? resolve)!.call(value));
  }
  if (Array.isArray(value)) return value.map(resolveTokens);
  if (!isFields(value) || nonPlainKindOf(value) !== undefined) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolveTokens(inner)]));
}

/** Formats the error of a token whose value is needed before cdk8s asks for it. */
export function formatTokenRefusal(path: FieldPath): string {
  return `${path || 'the map of props'} is a Lazy value, which is known only at synth, but it is needed before: write the plain value`;
}
