import { isFields } from '../core/manifest';
import type { Fields } from '../core/manifest';

/** A CEL rule as a CRD has it. */
export interface CelRule {
  readonly rule: string;
  /** @default - the rule itself is named */
  readonly message?: string;
  readonly messageExpression?: string;
  /** `FieldValueInvalid` where none is written. */
  readonly reason?: string;
  /** Where the fault is told, below the value that the rule is of. @default - at that value */
  readonly fieldPath?: string;
  /** Is it evaluated where there was no object before? */
  readonly optionalOldSelf?: boolean;
}

/** A schema of a CRD, as `apiextensions.k8s.io/v1` writes it. */
export interface SchemaNode extends Fields {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly not?: SchemaNode;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-validations'?: readonly CelRule[];
}

/** The schema of the values of a map whose keys are data. */
export function valueSchemaOf({ additionalProperties }: SchemaNode): SchemaNode | undefined {
  return isFields(additionalProperties) ? additionalProperties : undefined;
}

/** The schema of one field of a map. */
export function fieldSchemaOf(schema: SchemaNode, name: string): SchemaNode | undefined {
  const { properties } = schema;
  return properties && Object.hasOwn(properties, name) ? properties[name] : valueSchemaOf(schema);
}

/** The schemas that a node leads to, for whoever walks all of it. */
export function listChildSchemas(schema: SchemaNode): SchemaNode[] {
  const values = valueSchemaOf(schema);
  return [...Object.values(schema.properties ?? {}), ...(values ? [values] : []), ...(schema.items ? [schema.items] : [])];
}
