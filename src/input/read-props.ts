import { isFields } from '../core/manifest/manifest';
import type { ObjectProblem } from '../core/findings/input-problem';
import { describeValue } from '../core/text/display-value';
import { cloneDeepWithInstances, truncatePath, UnreadableError } from './clone-deep';

const UNREADABLE_MESSAGES: {
  readonly [Kind in ObjectProblem['kind']]: (problem: Extract<ObjectProblem, { readonly kind: Kind }>) => string;
} = {
  bigint: () => 'contains a bigint',
  'too-deep': ({ levels }) => `contains itself, or is nested more than ${levels} levels deep`,
  'too-large': ({ values }) => `contains more than ${values} values, counting each occurrence`,
  throws: ({ said }) => `cannot be read: reading it throws ${JSON.stringify(said)}`,
};

function formatUnreadable({ problem, place }: UnreadableError): string {
  const formatProblem = UNREADABLE_MESSAGES[problem.kind] as (problem: ObjectProblem) => string;
  const path = truncatePath(place);
  return `${path || 'the map of props'} ${formatProblem(problem)}; write plain data: a string, number, boolean, list or map`;
}

/** Copied props, which can no longer change or throw: every getter and Proxy in them was read once. */
export type ReadProps<T> =
  | {
      readonly props: T;
      /** Whether they contain only plain data: no class instances, functions or other values that a file cannot contain. */
      readonly isPlain: boolean;
      readonly unreadable?: undefined;
    }
  | { readonly props?: undefined; readonly unreadable: string };

/** Copies props. Class instances are kept as they are, because the adapter validates them. */
export function readProps<T>(props: T): ReadProps<T> {
  if (typeof props !== 'object' || props === null) return { props, isPlain: false };
  try {
    const { copy, isPlain } = cloneDeepWithInstances(props);
    return { props: copy as T, isPlain };
  } catch (error) {
    if (error instanceof UnreadableError) return { unreadable: formatUnreadable(error) };
    throw error;
  }
}

/**
 * Copies a value that belongs to no construct. The error names the function or class that creates it.
 *
 * @throws Error if the value cannot be read
 */
export function readPropsOf<T>(maker: string, value: T): T {
  const read = readProps(value);
  if (read.unreadable !== undefined) throw new Error(`${maker}: ${read.unreadable}`);
  return read.props;
}

/**
 * Copies a value that must be a map.
 *
 * @throws Error if the value is not a map, or cannot be read
 */
export function readPropsMapOf<T>(maker: string, value: T): T {
  const read = readPropsOf(maker, value);
  if (!isFields(read)) throw new Error(`${maker}: ${describeValue(read)} is given; write a map`);
  return read;
}
