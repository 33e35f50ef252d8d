import type { AnySchemaObject, default as Ajv, ErrorObject, ValidateFunction } from 'ajv/dist/2020';
import { ROOT_PATH, appendToPath } from '../manifest/field-path';
import { getFieldsAt, isFields } from '../manifest/manifest';
import { describeValue } from '../text/display-value';

/** A schema of draft 2020-12. */
export type JsonSchema = AnySchemaObject;

const TYPE_DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ['object', 'a map'],
  ['array', 'a list'],
  ['string', 'a string'],
  ['boolean', 'true or false'],
  ['integer', 'a whole number'],
  ['number', 'a number'],
  ['null', 'null'],
]);

/** Returns a schema that allows fields that it does not list, as a later version may write. */
function allowOtherFields(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema, (_, value: unknown) => (value === false ? undefined : value))) as JsonSchema;
}

/** Reports whether a value was meant for another alternative: one of the constants of this one differs. */
function isOfOtherKind({ keyword, parentSchema, data }: ErrorObject): boolean {
  if (keyword === 'const') return true;
  const properties = getFieldsAt(parentSchema, 'properties');
  return (
    isFields(data) && Object.entries(properties).some(([name, inner]) => isFields(inner) && 'const' in inner && inner.const !== data[name])
  );
}

/** Returns the error to show: that of the alternative that the value was meant for, and of its innermost part. */
function pickError(errors: readonly ErrorObject[]): ErrorObject {
  const single = errors.filter(({ keyword }) => keyword !== 'oneOf' && keyword !== 'anyOf');
  const meant = single.filter((error) => !isOfOtherKind(error));
  return (meant.length > 0 ? meant : single).reduce((inner, error) =>
    error.instancePath.length > inner.instancePath.length ? error : inner,
  );
}

function describeError({ keyword, params, data, schema }: ErrorObject): string {
  if (keyword === 'required') return `has no ${(params as { readonly missingProperty: string }).missingProperty}`;
  if (keyword !== 'type') return `is ${describeValue(data)}, and its ${keyword} is ${JSON.stringify(schema)}`;
  const types = [schema as string | readonly string[]].flat();
  return `is ${describeValue(data)}, which is not ${types.map((type) => TYPE_DESCRIPTIONS.get(type)).join(' or ')}`;
}

/** Formats a JSON pointer as a field path: `/rollouts/0/labels/a.b` is `rollouts[0].labels[a.b]`. */
function formatPointer(pointer: string): string {
  const names = pointer.split('/').slice(1);
  return names.reduce(
    (path, name) => appendToPath(path, /^\d+$/.test(name) ? Number(name) : name.replaceAll('~1', '/').replaceAll('~0', '~')),
    ROOT_PATH,
  );
}

const validators = new WeakMap<JsonSchema, ValidateFunction>();

/** Compiles a schema once. Few runs read a document. */
function getValidator(schema: JsonSchema): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  const { Ajv2020 } = require('ajv/dist/2020') as { readonly Ajv2020: typeof Ajv };
  const ajv = new Ajv2020({ strict: false, validateSchema: false, verbose: true, ownProperties: true });
  const validator = ajv.compile(allowOtherFields(schema));
  validators.set(schema, validator);
  return validator;
}

/**
 * Describes the first value of a document that does not match its schema: `rollouts[0].simulation.waves is "x", which is not a list`.
 * Fields that the schema does not list are ignored.
 */
export function findDocumentProblem(document: unknown, schema: JsonSchema): string | undefined {
  const validate = getValidator(schema);
  if (validate(document)) return undefined;
  const error = pickError(validate.errors!);
  return `${formatPointer(error.instancePath) || 'it'} ${describeError(error)}`;
}
