import type { IConstruct } from 'constructs';
import { isFields, isInstance, valueAt } from '../core/manifest';

/** Why cdk8s can't write a value into a manifest, and what to do instead; undefined if it can. */
function obstacleOf(value: unknown): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') {
    return `a ${typeof value}; write a plain value: a string, number, boolean, list or map`;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  // The mark by which Pulumi itself tells an Output.
  if (valueAt(value, '__pulumiOutput') === true) {
    return 'a Pulumi Output, whose value is known only while Pulumi runs; give cdk8s the plain value';
  }
  if (typeof valueAt(value, 'then') === 'function') return 'a promise; await it first, for cdk8s synthesizes synchronously';
  return undefined;
}

function unwritableValues(value: unknown, path: string): string[] {
  const obstacle = obstacleOf(value);
  if (obstacle !== undefined) return [`${path} is ${obstacle}`];
  if (Array.isArray(value)) return value.flatMap((item, index) => unwritableValues(item, `${path}[${index}]`));
  if (!isFields(value) || isInstance(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) => unwritableValues(inner, path === '' ? field : `${path}.${field}`));
}

/**
 * Refuses props with values that cdk8s can't write: Pulumi Outputs, promises, functions, symbols, bigints.
 *
 * Instances of other classes are cdk8s's to judge, since its tokens (`Lazy`) and an App's resolvers turn them into plain values.
 *
 * @throws Error that names every such value
 */
export function refuseUnwritable(construct: IConstruct, props: object): void {
  const unwritable = unwritableValues(props, '');
  if (unwritable.length > 0) throw new Error(`[${construct.node.path}] ${unwritable.join('\n')}`);
}
