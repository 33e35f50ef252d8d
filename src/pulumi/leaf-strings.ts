import type { Input } from '@pulumi/pulumi';
import { fieldPathParts, isFields, isInstance, valueAt } from '../core/manifest';

/** Fields, wherever they stand in a pod, whose text decides nothing about a rollout, so that it may become known during the update. */
const LEAF_FIELDS = [
  'image',
  'storageUri',
  'serviceAccountName',
  'priorityClassName',
  'runtimeClassName',
  'schedulerName',
  'secretName',
  'claimName',
] as const;

/** Lists of which every item is such text. */
const LEAF_LISTS: readonly string[] = ['command', 'args'];

/** Maps of which `name` and `key` are such text. */
const REFERENCES: readonly string[] = ['secretKeyRef', 'configMapKeyRef', 'secretRef', 'configMapRef'];

type LeafField = (typeof LEAF_FIELDS)[number];

/**
 * The same props, with `pulumi.Input<string>` where the text decides nothing: images, storage URIs, names of secrets and the like.
 *
 * `value` of an `env` item, the items of `command` and `args`, and `name` and `key` of references to Secrets and ConfigMaps may be Inputs
 * as well, where the props leave them open.
 */
export type WithInputs<T> = T extends readonly (infer Item)[]
  ? readonly WithInputs<Item>[]
  : T extends object
    ? { readonly [Field in keyof T]: Field extends LeafField ? Input<string> | Extract<T[Field], undefined> : WithInputs<T[Field]> }
    : T;

/** Characters of Unicode's private use area, which no name, image or URI holds, around the number of an Input. */
const PLACEHOLDER = /^\uE000(\d+)\uE001$/;

/** Props with a placeholder for every Input, and the way back. */
export interface OpaqueProps<T> {
  /** Plain data, as the core takes it. */
  readonly props: T;
  /** Why the props can't be used: an Output where structure is wanted, one line each. */
  readonly refusals: readonly string[];
  /** Puts the Inputs into what the core has made of the props. */
  readonly restore: <Made>(made: Made) => Made;
}

/**
 * Takes the Outputs and promises out of props, so that the core, which is synchronous, sees nothing but plain data.
 *
 * Each stands where `isLeafString` says, or is refused by the name of its prop: what decides about the rollout and about which objects
 * there are must be known at preview.
 */
export function opaqueProps<T>(props: WithInputs<T>): OpaqueProps<T> {
  const inputs: unknown[] = [];
  const refusals: string[] = [];
  const visit = (value: unknown, path: string): unknown => {
    if (isLater(value)) {
      if (!isLeafString(path)) {
        refusals.push(refusalOf(value, path));
        return undefined;
      }
      inputs.push(value);
      return `\uE000${inputs.length - 1}\uE001`;
    }
    if (Array.isArray(value)) return value.map((item, index) => visit(item, `${path}[${index}]`));
    if (isInstance(value) || typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') {
      const kind = isFields(value) ? 'an instance of a class' : `a ${typeof value}`;
      refusals.push(`${path} is ${kind}; write plain data: a string, number, boolean, list or map.`);
      return undefined;
    }
    if (!isFields(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, visit(inner, childPath(path, field))]));
  };
  const plain = visit(props, '') as T;
  return { props: plain, refusals, restore: (made) => restored(made, inputs) as typeof made };
}

/** A field below a path, as messages name it: names with dots in brackets. */
function childPath(path: string, field: string): string {
  if (path === '') return field;
  return field.includes('.') ? `${path}[${field}]` : `${path}.${field}`;
}

/** Is the value known only while Pulumi runs: an Output (by the mark that Pulumi itself goes by), or a promise? */
function isLater(value: unknown): boolean {
  return isOutput(value) || (typeof value === 'object' && value !== null && typeof valueAt(value, 'then') === 'function');
}

function isOutput(value: unknown): boolean {
  return valueAt(value, '__pulumiOutput') === true;
}

function refusalOf(value: unknown, path: string): string {
  const kind = isOutput(value) ? 'a Pulumi Output' : 'a promise';
  if (path === '') return `the props are ${kind}; write a map.`;
  return (
    `${path} is ${kind}, whose value is not known at preview, and this prop decides about the rollout: write the plain value, from the ` +
    `program or from pulumi.Config (config.requireNumber('…')). Outputs may stand in image, storageUri, env values and the like.`
  );
}

/** May an Output stand at this path? A Serve config is one text that is written before anything is known, so nothing in it may be one. */
function isLeafString(path: string): boolean {
  const parts = fieldPathParts(path);
  if (parts.includes('serveConfig')) return false;
  const [field, holder, list] = [parts.at(-1), String(parts.at(-2)), parts.at(-3)];
  if (typeof field === 'number') return LEAF_LISTS.includes(holder);
  if (LEAF_FIELDS.some((leaf) => leaf === field)) return true;
  if (REFERENCES.includes(holder) && (field === 'name' || field === 'key')) return true;
  return list === 'env' && field === 'value';
}

function restored(made: unknown, inputs: readonly unknown[]): unknown {
  if (typeof made === 'string') {
    const number = PLACEHOLDER.exec(made)?.[1];
    return number === undefined ? made : inputs[Number(number)];
  }
  if (Array.isArray(made)) return made.map((item) => restored(item, inputs));
  if (!isFields(made)) return made;
  return Object.fromEntries(Object.entries(made).map(([field, inner]) => [field, restored(inner, inputs)]));
}
