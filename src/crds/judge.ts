import { WHOLE_OBJECT, fieldPath, fieldPathParts } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import type { Manifest } from '../core/manifest';
import { valueSince } from '../core/versions';
import { RATCHETS, SchemaRules } from './cel-rules';
import { isUnchanged } from './correlation';
import type { UnevaluatedRule } from './rules/rule-not-evaluated';
import { defaulted } from './defaulting';
import type { Definitions } from './definition';
import { breaksListType } from './fault';
import type { Fault } from './fault';
import type { SchemaNode } from './schema-node';
import { faultsOf } from './structural';
import type { Patterns } from './structural';
import { pruned, unknownFields } from './unknown-fields';
import type { UnknownField } from './unknown-fields';

/** What the API server says of an object by its CRD. */
export interface Verdict {
  readonly crd: string;
  readonly faults: readonly Fault[];
  readonly unknown: readonly UnknownField[];
}

/** Faults with which the server does not come to the CEL rules. Source: apiextensions-apiserver v0.34 customresource/strategy.go, `hasBlockingErr`. */
const BLOCKING: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** Objects held against the CRDs that define their kinds. */
export class CrdJudge {
  private readonly rules = new Map<SchemaNode, SchemaRules>();
  private readonly patterns: Patterns = new Map();

  private readonly ratchets: boolean;

  constructor(private readonly definitions: Definitions) {
    this.ratchets = valueSince(RATCHETS, definitions.kubernetesVersion);
  }

  private rulesOf(schema: SchemaNode): SchemaRules {
    const known = this.rules.get(schema) ?? new SchemaRules(schema, this.definitions.kubernetesVersion);
    this.rules.set(schema, known);
    return known;
  }

  /** The rules of an object's CRD that are not evaluated; where nobody knows what was there before, those that compare with it as well. */
  unevaluated(object: Manifest, isOldKnown = false): readonly UnevaluatedRule[] {
    const schema = this.definitions.of(object)?.schema;
    if (!schema) return [];
    const { unevaluated, transitions } = this.rulesOf(schema);
    return isOldKnown ? unevaluated : [...unevaluated, ...transitions];
  }

  /**
   * Undefined for an object of a kind that no CRD defines in its version.
   *
   * @param old - the object that is updated: what it broke already passes, where it stays as it was. @default - the object is new
   */
  verdict(object: Manifest, old?: Manifest): Verdict | undefined {
    const defined = this.definitions.of(object);
    if (!defined?.served) return undefined;
    const { crd, schema } = defined;
    if (!schema) return { crd, faults: [], unknown: [] };
    const stored = asStored(object, schema);
    const before = old && asStored(old, schema);
    const ofSchema = this.schemaFaults(stored, schema, before);
    const isBlocked = ofSchema.some(({ type }) => BLOCKING.has(type));
    return {
      crd,
      faults: isBlocked ? ofSchema : [...ofSchema, ...this.rulesOf(schema).faults(stored, schema, WHOLE_OBJECT, before)],
      unknown: unknownFields(object, schema, WHOLE_OBJECT, true),
    };
  }

  /** Source of what passes on an update: apiextensions-apiserver v0.34 customresource/strategy.go, `ValidateUpdate`. */
  private schemaFaults(stored: unknown, schema: SchemaNode, before: unknown): Fault[] {
    const faults = faultsOf(stored, schema, WHOLE_OBJECT, this.patterns);
    if (before === undefined || faults.length === 0) return faults;
    const brokeBefore = faultsOf(before, schema, WHOLE_OBJECT, this.patterns).some(breaksListType);
    return faults.filter((fault) =>
      breaksListType(fault) ? !brokeBefore : !this.ratchets || !isUnchanged(stored, before, schema, holderOf(fault)),
    );
  }
}

function asStored(object: Manifest, schema: SchemaNode): unknown {
  return defaulted(pruned(object, schema, true), schema);
}

/** What a fault is of: a field that is missing is a fault of the map that lacks it. */
function holderOf({ path, constraint }: Fault): FieldPath {
  return constraint.kind === 'required' ? fieldPath(...fieldPathParts(path).slice(0, -1)) : path;
}
