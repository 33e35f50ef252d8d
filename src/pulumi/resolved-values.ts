/** What the Kubernetes provider adds to an object for itself: `__fieldManager`, `__initialApiVersion`. */
const PROVIDER_FIELD = /^__/;

/** A field as its holder gives it; undefined where reading it throws, since it is not known yet. */
function readResolvedField(parent: object, field: string | number): unknown {
  try {
    return pickResolvedValues((parent as Record<string | number, unknown>)[field]);
  } catch (failure) {
    // @pulumi/policy does not export the class of this error.
    if ((failure as Error).constructor.name === 'UnknownValueError') return undefined;
    throw failure;
  }
}

/** The object without what is not known yet, and without what the provider adds. */
export function pickResolvedValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((_, index) => readResolvedField(value, index)).filter((item) => item !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.keys(value).filter((field) => !PROVIDER_FIELD.test(field));
  return Object.fromEntries(fields.map((field) => [field, readResolvedField(value, field)]).filter(([, inner]) => inner !== undefined));
}
