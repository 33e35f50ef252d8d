import { inputFinding } from '../core/catalogue';
import type { Finding } from '../core/finding';
import { isFields, valueAt } from '../core/manifest';

/** Why a value can't be written into a manifest, and what to do instead; undefined if it can. */
function obstacleOf(value: unknown): { readonly seen: string; readonly help: string } | undefined {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') {
    return { seen: `a ${typeof value}`, help: 'Write a plain value: a string, number, boolean, list or map.' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  // The mark by which Pulumi itself tells an Output.
  if (valueAt(value, '__pulumiOutput') === true) {
    return {
      seen: 'a Pulumi Output, whose value is known only while Pulumi runs',
      help: 'Give cdk8s the plain value, or build the object with Pulumi.',
    };
  }
  if (typeof valueAt(value, 'then') === 'function') {
    return { seen: 'a promise', help: 'Await it first: cdk8s synthesizes synchronously.' };
  }
  return undefined;
}

/**
 * The values among props that cdk8s can't write: Pulumi Outputs, promises, functions, symbols, bigints.
 *
 * Instances of other classes are cdk8s's to judge, since its tokens (`Lazy`) and an App's resolvers turn them into plain values.
 *
 * @param path Where `value` stands, e.g. `predictor`.
 */
export function unwritableValues(value: unknown, path: string): Finding[] {
  const obstacle = obstacleOf(value);
  if (obstacle) return [inputFinding('input/wrong-type', { path, message: `${path} is ${obstacle.seen}`, help: obstacle.help })];
  if (Array.isArray(value)) return value.flatMap((item, index) => unwritableValues(item, `${path}[${index}]`));
  if (!isFields(value) || !isPlainMap(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) => unwritableValues(inner, path === '' ? field : `${path}.${field}`));
}

/** Is this an object literal? Their prototype is the end of the chain, in whichever realm they were made. */
function isPlainMap(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
