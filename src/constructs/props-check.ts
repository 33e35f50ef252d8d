import type { IConstruct } from 'constructs';
import { WHOLE_OBJECT } from '../core/field-path';
import { isFields } from '../core/manifest';
import { settledAt } from '../core/intent-error';
import { inside, pathOf } from '../core/place';
import type { Place } from '../core/place';
import { readProps } from '../input/given-value';
import { misshapenProps, notPlain, propsProblems } from '../props/usable-props';
import type { PropsShape, NotPlain } from '../props/usable-props';
import { refuse } from './synth-errors';

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

/** Props that there are not, by the construct that they were given to. */
const MISNAMED = new WeakMap<IConstruct, readonly string[]>();

function refusedProps({ node }: IConstruct, lines: readonly string[], cause?: unknown): Error {
  return new Error(`[${node.path}] ${lines.join('\n')}`, { cause });
}

/** What of some props no file could hold, one line each. */
export function unwritableIn(props: unknown): readonly string[] {
  const unwritable: string[] = [];
  collectUnwritable(props, WHOLE_OBJECT, unwritable);
  return unwritable;
}

/**
 * The props as a map of plain data, whatever stands in it.
 *
 * @throws Error that names every value which is none, as `usableProps`
 */
export function plainProps<T>(construct: IConstruct, given: T): T {
  const read = readProps(given);
  if (read.unreadable !== undefined) throw refusedProps(construct, [read.unreadable]);
  const unusable = misshapenProps(read.props, {});
  collectUnwritable(read.props, WHOLE_OBJECT, unusable);
  if (unusable.length > 0) throw refusedProps(construct, unusable);
  return read.props;
}

/**
 * The props as plain data, unless no manifest can be made of them, as JavaScript and casts can bring it: what must be a map and is not,
 * what contains itself or throws when it is read, and values that cdk8s can't write: Pulumi Outputs, promises, functions, symbols, bigints.
 * Props that there are not fail the synth, with whatever else does.
 *
 * Instances of other classes are cdk8s's to judge, since its tokens (`Lazy`) and an App's resolvers turn them into plain values.
 *
 * @throws Error that names every such value
 */
export function usableProps<T>(construct: IConstruct, given: T, shape: PropsShape | ((props: T) => PropsShape)): T {
  const read = readProps(given);
  if (read.unreadable !== undefined) throw refusedProps(construct, [read.unreadable]);
  const { props, isPlain } = read;
  const { misshapen, misnamed } = propsProblems(props, typeof shape === 'function' ? shape(props) : shape);
  const unusable = [...misshapen];
  if (!isPlain) collectUnwritable(props, WHOLE_OBJECT, unusable);
  if (unusable.length > 0) throw refusedProps(construct, [...misnamed, ...unusable]);
  if (misnamed.length > 0) {
    MISNAMED.set(construct, misnamed);
    refuse(construct, misnamed);
  }
  return props;
}

/** What is made of the props of a construct; whatever cannot be made is refused with its path, and where props have names that there are not, for those. */
export function madeBy<T>(construct: IConstruct, make: () => T): T {
  const misnamed = MISNAMED.get(construct);
  if (!misnamed) return settledAt(() => `[${construct.node.path}]`, make);
  try {
    return make();
  } catch (error) {
    throw refusedProps(construct, misnamed, error);
  }
}
