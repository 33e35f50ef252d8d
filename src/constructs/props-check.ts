import type { IConstruct } from 'constructs';
import { isFields, isInstance, valueAt } from '../core/manifest';
import { describeValue } from '../core/shape';

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

/** Adds to `unwritable` what can't be written at and below `value`. */
function collectUnwritable(value: unknown, path: string, unwritable: string[]): void {
  const obstacle = obstacleOf(value);
  if (obstacle !== undefined) {
    unwritable.push(`${path} is ${obstacle}`);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => collectUnwritable(item, `${path}[${index}]`, unwritable));
  } else if (isFields(value) && !isInstance(value)) {
    for (const field of Object.keys(value)) collectUnwritable(value[field], path === '' ? field : `${path}.${field}`, unwritable);
  }
}

/** The props that must be maps, and whether they may be left out. */
export type MapProps = Readonly<Record<string, 'required' | 'optional'>>;

function misshapenProps(props: unknown, maps: MapProps): string[] {
  if (!isFields(props)) return [`the props are ${describeValue(props)}; write a map`];
  return Object.entries(maps).flatMap(([name, need]) => {
    const value = props[name];
    if (isFields(value) || (value === undefined && need === 'optional')) return [];
    return [`${name} is ${describeValue(value)}; write a map${need === 'optional' ? ', or leave it out' : ''}`];
  });
}

/**
 * Refuses props that no manifest can be made of, which JavaScript and casts can bring: what must be a map and is none, and values that cdk8s
 * can't write: Pulumi Outputs, promises, functions, symbols, bigints.
 *
 * Instances of other classes are cdk8s's to judge, since its tokens (`Lazy`) and an App's resolvers turn them into plain values.
 *
 * @throws Error that names every such value
 */
export function refuseUnusableProps(construct: IConstruct, props: unknown, maps: MapProps): void {
  const unusable = misshapenProps(props, maps);
  collectUnwritable(props, '', unusable);
  if (unusable.length > 0) throw new Error(`[${construct.node.path}] ${unusable.join('\n')}`);
}
