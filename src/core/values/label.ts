const MAX_NAME_LENGTH = 63;
const MAX_PREFIX_LENGTH = 253;
const NAME_PATTERN = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
/** Each part of a prefix between dots. */
const PREFIX_PART_PATTERN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

/**
 * Reports whether a text is the key of a label: a name, or `example.com/name`. Source: apimachinery v0.35.0 util/validation,
 * IsQualifiedName.
 */
export function isLabelKey(key: string): boolean {
  const parts = key.split('/');
  const name = parts.at(-1)!;
  if (parts.length > 2 || name.length > MAX_NAME_LENGTH || !NAME_PATTERN.test(name)) return false;
  const [prefix] = parts;
  return parts.length === 1 || (prefix!.length <= MAX_PREFIX_LENGTH && prefix!.split('.').every((part) => PREFIX_PART_PATTERN.test(part)));
}

/** Reports whether a text is the value of a label, which may be empty. Source: apimachinery v0.35.0 util/validation, IsValidLabelValue. */
export function isLabelValue(value: string): boolean {
  return value === '' || (value.length <= MAX_NAME_LENGTH && NAME_PATTERN.test(value));
}
