import { appendLazily, resolveLazyPath } from '../core/manifest/field-path';
import type { LazyFieldPath } from '../core/manifest/field-path';
import { describeValue } from '../core/text/display-value';
import { getOwnValue, isClassInstance, isFields } from '../core/manifest/manifest';
import type { FieldSchema, FieldSchemas } from '../core/values/schema';
import { allowTexts } from '../core/values/value-limit';
import type { AllowedValues } from '../core/values/value-limit';
import { TEXT_FORMATS } from '../workloads/pod/validation/formats';
import type { FormatName } from '../workloads/pod/validation/formats';

/** Props of each map that are limited or required, or that contain such props, cached because an app may have thousands of constructs of one class. */
const LIMITED_PROPS_CACHE = new WeakMap<FieldSchemas, ReadonlyMap<string, FieldSchema>>();

function findLimitedProps(fields: FieldSchemas): ReadonlyMap<string, FieldSchema> {
  const cached = LIMITED_PROPS_CACHE.get(fields);
  if (cached !== undefined) return cached;
  const isLimited = ({ limit, required, fields: below }: FieldSchema) =>
    limit !== undefined || required !== undefined || (below !== undefined && findLimitedProps(below).size > 0);
  const result = new Map(Object.entries(fields).filter(([, schema]) => isLimited(schema)));
  LIMITED_PROPS_CACHE.set(fields, result);
  return result;
}

function addValuesOutside(lines: string[], value: unknown, { limit, fields }: FieldSchema, location: LazyFieldPath): void {
  // A token is only known at synth, and null counts as omitted.
  if (value === undefined || value === null || isClassInstance(value)) return;
  if (limit && !limit.allows(value)) {
    lines.push(`${resolveLazyPath(location)} is ${describeValue(value)}, ${limit.why}; write ${limit.expected}`);
  }
  if (!fields) return;
  if (Array.isArray(value)) value.forEach((item, index) => addPropsOutside(lines, item, fields, appendLazily(location, index)));
  else addPropsOutside(lines, value, fields, location);
}

function addPropsOutside(lines: string[], props: unknown, fields: FieldSchemas, location: LazyFieldPath): void {
  if (!isFields(props) || isClassInstance(props)) return;
  for (const [name, schema] of findLimitedProps(fields)) {
    const value = getOwnValue(props, name);
    const path = appendLazily(location, name);
    if (schema.required !== undefined && value === undefined) {
      lines.push(`${resolveLazyPath(path)} is ${describeValue(value)}; write ${schema.required}`);
    } else addValuesOutside(lines, value, schema, path);
  }
}

/** Finds props with a value that no controller follows, although its type is right, and required props that are missing. Returns one line each. */
export function findValuesOutsideLimits(props: unknown, fields: FieldSchemas, location: LazyFieldPath): string[] {
  const lines: string[] = [];
  addPropsOutside(lines, props, fields, location);
  return lines;
}

/** Allows the texts of a format, such as the name of a namespace. */
export function allowFormat(
  name: FormatName,
  { maxLength = TEXT_FORMATS[name].maxLength ?? Infinity, allowsEmpty = false } = {},
): AllowedValues {
  const { matches, description, example } = TEXT_FORMATS[name];
  const isAllowed = (text: string) => (allowsEmpty && text === '') || (text.length <= maxLength && matches(text));
  return allowTexts(isAllowed, `${description}, such as ${example}`);
}
