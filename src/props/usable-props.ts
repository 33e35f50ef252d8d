import { isFields, isInstance, valueAt } from '../core/manifest';
import { describeValue } from '../core/seen';

/** The props that must be maps, and whether they may be left out. */
export type MapProps = Readonly<Record<string, 'required' | 'optional'>>;

/** What is not a map although it must be one, which JavaScript and casts can bring; one line each. */
export function misshapenProps(props: unknown, maps: MapProps): string[] {
  if (!isFields(props)) return [`the props are ${describeValue(props)}; write a map`];
  return Object.entries(maps).flatMap(([name, need]) => {
    const value = props[name];
    if (isFields(value) || (value === undefined && need === 'optional')) return [];
    return [`${name} is ${describeValue(value)}; write a map${need === 'optional' ? ', or leave it out' : ''}`];
  });
}

/** A value that is not plain data, so that no manifest can hold it as it is. */
export type NotPlain = 'output' | 'promise' | 'instance' | 'function' | 'symbol' | 'bigint';

/** Why a value is not plain data; undefined where it is, which says nothing of the values in it. */
export function notPlain(value: unknown): NotPlain | undefined {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return typeof value as NotPlain;
  if (typeof value !== 'object' || value === null) return undefined;
  // The mark by which Pulumi itself tells an Output.
  if (valueAt(value, '__pulumiOutput') === true) return 'output';
  if (typeof valueAt(value, 'then') === 'function') return 'promise';
  return isInstance(value) ? 'instance' : undefined;
}
