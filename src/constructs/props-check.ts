import type { IConstruct } from 'constructs';
import { WHOLE_OBJECT } from '../core/field-path';
import { isFields } from '../core/manifest';
import { settledAt } from '../core/intent-error';
import { inside, pathOf } from '../core/place';
import type { Place } from '../core/place';
import { readProps } from '../input/given-value';
import { notPlain, unusableProps } from '../props/usable-props';
import type { PropsShape, NotPlain } from '../props/usable-props';

const PLAIN = 'write a plain value: a string, number, boolean, list or map';

/** What cdk8s can't write, and what to do instead. Instances of classes are its own to judge: its tokens are such. */
const UNWRITABLE: Readonly<Record<Exclude<NotPlain, 'instance'>, string>> = {
  output: 'a Pulumi Output, whose value is known only while Pulumi runs; give cdk8s the plain value',
  promise: 'a promise; await it first, for cdk8s synthesizes synchronously',
  function: `a function; ${PLAIN}`,
  symbol: `a symbol; ${PLAIN}`,
  bigint: `a bigint; ${PLAIN}`,
};

/** Classes of JavaScript itself, whose instances no token or resolver stands for. */
const BUILT_IN = [Date, RegExp, Map, Set, Error, ArrayBuffer];

/** Adds to `unwritable` what can't be written at and below `value`. */
function collectUnwritable(value: unknown, place: Place, unwritable: string[]): void {
  const kind = notPlain(value);
  if (kind === 'instance') {
    const builtIn = BUILT_IN.find((Class) => value instanceof Class);
    if (builtIn) unwritable.push(`${pathOf(place)} is a ${builtIn.name}; ${PLAIN}`);
    return;
  }
  if (kind !== undefined) {
    unwritable.push(`${pathOf(place)} is ${UNWRITABLE[kind]}`);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => collectUnwritable(item, inside(place, index), unwritable));
  } else if (isFields(value)) {
    for (const field of Object.keys(value)) collectUnwritable(value[field], inside(place, field), unwritable);
  }
}

/**
 * The props as plain data, unless no manifest can be made of them, as JavaScript and casts can bring it: what must be a map and is not,
 * what contains itself or throws when it is read, and values that cdk8s can't write: Pulumi Outputs, promises, functions, symbols, bigints.
 *
 * Instances of other classes are cdk8s's to judge, since its tokens (`Lazy`) and an App's resolvers turn them into plain values.
 *
 * @throws Error that names every such value
 */
export function usableProps<T>(construct: IConstruct, given: T, shape: PropsShape | ((props: T) => PropsShape)): T {
  const read = readProps(given);
  if (read.unreadable !== undefined) throw new Error(`[${construct.node.path}] ${read.unreadable}`);
  const { props } = read;
  const unusable = unusableProps(props, typeof shape === 'function' ? shape(props) : shape);
  collectUnwritable(props, WHOLE_OBJECT, unusable);
  if (unusable.length > 0) throw new Error(`[${construct.node.path}] ${unusable.join('\n')}`);
  return props;
}

/** What is made of the props of a construct; whatever cannot be made is refused with its path. */
export function madeBy<T>(construct: IConstruct, make: () => T): T {
  return settledAt(`[${construct.node.path}]`, make);
}
