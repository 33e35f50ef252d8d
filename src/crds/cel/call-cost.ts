import type * as Cel from '@bufbuild/cel';
import type { CelValue } from '@bufbuild/cel';
import { unwrapKubernetesValue } from './kubernetes-value';

/*
 * Costs of function calls that depend on the length of texts, lists and maps. Source: apiserver v0.34 pkg/cel/library/cost.go `CallCost`,
 * cel-go v0.26 interpreter/runtimecost.go `costCall`, ext/sets.go `trackSetsCost`, ext/lists.go `trackAllocatingListCall`.
 */

/** Cost of one character of a text, and of one character of a regular expression. */
const TRAVERSAL = 0.1;
const PATTERN_LENGTH = 0.25;

/** Cost of a call that creates a list, without its items. */
const LIST_CREATION = 11;

/** Counts the characters of a text. A pair of surrogates is one. */
function countCharacters(text: string): number {
  const pairs = text.match(/[\ud800-\udbff]/g);
  return text.length - (pairs?.length ?? 0);
}

/** Functions that compute costs from the values of a call. A method's target is its first argument. */
type CallCost = (args: readonly CelValue[]) => number;

const numberOf = (value: CelValue | undefined) => (typeof value === 'bigint' ? Number(value) : 1);

function isText(value: CelValue | undefined): boolean {
  return typeof value === 'string' || value instanceof Uint8Array;
}

/** Creates the functions that measure the arguments of a call. */
function createMeasures(cel: typeof Cel) {
  /** Returns the size of a text, a list or a map; 1 for anything else. */
  function sizeOf(value: CelValue | undefined): number {
    if (typeof value === 'string') return countCharacters(value);
    if (value instanceof Uint8Array) return value.length;
    if (value === undefined || unwrapKubernetesValue(value)) return 1;
    return cel.isCelList(value) || cel.isCelMap(value) ? value.size : 1;
  }

  /** Returns the cost of visiting all parts of a value. */
  function traversalOf(value: CelValue): number {
    if (typeof value === 'string') return Math.floor(Buffer.byteLength(value) * TRAVERSAL);
    if (value instanceof Uint8Array) return Math.floor(value.length * TRAVERSAL);
    if (cel.isCelList(value)) return [...value].reduce((sum: number, item) => sum + traversalOf(item), 0);
    return 1;
  }

  function joinedSizeOf(list: CelValue | undefined, separator: CelValue | undefined): number {
    if (list === undefined || !cel.isCelList(list)) return 0;
    const texts = [...list].reduce((sum: number, item) => sum + (typeof item === 'string' ? countCharacters(item) : 0), 0);
    return texts + Math.max(0, list.size - 1) * (typeof separator === 'string' ? countCharacters(separator) : 0);
  }

  /** Returns the cost of comparing each item of a list with each other item. */
  function selfComparisonOf(list: CelValue | undefined): number {
    const [item] = list !== undefined && cel.isCelList(list) ? list : [];
    return LIST_CREATION + Math.floor(sizeOf(list) ** 2 * (isText(item) ? 2 + TRAVERSAL : 2));
  }

  return { sizeOf, traversalOf, joinedSizeOf, selfComparisonOf };
}

/** Creates the cost functions, by the name of the function. A call of any other function costs 1, whatever its arguments are. */
export function createCallCosts(cel: typeof Cel): ReadonlyMap<string, CallCost> {
  const { sizeOf, traversalOf, joinedSizeOf, selfComparisonOf } = createMeasures(cel);
  const compareSets: CallCost = ([one, other]) => 1 + sizeOf(one) * sizeOf(other);
  const traverse: CallCost = ([text]) => Math.ceil(sizeOf(text) * TRAVERSAL);
  const rewrite: CallCost = ([text]) => Math.ceil(sizeOf(text) * 2 * TRAVERSAL);
  const compare: CallCost = ([one, other]) => Math.ceil(Math.min(sizeOf(one), sizeOf(other)) * TRAVERSAL);
  const compareTexts: CallCost = (args) => (args.every(isText) ? compare(args) : 1);
  const visit: CallCost = ([value]) => (value === undefined ? 0 : traversalOf(value));
  const match: CallCost = ([text, pattern]) => Math.ceil((1 + sizeOf(text)) * TRAVERSAL) * Math.ceil(sizeOf(pattern) * PATTERN_LENGTH);
  const convert: CallCost = (args) => (isText(args[0]) ? traverse(args) : 1);

  const costs: readonly (readonly [CallCost, string])[] = [
    [
      traverse,
      'startsWith endsWith strings.quote format url lowerAscii upperAscii substring trim cidr isIP isCIDR ip quantity isQuantity semver isSemver',
    ],
    [rewrite, 'replace split ip.isCanonical'],
    [compare, '_==_ _!=_'],
    [compareTexts, '_<_ _<=_ _>_ _>=_'],
    [visit, 'isSorted sum__ max min indexOf lastIndexOf'],
    [match, 'matches find findAll'],
    [convert, 'bytes string'],
    [([text, part]) => Math.ceil(sizeOf(text) * TRAVERSAL) * Math.ceil(sizeOf(part) * TRAVERSAL), 'contains'],
    [([one, other]) => (isText(one) && isText(other) ? Math.ceil((sizeOf(one) + sizeOf(other)) * TRAVERSAL) : 1), '_+_'],
    [([, list]) => (list !== undefined && cel.isCelList(list) ? list.size : 1), '@in'],
    [compareSets, 'sets.contains sets.intersects'],
    [(args) => 2 * compareSets(args) - 1, 'sets.equivalent'],
    [([list]) => selfComparisonOf(list), 'distinct sort'],
    [([, keys]) => selfComparisonOf(keys), 'sorted__'],
    [([list]) => LIST_CREATION + sizeOf(list), 'reverse'],
    [([, from, to]) => LIST_CREATION + Math.max(0, numberOf(to) - numberOf(from)), 'slice'],
    [([list, depth]) => LIST_CREATION + Math.max(0, sizeOf(list) * numberOf(depth)), 'flatten'],
    [([count]) => LIST_CREATION + Math.max(0, numberOf(count)), 'lists.range'],
    [([list, separator]) => Math.ceil(joinedSizeOf(list, separator) * 2 * TRAVERSAL), 'join'],
  ];
  return new Map(costs.flatMap(([cost, names]) => names.split(' ').map((name) => [name, cost] as const)));
}
