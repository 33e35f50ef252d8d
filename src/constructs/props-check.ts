import { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import { WHOLE_OBJECT } from '../core/field-path';
import { isFields } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { settledAt } from '../core/intent-error';
import { inside, pathOf } from '../core/place';
import type { Place } from '../core/place';
import type { Finding } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { readProps } from '../input/given-value';
import { planInput } from '../plan/plan';
import { misshapenProps, notPlain, propsProblems } from '../props/usable-props';
import type { PropsShape, NotPlain } from '../props/usable-props';
import { reasonsOf, refuse, UnusableProps } from './synth-errors';

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

function propName(place: Place): string {
  return pathOf(place) || 'the map of props';
}

/** Adds to `unwritable` what can't be written at and below `value`. */
function collectUnwritable(value: unknown, place: Place, unwritable: string[]): void {
  const kind = notPlain(value);
  if (kind === 'instance') {
    const builtIn = BUILT_IN.find((Class) => value instanceof Class);
    if (builtIn) unwritable.push(`${propName(place)} is a ${builtIn.name}; ${PLAIN}`);
    return;
  }
  if (kind !== undefined) {
    unwritable.push(`${propName(place)} is ${UNWRITABLE[kind]}`);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => collectUnwritable(item, inside(place, index), unwritable));
  } else if (isFields(value)) {
    for (const field of Object.keys(value)) collectUnwritable(value[field], inside(place, field), unwritable);
  }
}

/** Constructs that were given props which there are not. */
const MISNAMED = new WeakSet<IConstruct>();

/** Constructs of whose props nothing could be made. */
const REFUSED = new WeakSet<IConstruct>();

/** Could nothing be made of what this construct was given? A bare object then stands in its place, for no line of it is ever written. */
export function isRefused(construct: IConstruct | undefined): boolean {
  return construct !== undefined && REFUSED.has(construct);
}

/**
 * What `make` gives of the props of a construct. Where nothing can be made of them the synth fails with every reason, beside whatever else fails it,
 * and what stands in lets the rest of the app be made and judged.
 */
export function madeOr<T>(construct: IConstruct, standIn: () => T, make: () => T): T {
  try {
    return make();
  } catch (error) {
    REFUSED.add(construct);
    // What comes of a prop that there is not is said by its name.
    if (!MISNAMED.has(construct)) refuse(construct, reasonsOf(error));
    return standIn();
  }
}

/** The plan of what a construct has made; of one that is refused, of nothing. */
export function plannedBy(construct: IConstruct, plan: () => PlanDocument): PlanDocument {
  return isRefused(construct) ? planInput({ objects: [] }) : madeBy(construct, plan);
}

/** What of some props no file could hold, one line each. */
export function unwritableIn(props: unknown): readonly string[] {
  const unwritable: string[] = [];
  collectUnwritable(props, WHOLE_OBJECT, unwritable);
  return unwritable;
}

/** Refuses a construct for what is wrong with its props, if anything is; to be called in `madeOr`. */
export function refuseUnusable(lines: readonly string[]): void {
  if (lines.length > 0) throw new UnusableProps(lines);
}

/** The props as plain data, whatever stands in them; to be called in `madeOr`, which refuses every value that is none. */
export function plainProps<T>(given: T): T {
  const read = readProps(given);
  if (read.unreadable !== undefined) throw new UnusableProps([read.unreadable]);
  const unusable = misshapenProps(read.props, {});
  if (isFields(read.props)) collectUnwritable(read.props, WHOLE_OBJECT, unusable);
  refuseUnusable(unusable);
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
export function usableProps<T>(construct: IConstruct, given: T, shape: PropsShape | ((props: T) => PropsShape)): T | undefined {
  return madeOr(
    construct,
    () => undefined,
    () => readUsable(construct, given, shape),
  );
}

function readUsable<T>(construct: IConstruct, given: T, shape: PropsShape | ((props: T) => PropsShape)): T {
  const read = readProps(given);
  if (read.unreadable !== undefined) throw new UnusableProps([read.unreadable]);
  const { props, isPlain } = read;
  const { misshapen, misnamed } = propsProblems(props, typeof shape === 'function' ? shape(props) : shape);
  const unusable = [...misshapen];
  // What is no map at all is said to be none.
  if (!isPlain && isFields(props)) collectUnwritable(props, WHOLE_OBJECT, unusable);
  if (unusable.length > 0) refuseUnusable([...misnamed, ...unusable]);
  if (misnamed.length > 0) {
    MISNAMED.add(construct);
    refuse(construct, misnamed);
  }
  return props;
}

/** The id of the object that a construct makes. */
const OBJECT_ID = 'Resource';

/**
 * The object that a construct makes of its props; a bare one of that kind, with the construct's id as its name, where nothing can be made of them.
 *
 * @param props undefined where the construct is refused already
 */
export function madeObject<T>(
  construct: Construct,
  kind: Pick<Manifest, 'apiVersion' | 'kind'>,
  props: T | undefined,
  make: (props: T) => Manifest,
): ApiObject {
  const bare = () => new ApiObject(construct, OBJECT_ID, { ...kind, metadata: { name: construct.node.id } });
  if (props === undefined) return bare();
  const instead = () => {
    construct.node.tryRemoveChild(OBJECT_ID);
    return bare();
  };
  return madeOr(construct, instead, () => new ApiObject(construct, OBJECT_ID, make(props)));
}

/** The findings of the rollouts as they were made; none where they can't be planned, which fails the synth. */
export function firstFindings(construct: IConstruct & { readonly rollouts: readonly PlannedRollout[] }): readonly Finding[] {
  return madeOr(
    construct,
    () => [],
    () => construct.rollouts.flatMap(({ findings }) => findings),
  );
}

/** What is made when it is asked for, as of objects that were patched since; what cannot be made is refused with the path of the construct. */
export function madeBy<T>(construct: IConstruct, make: () => T): T {
  return settledAt(() => `[${construct.node.path}]`, make);
}
