import type { FieldSchema, FieldSchemas } from '../../core/values/schema';

/** Types of quantities, and those that the definition of a custom resource has instead. */
const WHOLE_TYPES: Readonly<Partial<Record<FieldSchema['type'], FieldSchema['type']>>> = {
  quantity: 'whole-quantity',
  'quantity-map': 'whole-quantity-map',
};

/**
 * Returns a schema that takes quantities as the definition of a custom resource does: as `anyOf` integer and string, so that the API server
 * refuses 1.5. In pods it accepts 1.5.
 *
 * Source: controller-gen, which writes `x-kubernetes-int-or-string` for `resource.Quantity`; the CRD of KubeRay v1.7.0.
 */
export function requireWholeQuantities<Schema extends FieldSchema>(schema: Schema): Schema {
  const type = WHOLE_TYPES[schema.type] ?? schema.type;
  return { ...schema, type, ...(schema.fields && { fields: mapFields(schema.fields, requireWholeQuantities) }) };
}

function mapFields(fields: FieldSchemas, map: (schema: FieldSchema) => FieldSchema): FieldSchemas {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, map(schema)]));
}

/**
 * Returns the types of pod fields in a custom resource. Its definition has the fields of one version of Kubernetes, which is not known.
 * So a field that only some versions have is not checked, and any other field is allowed. An item of a list is never null.
 */
export function toCustomResourceFields(fields: FieldSchemas): FieldSchemas {
  const known = Object.entries(fields).filter(([, { since, until }]) => since === undefined && until === undefined);
  return mapFields(Object.fromEntries(known), ({ fields: below, type }) => ({
    type,
    ...(below && { fields: toCustomResourceFields(below) }),
  }));
}
