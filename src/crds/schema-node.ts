import { isFields } from '../core/manifest/manifest';
import type { Fields } from '../core/manifest/manifest';

/** A CEL rule of a CRD. */
export interface CelRule {
  readonly rule: string;
  /** @default - the message contains the rule itself */
  readonly message?: string;
  readonly messageExpression?: string;
  /** Type of the error; `FieldValueInvalid` if none is given. */
  readonly reason?: string;
  /** Path at which the error is reported, relative to the value that has the rule. @default - that value */
  readonly fieldPath?: string;
  /** Whether it is evaluated if there is no old object. */
  readonly optionalOldSelf?: boolean;
}

/** A schema of a CRD, in the form of `apiextensions.k8s.io/v1`. */
export interface SchemaNode extends Fields {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly required?: readonly (string | null)[];
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

/** Returns the schema of the values of a map whose keys are data. */
export function valueSchemaOf({ additionalProperties }: SchemaNode): SchemaNode | undefined {
  return isFields(additionalProperties) ? additionalProperties : undefined;
}

/** Returns the schema of one field of a map. */
export function fieldSchemaOf(schema: SchemaNode, name: string): SchemaNode | undefined {
  const { properties } = schema;
  return properties && Object.hasOwn(properties, name) ? properties[name] : valueSchemaOf(schema);
}

/** Returns the schemas directly below a node. */
export function listChildSchemas(schema: SchemaNode): SchemaNode[] {
  const values = valueSchemaOf(schema);
  return [...Object.values(schema.properties ?? {}), ...(values ? [values] : []), ...(schema.items ? [schema.items] : [])];
}
