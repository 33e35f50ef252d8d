import { getFieldsAt, getValueAt, isFields } from '../core/manifest/manifest';

/** Internal fields of the Kubernetes provider: `__fieldManager`, `__initialApiVersion`. */
const PROVIDER_FIELD = /^__/;

/** Reports whether an error is that of reading a value that is not known yet. @pulumi/policy does not export its class. */
export function isUnknownValueError(failure: unknown): boolean {
  return (failure as Error).constructor.name === 'UnknownValueError';
}

/** Reads a field. Undefined if reading throws because the value is not known yet. */
function readResolvedField(parent: object, field: string | number): unknown {
  try {
    return pickResolvedValues((parent as Record<string | number, unknown>)[field]);
  } catch (failure) {
    if (isUnknownValueError(failure)) return undefined;
    throw failure;
  }
}

/** Returns the object without unknown values and without internal fields of the provider. */
export function pickResolvedValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((_, index) => readResolvedField(value, index)).filter((item) => item !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.keys(value).filter((field) => !PROVIDER_FIELD.test(field));
  return Object.fromEntries(fields.map((field) => [field, readResolvedField(value, field)]).filter(([, inner]) => inner !== undefined));
}

/**
 * Reports whether a resource is a patch of an object that something else creates: `kubernetes:apps/v1:DeploymentPatch`.
 *
 * A kind of a custom resource may end with `Patch` too. Source: pulumi-kubernetes 4.32.0 provider/pkg/kinds/util.go `IsPatchResource`.
 */
export function isPatchType(type: string, { kind }: { readonly kind: string }): boolean {
  return type.endsWith(`:${kind}Patch`);
}

/** Completes an object whose name Pulumi generates with the name of the resource, which the generated name begins with. */
export function withResourceName(object: unknown, name: string | undefined): unknown {
  if (!isFields(object) || name === undefined || getValueAt(object, 'metadata', 'name') !== undefined) return object;
  return { ...object, metadata: { ...getFieldsAt(object, 'metadata'), name } };
}
