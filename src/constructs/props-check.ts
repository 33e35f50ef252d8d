import type { IConstruct } from 'constructs';
import { childPath } from '../core/field-path';
import { isFields } from '../core/manifest';
import { unusableProps, notPlain } from '../props/usable-props';
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

/** Adds to `unwritable` what can't be written at and below `value`. */
function collectUnwritable(value: unknown, path: string, unwritable: string[]): void {
  const kind = notPlain(value);
  if (kind === 'instance') return;
  if (kind !== undefined) {
    unwritable.push(`${path} is ${UNWRITABLE[kind]}`);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => collectUnwritable(item, childPath(path, index), unwritable));
  } else if (isFields(value)) {
    for (const field of Object.keys(value)) collectUnwritable(value[field], childPath(path, field), unwritable);
  }
}

/**
 * Refuses props that no manifest can be made of, which JavaScript and casts can bring:
 * what must be a map and is not, and values that cdk8s can't write: Pulumi Outputs, promises, functions, symbols, bigints.
 *
 * Instances of other classes are cdk8s's to judge, since its tokens (`Lazy`) and an App's resolvers turn them into plain values.
 *
 * @throws Error that names every such value
 */
export function refuseUnusableProps(construct: IConstruct, props: unknown, shape: PropsShape): void {
  const unusable = unusableProps(props, shape);
  collectUnwritable(props, '', unusable);
  if (unusable.length > 0) throw new Error(`[${construct.node.path}] ${unusable.join('\n')}`);
}
