import * as pulumi from '@pulumi/pulumi';
import { getChildField, getItemField } from '../change/apiserver/field-set';
import { getStoredKind } from '../change/apiserver/kinds';
import { REDACTED_VALUE } from '../core/document/change';
import type { ObjectChange } from '../core/document/change';
import { appendToPath, parseFieldPath, ROOT_PATH } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import { LIST_ITEM_TYPES, MAP_ENTRY_TYPES } from '../core/values/field-type';
import { isFields, isManifest } from '../core/manifest/manifest';
import type { ApiField } from '../workloads/pod/field';
import { createOutputPlaceholder } from './opaque-outputs';

/** Represents a value that is only known during the update. */
const UNKNOWN_VALUE = Symbol('unknown');

/** The plain data that a hook passes, and which of its properties are secrets. */
export interface HookValue {
  readonly value: unknown;
  /** Top-level properties that contain a secret. The engine marks the entire property: one secret variable makes `spec` a secret. */
  readonly secretProperties: ReadonlySet<string>;
}

/** Reads the value of an Output, with its unknown parts. `apply` would never run at preview if one part is unknown. */
function readOutput(output: pulumi.Output<unknown>): Promise<unknown> {
  return (output as unknown as { promise(withUnknowns: boolean): Promise<unknown> }).promise(true);
}

async function toPlainData(value: unknown, reportSecret: () => void): Promise<unknown> {
  if (pulumi.isUnknown(value)) return UNKNOWN_VALUE;
  if (pulumi.Output.isInstance(value)) {
    reportSecret();
    return toPlainData(await readOutput(value), reportSecret);
  }
  if (Array.isArray(value)) return Promise.all(value.map((item) => toPlainData(item, reportSecret)));
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(async ([name, inner]) => [name, await toPlainData(inner, reportSecret)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** Reads what a hook passes. The engine passes secrets as Outputs, so a property with an Output is a secret. */
export async function readHookValue(properties: unknown): Promise<HookValue> {
  const secretProperties = new Set<string>();
  if (!isFields(properties)) return { value: properties, secretProperties };
  const entries = Object.entries(properties).map(
    async ([name, inner]) => [name, await toPlainData(inner, () => secretProperties.add(name))] as const,
  );
  return { value: Object.fromEntries(await Promise.all(entries)), secretProperties };
}

/** Reports whether a value contains one that is only known during the update. */
export function containsUnknown(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(containsUnknown);
  return value === UNKNOWN_VALUE || (isFields(value) && Object.values(value).some(containsUnknown));
}

/** What a value that is not known yet becomes: a text that differs from any other, if the field is a string, or the old value. */
export type UnknownFill = 'placeholder' | 'old';

/** Finds the old item of a list: the one of the same name, or at the same position if items have no names. */
function findOldItem(old: unknown, item: unknown, index: number): unknown {
  if (!Array.isArray(old)) return undefined;
  if (!isFields(item) || typeof item.name !== 'string') return old[index];
  return old.find((candidate: unknown) => isFields(candidate) && candidate.name === item.name);
}

/** An unknown value that is taken for the old one. */
export interface AssumedValue {
  readonly path: FieldPath;
  /** Whether there is no old one, so that the field is left out. */
  readonly isLeftOut: boolean;
}

/** Values of an object, with each unknown one filled. */
export interface FilledValues {
  readonly value: unknown;
  readonly assumed: readonly AssumedValue[];
}

/**
 * Fills the values that are only known during the update, so that none reads as removed.
 *
 * @param old - the old value at the same place
 */
export function fillUnknownValues(inputs: unknown, old: unknown, fill: UnknownFill): FilledValues {
  let count = 0;
  const assumed: AssumedValue[] = [];
  const visit = (value: unknown, former: unknown, field: ApiField | undefined, path: FieldPath): unknown => {
    if (value === UNKNOWN_VALUE) {
      const isText = field === undefined || field.type === 'any' ? typeof former === 'string' : field.type === 'string';
      if (fill === 'placeholder' && isText) return createOutputPlaceholder(count++);
      assumed.push({ path, isLeftOut: former === undefined });
      return former;
    }
    if (Array.isArray(value)) {
      const itemType = field && LIST_ITEM_TYPES[field.type];
      const itemField = itemType ? { type: itemType } : field && getItemField(field);
      return value.map((item, index) => visit(item, findOldItem(former, item, index), itemField, appendToPath(path, index)));
    }
    if (!isFields(value)) return value;
    const entries = Object.entries(value).map(([name, inner]) => {
      const entryType = field && MAP_ENTRY_TYPES[field.type];
      const child = entryType ? { type: entryType } : getChildField(field, name);
      return [name, visit(inner, isFields(former) ? former[name] : undefined, child, appendToPath(path, name))];
    });
    return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
  };
  const kind = isManifest(inputs) ? getStoredKind(inputs) : undefined;
  const value = visit(inputs, old, kind && { type: 'map', fields: kind.fields }, ROOT_PATH);
  return { value, assumed };
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(listTexts);
  return isFields(value) ? Object.values(value).flatMap(listTexts) : [];
}

/** Texts shorter than this are only redacted in quotes, since they occur within other words. */
const MIN_PLAIN_LENGTH = 4;

/** Redacts the values of secret properties in the change of one object. */
export class SecretRedactor {
  private readonly properties: ReadonlySet<string>;
  private readonly texts: readonly string[];

  /** @param sides both states of the object */
  constructor(sides: readonly HookValue[]) {
    this.properties = new Set(sides.flatMap(({ secretProperties }) => [...secretProperties]));
    const textsWhere = (isSecret: boolean) =>
      sides.flatMap(({ value }) =>
        Object.entries(isFields(value) ? value : {}).flatMap(([name, inner]) =>
          this.properties.has(name) === isSecret ? listTexts(inner) : [],
        ),
      );
    const shown = new Set(textsWhere(false));
    this.texts = [...new Set(textsWhere(true))].filter((text) => !shown.has(text)).toSorted((a, b) => b.length - a.length);
  }

  /** Redacts the values of fields, and the values in the message of a refusal. Names of fields are shown. */
  redact(change: ObjectChange): ObjectChange {
    if (this.properties.size === 0) return change;
    const { because, refusal } = change;
    return {
      ...change,
      because: because.map((field) => {
        if (!this.properties.has(String(parseFieldPath(field.path)[0]))) return field;
        return {
          path: field.path,
          ...(field.old !== undefined && { old: REDACTED_VALUE }),
          ...(field.new !== undefined && { new: REDACTED_VALUE }),
        };
      }),
      ...(refusal && { refusal: { ...refusal, message: this.redactText(refusal.message) } }),
    };
  }

  private redactText(message: string): string {
    const withoutValues = message.replace(/((?:Invalid|Unsupported|Duplicate) value): .*/s, `$1: ${REDACTED_VALUE}`);
    return this.texts.reduce((text, secret) => {
      const quoted = JSON.stringify(secret);
      const withoutQuoted = text.replaceAll(quoted, REDACTED_VALUE);
      if (secret.length < MIN_PLAIN_LENGTH) return withoutQuoted;
      // A message may quote more than the value, whose line breaks and quotes are escaped then.
      return withoutQuoted.replaceAll(secret, REDACTED_VALUE).replaceAll(quoted.slice(1, -1), REDACTED_VALUE);
    }, withoutValues);
  }
}
