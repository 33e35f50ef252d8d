import type { Input } from '@pulumi/pulumi';
import { childPath, fieldPathParts } from '../core/field-path';
import { isFields } from '../core/manifest';
import { notPlain } from '../props/usable-props';
import type { NotPlain } from '../props/usable-props';

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

/**
 * The same props, with `pulumi.Input<string>` where the text decides nothing: images, storage URIs, names of secrets and the like.
 *
 * `value` of an `env` item, the items of `command` and `args`, and `name` and `key` of references to Secrets and ConfigMaps may be Inputs
 * as well, where the props leave them open.
 */
export type WithInputs<T> = T extends readonly (infer Item)[]
  ? readonly WithInputs<Item>[]
  : T extends object
    ? {
        readonly [Field in keyof T]: Field extends (typeof LEAF_FIELDS)[number]
          ? Input<string> | Extract<T[Field], undefined>
          : WithInputs<T[Field]>;
      }
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
    const kind = notPlain(value);
    if (isLater(kind) && isLeafString(path)) {
      inputs.push(value);
      return `\uE000${inputs.length - 1}\uE001`;
    }
    if (kind !== undefined) {
      refusals.push(refusalOf(kind, path));
      return undefined;
    }
    if (Array.isArray(value)) return value.map((item, index) => visit(item, childPath(path, index)));
    if (!isFields(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, visit(inner, childPath(path, field))]));
  };
  const plain = visit(props, '') as T;
  return { props: plain, refusals, restore: (made) => restored(made, inputs) as typeof made };
}

const KINDS: Readonly<Record<NotPlain, string>> = {
  output: 'a Pulumi Output',
  promise: 'a promise',
  instance: 'an instance of a class',
  function: 'a function',
  symbol: 'a symbol',
  bigint: 'a bigint',
};

/** Is the value known only while Pulumi runs? */
function isLater(kind: NotPlain | undefined): boolean {
  return kind === 'output' || kind === 'promise';
}

function refusalOf(kind: NotPlain, path: string): string {
  if (path === '') return `the props are ${KINDS[kind]}; write a map`;
  if (!isLater(kind)) return `${path} is ${KINDS[kind]}; write plain data: a string, number, boolean, list or map`;
  return (
    `${path} is ${KINDS[kind]}, whose value is not known at preview, and this prop decides about the rollout: write the plain value, from the ` +
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
