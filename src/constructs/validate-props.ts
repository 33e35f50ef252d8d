import { ApiObject, Chart } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import { validateCreatedMetadata } from '../change/apiserver/metadata-validation';
import { ROOT_PATH, toFieldPath, appendLazily, resolveLazyPath } from '../core/manifest/field-path';
import { getOwnValue, isFields } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { withConstructPath } from '../core/errors/intent-error';
import type { LazyFieldPath } from '../core/manifest/field-path';
import type { Finding } from '../core/findings/finding';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import { DEFAULT_VERSIONS } from '../core/values/versions';
import { readProps } from '../input/read-props';
import { planInput } from '../plan/plan';
import { locateErrors } from '../props/call-site';
import { formatErrorLines, hasError } from '../props/error-lines';
import { findEmptySources, findRefusedValues, findStructuralErrors, nonPlainKindOf, validatePropsShape } from '../props/validate-props';
import type { PropPaths } from '../props/prop-paths';
import type { PropsShape, NonPlainKind } from '../props/validate-props';
import { formatTokenRefusal, isToken, listTokenPaths, resolveTokens } from '../props/tokens';
import { recordCallSite } from './call-sites';
import { appendCallSite, reasonsOf, addSynthErrors, InvalidPropsError } from './synth-errors';
import { recordTokens } from './tokens';

const PLAIN_VALUE_HINT = 'write a plain value: a string, number, boolean, list or map';

/** Values that cdk8s can't serialize, and what to do instead. Class instances are left to cdk8s, because its tokens are instances. */
const UNSERIALIZABLE_HINTS: Readonly<Record<Exclude<NonPlainKind, 'instance'>, string>> = {
  output: 'a Pulumi Output, whose value is known only while Pulumi runs; pass the plain value to cdk8s',
  promise: 'a promise; await it first, because cdk8s synthesizes synchronously',
  function: `a function; ${PLAIN_VALUE_HINT}`,
  symbol: `a symbol; ${PLAIN_VALUE_HINT}`,
  bigint: `a bigint; ${PLAIN_VALUE_HINT}`,
  'not-finite': `NaN or an infinite number; ${PLAIN_VALUE_HINT}`,
};

/** Returns the name of the built-in class of an instance, or of a class that it extends. Such instances are never cdk8s tokens. */
function findBuiltInClass(value: unknown): string | undefined {
  for (let at: unknown = Object.getPrototypeOf(value); at !== Object.prototype && at !== null; at = Object.getPrototypeOf(at)) {
    const builtIn: unknown = (at as object).constructor;
    if (typeof builtIn === 'function' && getOwnValue(globalThis, builtIn.name) === builtIn) return builtIn.name;
  }
  return undefined;
}

function formatPropName(location: LazyFieldPath): string {
  return resolveLazyPath(location) || 'the map of props';
}

/** Adds to `unserializable` a line for each value at or below `value` that can't be serialized. */
function collectUnserializableValues(value: unknown, location: LazyFieldPath, unserializable: string[]): void {
  const kind = nonPlainKindOf(value);
  if (kind === 'instance') {
    const builtIn = findBuiltInClass(value);
    if (builtIn !== undefined) unserializable.push(`${formatPropName(location)} is a ${builtIn}; ${PLAIN_VALUE_HINT}`);
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

/** Constructs with unknown props, or with values that no controller follows. */
const CONSTRUCTS_WITH_REJECTED_PROPS = new WeakSet<IConstruct>();

/** Constructs whose props were rejected. */
const REJECTED_CONSTRUCTS = new WeakSet<IConstruct>();

/** Reports whether the props of a construct were rejected. It then has a bare object, which is never written because the synth fails. */
export function isRejectedConstruct(construct: IConstruct | undefined): boolean {
  return construct !== undefined && REJECTED_CONSTRUCTS.has(construct);
}

/** Reports whether props of a construct are refused, so that the synth never writes its objects. Those without its unknown props may exist. */
export function hasRefusedProps(construct: IConstruct): boolean {
  return isRejectedConstruct(construct) || CONSTRUCTS_WITH_REJECTED_PROPS.has(construct);
}

/**
 * Returns the result of `create`. If it throws, the synth fails with every reason, in addition to other errors.
 * The fallback lets the rest of the app be created and validated.
 */
export function tryCreate<T>(construct: IConstruct, createFallback: () => T, create: () => T): T {
  try {
    return create();
  } catch (error) {
    REJECTED_CONSTRUCTS.add(construct);
    // A rejected prop is already reported; errors that follow from it are not.
    if (!CONSTRUCTS_WITH_REJECTED_PROPS.has(construct)) addSynthErrors(construct, reasonsOf(error));
    return createFallback();
  }
}

/** Plans the objects of a construct. The plan of a rejected construct is empty. */
export function planConstruct(construct: IConstruct, plan: () => PlanDocument): PlanDocument {
  return isRejectedConstruct(construct) ? planInput({ objects: [] }) : runWithConstructPath(construct, plan);
}

/** Returns one line for each value in the props that can't be serialized. */
export function findUnserializableValues(props: unknown): readonly string[] {
  const unserializable: string[] = [];
  collectUnserializableValues(props, ROOT_PATH, unserializable);
  return unserializable;
}

/** Throws if there are error lines. Call it within `tryCreate`. */
export function throwIfInvalid(lines: readonly string[]): void {
  if (lines.length > 0) throw new InvalidPropsError(lines);
}

/** Returns the props as plain data. Throws for every other value, tokens included. Call it within `tryCreate`. */
export function readPlainProps<T>(input: T): T {
  const read = readProps(input);
  if (read.unreadable !== undefined) throw new InvalidPropsError([read.unreadable]);
  throwIfInvalid(listTokenPaths(read.props).map(formatTokenRefusal));
  const problems = findStructuralErrors(read.props, {});
  if (isFields(read.props)) collectUnserializableValues(read.props, ROOT_PATH, problems);
  throwIfInvalid(problems);
  return read.props;
}

/**
 * Returns the props as plain data. Callers in JavaScript, and casts, can pass props that no manifest can be built from: values that must be
 * maps and are not, cycles, getters that throw, and values that cdk8s can't serialize (Pulumi Outputs, promises, functions, symbols, bigints).
 * Each of these, and each unknown prop, fails the synth in addition to other errors.
 *
 * Instances of other classes are left to cdk8s, because its tokens (`Lazy`) and an App's resolvers turn them into plain values.
 *
 * @returns undefined if the props are rejected
 */
export function validateConstructProps<T>(construct: IConstruct, input: T, shape: PropsShape | ((props: T) => PropsShape)): T | undefined {
  recordCallSite(construct);
  locateErrors(() => requireChart(construct));
  return tryCreate(
    construct,
    () => undefined,
    () => readValidProps(construct, input, shape),
  );
}

/** Throws for a scope that is in no chart, which cdk8s would report without the line of the user. */
function requireChart(construct: IConstruct): void {
  const { scopes, id } = construct.node;
  if (scopes.some((scope) => Chart.isChart(scope))) return;
  const parent = construct.node.scope;
  throw new Error(
    `${construct.constructor.name} ${JSON.stringify(id)}: the scope is ${parent ? 'not in a chart' : 'undefined'}; pass a chart, or a construct in one`,
  );
}

function readValidProps<T>(construct: IConstruct, input: T, shape: PropsShape | ((props: T) => PropsShape)): T {
  const read = readProps(input);
  if (read.unreadable !== undefined) throw new InvalidPropsError([read.unreadable]);
  const { props, isPlain } = read;
  if (isToken(props)) throw new InvalidPropsError([formatTokenRefusal(ROOT_PATH)]);
  if (!isPlain) recordTokens(construct, props);
  const shapeOf = (each: T) => (typeof shape === 'function' ? shape(each) : shape);
  const { structuralErrors, rejectedProps } = validatePropsShape(props, shapeOf(props));
  const problems = [...structuralErrors, ...findEmptySources(props)];
  // Props that are not a map are already reported.
  if (!isPlain && isFields(props)) collectUnserializableValues(props, ROOT_PATH, problems);
  if (problems.length > 0) throwIfInvalid([...rejectedProps, ...problems]);
  if (rejectedProps.length > 0) {
    CONSTRUCTS_WITH_REJECTED_PROPS.add(construct);
    addSynthErrors(construct, rejectedProps);
  } else if (!isPlain && listTokenPaths(props).length > 0) {
    failSynthOnProducedValues(construct, () => {
      const produced = resolveTokens(props) as T;
      return findRefusedValues(produced, shapeOf(produced));
    });
  }
  return props;
}

/** Makes synth fail if a token produces a value that its prop may not have. cdk8s runs a validation once per chart and once more. */
function failSynthOnProducedValues(construct: IConstruct, findErrors: () => readonly string[]): void {
  const trace = new Error();
  let lines: readonly string[] | undefined;
  const collectErrors = () => (isRejectedConstruct(construct) ? [] : findErrors());
  construct.node.addValidation({ validate: () => [...(lines ??= appendCallSite(collectErrors(), trace))] });
}

/** Id of the object that a construct creates. */
const API_OBJECT_ID = 'Resource';

/**
 * Creates the object of a construct. If its props are rejected, the object is a bare one of that kind, named after the construct's id.
 *
 * @param props undefined if the construct is already rejected
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

/** Collects the findings of the rollouts before any patch. Returns none if planning fails, which fails the synth. */
export function collectInitialFindings(construct: IConstruct & { readonly rollouts: readonly PlannedRollout[] }): readonly Finding[] {
  return tryCreate(
    construct,
    () => [],
    () => construct.rollouts.flatMap(({ findings }) => findings),
  );
}

/** Runs `create`, for example to plan objects that were patched since. Errors get the path of the construct. */
export function runWithConstructPath<T>(construct: IConstruct, create: () => T): T {
  return withConstructPath(() => `[${construct.node.path}]`, create);
}

/** Charts with an invalid namespace that is already reported. */
const REPORTED_CHARTS = new WeakSet<IConstruct>();

/** Finds invalid metadata. The namespace of a chart is reported once, for its first construct. */
function findInvalidMetadata(objects: readonly ApiObject[]): readonly Finding[] {
  return objects.flatMap((object) => {
    const { apiVersion, kind, metadata } = object;
    const chart = Chart.of(object);
    const found = validateCreatedMetadata(
      { apiVersion, kind, metadata: metadata.toJson() as Manifest['metadata'] },
      DEFAULT_VERSIONS.kubernetes,
    );
    const isOfChart = ({ path }: Finding) => path === toFieldPath`metadata.namespace` && metadata.namespace === chart.namespace;
    const listed = found.filter((finding) => !isOfChart(finding) || !REPORTED_CHARTS.has(chart));
    if (listed.some(isOfChart)) REPORTED_CHARTS.add(chart);
    return listed;
  });
}

/**
 * Makes synth fail if the API server would refuse the metadata of an object, unless another error is known. Labels can be added until then.
 *
 * @param propPaths props that the metadata is written from. @default - those of the same path
 */
export function failSynthOnInvalidMetadata(
  construct: IConstruct,
  objects: readonly ApiObject[],
  findings: readonly Finding[],
  propPaths?: PropPaths,
): void {
  if (isRejectedConstruct(construct) || hasError(findings)) return;
  const trace = new Error();
  let lines: readonly string[] | undefined;
  // The stages of an upgrade have the same metadata.
  const collectErrors = () => [...new Set(formatErrorLines(findInvalidMetadata(objects), propPaths))];
  // cdk8s runs a validation once per chart and once more.
  construct.node.addValidation({ validate: () => [...(lines ??= appendCallSite(collectErrors(), trace))] });
}
