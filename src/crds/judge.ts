import { WHOLE_OBJECT } from '../core/field-path';
import type { Manifest } from '../core/manifest';
import { SchemaRules } from './cel-rules';
import type { UnevaluatedRule } from './rules/rule-not-evaluated';
import { defaulted } from './defaulting';
import type { Definitions } from './definition';
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

  constructor(private readonly definitions: Definitions) {}

  private rulesOf(schema: SchemaNode): SchemaRules {
    const known = this.rules.get(schema) ?? new SchemaRules(schema);
    this.rules.set(schema, known);
    return known;
  }

  /** The rules of an object's CRD that are not evaluated. */
  unevaluated(object: Manifest): readonly UnevaluatedRule[] {
    const schema = this.definitions.of(object)?.schema;
    return schema ? this.rulesOf(schema).unevaluated : [];
  }

  /** Undefined for an object of a kind that no CRD defines in its version. */
  verdict(object: Manifest): Verdict | undefined {
    const defined = this.definitions.of(object);
    if (!defined?.served) return undefined;
    const { crd, schema } = defined;
    if (!schema) return { crd, faults: [], unknown: [] };
    const stored = defaulted(pruned(object, schema, true), schema);
    const faults = faultsOf(stored, schema, WHOLE_OBJECT, this.patterns);
    const isBlocked = faults.some(({ type }) => BLOCKING.has(type));
    return {
      crd,
      faults: isBlocked ? faults : [...faults, ...this.rulesOf(schema).faults(stored, schema, WHOLE_OBJECT)],
      unknown: unknownFields(object, schema, WHOLE_OBJECT, true),
    };
  }
}
