import { isFields } from '../core/manifest';
import type { ObjectProblem } from '../core/input-problem';
import { describeValue } from '../core/display-value';
import { cloneDeepWithInstances, truncatePath, UnreadableError } from './clone-deep';

const UNREADABLE_MESSAGES: {
  readonly [Kind in ObjectProblem['kind']]: (problem: Extract<ObjectProblem, { readonly kind: Kind }>) => string;
} = {
  bigint: () => 'holds a bigint',
  'too-deep': ({ levels }) => `contains itself, or is nested more than ${levels} levels deep`,
  'too-large': ({ values }) => `holds more than ${values} values, each counted wherever it stands`,
  throws: ({ said }) => `cannot be read: ${JSON.stringify(said)} is thrown`,
};

function formatUnreadable({ problem, place }: UnreadableError): string {
  const formatProblem = UNREADABLE_MESSAGES[problem.kind] as (problem: ObjectProblem) => string;
  const path = truncatePath(place);
  return `${path || 'the map of props'} ${formatProblem(problem)}; write plain data: a string, number, boolean, list or map`;
}

/** Props that cannot change or throw any more: every getter and Proxy in them has been asked once. */
export type ReadProps<T> =
  | {
      readonly props: T;
      /** Are they free of instances of classes, functions and other values that no file holds? */
      readonly isPlain: boolean;
      readonly unreadable?: undefined;
    }
  | { readonly props?: undefined; readonly unreadable: string };

/** Reads props, instances of classes apart, which are for the adapter to judge. */
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
 * The same of a value that no construct stands behind: what it was made by stands in front.
 *
 * @throws Error for what cannot be read
 */
export function readPropsOf<T>(maker: string, value: T): T {
  const read = readProps(value);
  if (read.unreadable !== undefined) throw new Error(`${maker}: ${read.unreadable}`);
  return read.props;
}

/**
 * The same of what has to be a map.
 *
 * @throws Error for anything else
 */
export function readPropsMapOf<T>(maker: string, value: T): T {
  const read = readPropsOf(maker, value);
  if (!isFields(read)) throw new Error(`${maker}: ${describeValue(read)} is given; write a map`);
  return read;
}
