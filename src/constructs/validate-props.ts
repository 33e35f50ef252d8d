import { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import { ROOT_PATH } from '../core/field-path';
import { isFields } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { withConstructPath } from '../core/intent-error';
import { appendLazily, resolveLazyPath } from '../core/lazy-field-path';
import type { LazyFieldPath } from '../core/lazy-field-path';
import type { Finding } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { readProps } from '../input/read-props';
import { planInput } from '../plan/plan';
import { findStructuralErrors, nonPlainKindOf, validatePropsShape } from '../props/validate-props';
import type { PropsShape, NonPlainKind } from '../props/validate-props';
import { reasonsOf, addSynthErrors, InvalidPropsError } from './synth-errors';

const PLAIN_VALUE_HINT = 'write a plain value: a string, number, boolean, list or map';

/** What cdk8s can't write, and what to do instead. Instances of classes are its own to judge: its tokens are such. */
const UNSERIALIZABLE_HINTS: Readonly<Record<Exclude<NonPlainKind, 'instance'>, string>> = {
  output: 'a Pulumi Output, whose value is known only while Pulumi runs; give cdk8s the plain value',
  promise: 'a promise; await it first, for cdk8s synthesizes synchronously',
  function: `a function; ${PLAIN_VALUE_HINT}`,
  symbol: `a symbol; ${PLAIN_VALUE_HINT}`,
  bigint: `a bigint; ${PLAIN_VALUE_HINT}`,
};

/** Classes of JavaScript itself, whose instances no token or resolver stands for. */
const BUILT_IN_CLASSES = [Date, RegExp, Map, Set, Error, ArrayBuffer];

function formatPropName(location: LazyFieldPath): string {
  return resolveLazyPath(location) || 'the map of props';
}

/** Adds to `unwritable` what can't be written at and below `value`. */
function collectUnserializableValues(value: unknown, location: LazyFieldPath, unserializable: string[]): void {
  const kind = nonPlainKindOf(value);
  if (kind === 'instance') {
    const builtIn = BUILT_IN_CLASSES.find((Class) => value instanceof Class);
    if (builtIn) unserializable.push(`${formatPropName(location)} is a ${builtIn.name}; ${PLAIN_VALUE_HINT}`);
    return;
  }
  if (kind !== undefined) {
    unserializable.push(`${formatPropName(location)} is ${UNSERIALIZABLE_HINTS[kind]}`);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => collectUnserializableValues(item, appendLazily(location, index), unserializable));
  } else if (isFields(value)) {
    for (const field of Object.keys(value)) collectUnserializableValues(value[field], appendLazily(location, field), unserializable);
  }
}

/** Constructs that were given props which there are not. */
const CONSTRUCTS_WITH_UNKNOWN_PROPS = new WeakSet<IConstruct>();

/** Constructs of whose props nothing could be made. */
const REJECTED_CONSTRUCTS = new WeakSet<IConstruct>();

/** Could nothing be made of what this construct was given? A bare object then stands in its place, for no line of it is ever written. */
export function isRejectedConstruct(construct: IConstruct | undefined): boolean {
  return construct !== undefined && REJECTED_CONSTRUCTS.has(construct);
}

/**
 * What `make` gives of the props of a construct. Where nothing can be made of them the synth fails with every reason, beside whatever else fails it,
 * and what stands in lets the rest of the app be made and judged.
 */
export function tryCreate<T>(construct: IConstruct, createFallback: () => T, create: () => T): T {
  try {
    return create();
  } catch (error) {
    REJECTED_CONSTRUCTS.add(construct);
    // What comes of a prop that there is not is said by its name.
    if (!CONSTRUCTS_WITH_UNKNOWN_PROPS.has(construct)) addSynthErrors(construct, reasonsOf(error));
    return createFallback();
  }
}

/** The plan of what a construct has made; of one that is refused, of nothing. */
export function planConstruct(construct: IConstruct, plan: () => PlanDocument): PlanDocument {
  return isRejectedConstruct(construct) ? planInput({ objects: [] }) : runWithConstructPath(construct, plan);
}

/** What of some props no file could hold, one line each. */
export function findUnserializableValues(props: unknown): readonly string[] {
  const unserializable: string[] = [];
  collectUnserializableValues(props, ROOT_PATH, unserializable);
  return unserializable;
}

/** Refuses a construct for what is wrong with its props, if anything is; to be called in `madeOr`. */
export function throwIfInvalid(lines: readonly string[]): void {
  if (lines.length > 0) throw new InvalidPropsError(lines);
}

/** The props as plain data, whatever stands in them; to be called in `madeOr`, which refuses every value that is none. */
export function readPlainProps<T>(input: T): T {
  const read = readProps(input);
  if (read.unreadable !== undefined) throw new InvalidPropsError([read.unreadable]);
  const problems = findStructuralErrors(read.props, {});
  if (isFields(read.props)) collectUnserializableValues(read.props, ROOT_PATH, problems);
  throwIfInvalid(problems);
  return read.props;
}

/**
 * The props as plain data, unless no manifest can be made of them, as JavaScript and casts can bring it: what must be a map and is not,
 * what contains itself or throws when it is read, and values that cdk8s can't write: Pulumi Outputs, promises, functions, symbols, bigints.
 * Each of these, and props that there are not, fails the synth, with whatever else does.
 *
 * Instances of other classes are cdk8s's to judge, since its tokens (`Lazy`) and an App's resolvers turn them into plain values.
 *
 * @returns undefined where nothing can be made of them; the construct is then refused
 */
export function validateConstructProps<T>(construct: IConstruct, input: T, shape: PropsShape | ((props: T) => PropsShape)): T | undefined {
  return tryCreate(
    construct,
    () => undefined,
    () => readValidProps(construct, input, shape),
  );
}

function readValidProps<T>(construct: IConstruct, input: T, shape: PropsShape | ((props: T) => PropsShape)): T {
  const read = readProps(input);
  if (read.unreadable !== undefined) throw new InvalidPropsError([read.unreadable]);
  const { props, isPlain } = read;
  const { structuralErrors, unknownProps } = validatePropsShape(props, typeof shape === 'function' ? shape(props) : shape);
  const problems = [...structuralErrors];
  // What is no map at all is said to be none.
  if (!isPlain && isFields(props)) collectUnserializableValues(props, ROOT_PATH, problems);
  if (problems.length > 0) throwIfInvalid([...unknownProps, ...problems]);
  if (unknownProps.length > 0) {
    CONSTRUCTS_WITH_UNKNOWN_PROPS.add(construct);
    addSynthErrors(construct, unknownProps);
  }
  return props;
}

/** The id of the object that a construct makes. */
const API_OBJECT_ID = 'Resource';

/**
 * The object that a construct makes of its props; a bare one of that kind, with the construct's id as its name, where nothing can be made of them.
 *
 * @param props undefined where the construct is refused already
 */
export function createApiObject<T>(
  construct: Construct,
  kind: Pick<Manifest, 'apiVersion' | 'kind'>,
  props: T | undefined,
  create: (props: T) => Manifest,
): ApiObject {
  const bare = () => new ApiObject(construct, API_OBJECT_ID, { ...kind, metadata: { name: construct.node.id } });
  if (props === undefined) return bare();
  const createFallback = () => {
    construct.node.tryRemoveChild(API_OBJECT_ID);
    return bare();
  };
  return tryCreate(construct, createFallback, () => new ApiObject(construct, API_OBJECT_ID, create(props)));
}

/** The findings of the rollouts as they were made; none where they can't be planned, which fails the synth. */
export function collectInitialFindings(construct: IConstruct & { readonly rollouts: readonly PlannedRollout[] }): readonly Finding[] {
  return tryCreate(
    construct,
    () => [],
    () => construct.rollouts.flatMap(({ findings }) => findings),
  );
}

/** What is made when it is asked for, as of objects that were patched since; what cannot be made is refused with the path of the construct. */
export function runWithConstructPath<T>(construct: IConstruct, create: () => T): T {
  return withConstructPath(() => `[${construct.node.path}]`, create);
}
