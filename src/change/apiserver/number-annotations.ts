import { appendMapKey } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { annotationOf, getOwnValue } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';

/** Annotations that the API server converts to a number. Source: k/k pkg/apis/apps/v1/conversion.go. */
const NUMBER_ANNOTATIONS: Readonly<Record<string, string>> = {
  'apps/v1/DaemonSet': 'deprecated.daemonset.template.generation',
  'apps/v1/Deployment': 'deprecated.deployment.rollback.to',
};

/** Reports whether Go's `ParseInt` reads a text as a number of 64 bits. */
function isInt64(text: string): boolean {
  return /^[+-]?\d{1,400}$/.test(text) && BigInt.asIntN(64, BigInt(text.replace('+', ''))) === BigInt(text.replace('+', ''));
}

/** Returns the annotation that the API server cannot convert to a number, with its error. */
export function findInvalidNumber({
  apiVersion,
  kind,
  ...object
}: Manifest): { readonly path: FieldPath; readonly message: string } | undefined {
  const name = getOwnValue(NUMBER_ANNOTATIONS, `${apiVersion}/${kind}`);
  const text = name === undefined ? undefined : annotationOf(object, name);
  if (name === undefined || text === undefined || isInt64(text) || (text === '' && kind === 'Deployment')) return undefined;
  const reason = /^[+-]?\d+$/.test(text) ? 'value out of range' : 'invalid syntax';
  const error = `strconv.ParseInt: parsing ${JSON.stringify(text)}: ${reason}`;
  const message = kind === 'Deployment' ? `failed to parse annotation[${name}]=${text} as int64: ${error}` : error;
  return { path: appendMapKey('metadata.annotations', name), message };
}
