import { output } from '@pulumi/pulumi';
import type { Input } from '@pulumi/pulumi';
import { describeValue } from '../core/text/display-value';
import type { FieldPath } from '../core/manifest/field-path';
import { parseFieldPath } from '../core/manifest/field-path';
import { allowTexts } from '../core/values/value-limit';
import type { AllowedValues } from '../core/values/value-limit';
import { allowFormat } from '../props/value-limits';

const NAMES = allowFormat('dns-subdomain', { allowsEmpty: true });

/** Formats of the texts that may become known later, by field. */
const FIELD_FORMATS: Readonly<Record<string, AllowedValues>> = {
  namespace: allowFormat('dns-label', { allowsEmpty: true }),
  image: allowTexts((text) => text !== '' && !text.endsWith(':undefined'), 'an image'),
  serviceAccountName: NAMES,
  priorityClassName: NAMES,
  runtimeClassName: NAMES,
  secretName: NAMES,
  claimName: NAMES,
};

const LABELS = allowFormat('label-value');

/** Maps whose values are labels. */
const LABEL_MAPS: readonly string[] = ['labels', 'matchLabels', 'namespaceLabels'];

function findFormat(path: FieldPath): AllowedValues | undefined {
  const parts = parseFieldPath(path);
  const [field, parent] = [String(parts.at(-1)), String(parts.at(-2))];
  if (LABEL_MAPS.includes(parent)) return LABELS;
  return Object.hasOwn(FIELD_FORMATS, field) ? FIELD_FORMATS[field] : undefined;
}

/**
 * Returns an Input that fails as soon as its value is known and the API server would refuse it, or the Input itself if any text is valid.
 *
 * @param paths props that have this Input
 * @param createError creates the error of the component
 */
export function verifyLater(input: unknown, paths: readonly FieldPath[], createError: (lines: readonly string[]) => Error): unknown {
  const formats = paths.flatMap((path) => {
    const format = findFormat(path);
    return format === undefined ? [] : [{ path, format }];
  });
  if (formats.length === 0) return input;
  return output(input as Input<string>).apply((value) => {
    const lines = formats
      .filter(({ format }) => !format.allows(value))
      .map(({ path, format }) => `${path} became ${describeValue(value)}, which the API server refuses; write ${format.expected}`);
    if (lines.length > 0) throw createError(lines);
    return value;
  });
}
