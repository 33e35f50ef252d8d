import { ROOT_PATH, parseFieldPath } from '../core/manifest/field-path';
import type { PathPart } from '../core/manifest/field-path';
import type { Manifest } from '../core/manifest/manifest';
import { containsSecretHolder } from '../core/manifest/secret-holder';
import { getValueAtVersion } from '../core/values/versions';
import { RATCHETING_BY_VERSION, SchemaRuleEvaluator } from './cel-rules';
import { CorrelatedValue } from './correlation';
import type { UnevaluatedRule } from './rules/rule-not-evaluated';
import { applySchemaDefaults } from './defaulting';
import type { CrdRegistry } from './crd-registry';
import { isListTypeError, redactFieldError } from './field-error';
import type { FieldError } from './field-error';
import type { SchemaNode } from './schema-node';
import { validateStructure } from './structural-validator';
import type { PatternCache } from './structural-validator';
import type { ValidationClock } from './validation-clock';
import { pruneUnknownFields, findUnknownFields } from './unknown-fields';
import type { UnknownField } from './unknown-fields';

/** What the API server reports for an object by its CRD. */
export interface CrdValidationResult {
  readonly crd: string;
  readonly fieldErrors: readonly FieldError[];
  readonly unknownFields: readonly UnknownField[];
}

/**
 * Errors after which the server does not evaluate the CEL rules. Source: apiextensions-apiserver v0.34 customresource/strategy.go,
 * `hasBlockingErr`.
 */
const BLOCKING_ERROR_TYPES: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** Validates objects against the CRDs that define their kinds. */
export class CrdValidator {
  private readonly rules = new Map<SchemaNode, SchemaRuleEvaluator>();
  private readonly patterns: PatternCache = new Map();

  private readonly hasRatcheting: boolean;

  /** @param clock - time budget. @default - no time limit */
  constructor(
    private readonly definitions: CrdRegistry,
    private readonly clock?: ValidationClock,
  ) {
    this.hasRatcheting = getValueAtVersion(RATCHETING_BY_VERSION, definitions.kubernetesVersion);
  }

  private getRules(schema: SchemaNode): SchemaRuleEvaluator {
    const { kubernetesVersion, areAccepted } = this.definitions;
    const rules = this.rules.get(schema) ?? new SchemaRuleEvaluator(schema, kubernetesVersion, this.clock, areAccepted);
    this.rules.set(schema, rules);
    return rules;
  }

  /**
   * Returns the rules of an object's CRD that are not evaluated. If the old object is not known, they include the rules that compare with
   * it.
   */
  listUnevaluatedRules(object: Manifest, isOldKnown = false): readonly UnevaluatedRule[] {
    const schema = this.definitions.get(object)?.schema;
    if (!schema) return [];
    const { unevaluated, transitions } = this.getRules(schema);
    return isOldKnown ? unevaluated : [...unevaluated, ...transitions];
  }

  /**
   * Validates an object; undefined if no CRD defines its kind in its version.
   *
   * @param old - the existing object that is updated: what was already invalid passes if it is unchanged. @default - the object is new
   * @throws ValidationLimitError if it exceeds a limit
   */
  validate(object: Manifest, old?: Manifest): CrdValidationResult | undefined {
    const defined = this.definitions.get(object);
    if (!defined?.served) return undefined;
    const { crd, schema } = defined;
    if (!schema) return { crd, fieldErrors: [], unknownFields: [] };
    this.clock?.beginObject();
    const stored = toStoredObject(object, schema, this.clock);
    const oldStored = old && toStoredObject(old, schema, this.clock);
    const schemaErrors = this.validateSchema(stored, schema, oldStored);
    const isBlocked = schemaErrors.some(({ type }) => BLOCKING_ERROR_TYPES.has(type));
    const fieldErrors = isBlocked
      ? schemaErrors
      : [...schemaErrors, ...this.getRules(schema).evaluate(stored, schema, ROOT_PATH, oldStored)];
    const isSecret = fieldErrors.length > 0 && (containsSecretHolder(object) || containsSecretHolder(old));
    return {
      crd,
      fieldErrors: isSecret ? fieldErrors.map(redactFieldError) : fieldErrors,
      unknownFields: findUnknownFields(object, schema, ROOT_PATH, true),
    };
  }

  /**
   * Validates the structure of an object. Source of what passes on an update: apiextensions-apiserver v0.34 customresource/strategy.go,
   * `ValidateUpdate`.
   */
  private validateSchema(stored: unknown, schema: SchemaNode, oldStored: unknown): FieldError[] {
    const fieldErrors = validateStructure(stored, schema, ROOT_PATH, this.patterns, this.clock);
    if (oldStored === undefined || fieldErrors.length === 0) return fieldErrors;
    const hadListTypeError = validateStructure(oldStored, schema, ROOT_PATH, this.patterns, this.clock).some(isListTypeError);
    const root = new CorrelatedValue(stored, oldStored, schema);
    return fieldErrors.filter((fieldError) =>
      isListTypeError(fieldError) ? !hadListTypeError : !this.hasRatcheting || !root.isUnchangedAt(getOwnerParts(fieldError)),
    );
  }
}

function toStoredObject(object: Manifest, schema: SchemaNode, clock: ValidationClock | undefined): unknown {
  return applySchemaDefaults(pruneUnknownFields(object, schema, true), schema, clock);
}

/** Returns the parts of the path of the value that an error belongs to. A missing field is an error of the map that lacks it. */
function getOwnerParts({ path, constraint }: FieldError): readonly PathPart[] {
  const parts = parseFieldPath(path);
  return constraint.kind === 'required' ? parts.slice(0, -1) : parts;
}
