import type { CelInput, CelResult } from '@bufbuild/cel';
import type * as Cel from '@bufbuild/cel';
import type * as CelExtensions from '@bufbuild/cel/ext';
import type * as Re2 from 're2js';
import { isDeepEqual } from '../core/collections/deep-equal';
import { appendToPath, parseFieldPath } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import { isFields, getOwnValue } from '../core/manifest/manifest';
import { toDisplayValue } from '../core/text/display-value';
import { truncateText } from '../core/text/text-format';
import { getValueAtVersion } from '../core/values/versions';
import { MacroExpander, collectVariableNames } from './cel/macro-expander';
import { createKubernetesFunctions } from './cel/kubernetes-functions';
import { MAX_PARSED_LENGTH } from './cel/libraries/parsed-length';
import { parseExpression } from './cel/parse-expression';
import { CostTracker, wrapMacrosWithCounter } from './cel/cost-budget';
import { countCompileTicks, countSearchTicks, exceedsPatternLimit } from './pattern-size';
import type { ValidationClock } from './validation-clock';
import { exceedsEstimate, ESTIMATED_COST_LIMIT } from './cel/cost-estimate';
import { exceedsDepth } from './cel/expression';
import { listVariableTypes } from './cel/expression-type';
import type { CostLimit } from './cel/cost-budget';
import { toCelValue } from './cel-value';
import type { TextReader } from './cel-value';
import { MAX_QUOTED_CHARACTERS } from './field-error';
import type { FieldError, FieldErrorType } from './field-error';
import type { UnevaluatedReason, UnevaluatedRule } from './rules/rule-not-evaluated';
import { findOldItems } from './correlation';
import { listChildSchemas, fieldSchemaOf } from './schema-node';
import type { CelRule, SchemaNode } from './schema-node';

type Evaluate = (bindings: { readonly self: CelInput; readonly oldSelf?: CelInput }) => CelResult;

/** CEL expressions that convert text to another type. */
const CONVERSIONS = { timestamp: 'timestamp(self)', duration: 'duration(self)' } as const;

interface CompiledRule {
  readonly definition: CelRule;
  readonly evaluate: Evaluate;
  readonly message?: Evaluate;
  /** Whether it compares with the old value. */
  readonly isTransition: boolean;
  /** Whether it is also evaluated if there is no old value. */
  readonly allowsMissingOld?: boolean;
}

/** An expression that is ready to be evaluated. */
type CompiledExpression = Pick<CompiledRule, 'evaluate' | 'isTransition'>;

interface CompiledNode {
  readonly rules: readonly CompiledRule[];
  /** Whether there is a rule here or below. */
  readonly hasRules: boolean;
  /** Results by the JSON of the value. Objects of one kind repeat most values, so most results come from this cache. */
  readonly resultCache: Map<string, { readonly violations: readonly RuleViolation[]; readonly steps: number }>;
}

/**
 * Whether an update may keep what was already invalid.
 *
 * Source: apiextensions-apiserver, feature CRDValidationRatcheting: on by default since 1.30.
 */
export const RATCHETING_BY_VERSION: readonly (readonly [string, boolean])[] = [
  ['0', false],
  ['1.30', true],
];

interface RuleViolation {
  readonly definition: CelRule;
  readonly message: string;
  /** Message of an error during evaluation. */
  readonly evaluationError?: string;
  /** Whether the rule compares with the old value. Ratcheting does not excuse such a violation. */
  readonly isTransition: boolean;
  /** Limit that was exceeded; present only for a rule at which the server stops. */
  readonly exceededLimit?: CostLimit;
}

const REASONS: ReadonlySet<string> = new Set(['FieldValueRequired', 'FieldValueInvalid', 'FieldValueForbidden', 'FieldValueDuplicate']);

/** Maximum depth of an expression after its macros are expanded. A macro with two variables adds three levels, and `sortBy` five. */
const MAX_EXPANDED_DEPTH = 1_000;

/** Errors of the JavaScript engine, whose limits are not those of the server. */
const ENGINE_LIMITS: ReadonlySet<string> = new Set([
  'Invalid array length',
  'Invalid string length',
  'Maximum BigInt size exceeded',
  'Maximum call stack size exceeded',
]);

/** Errors of the CEL library that begin like this quote errors of other programs. */
const CONVERSION_ERROR = /^Failed to parse (timestamp|duration): /;

/** Describes an error of an evaluation, without the words of other programs. */
function describeEvaluationError({ message }: Cel.CelError): string {
  const [, type] = CONVERSION_ERROR.exec(message) ?? [];
  return type === undefined ? message : `no ${type}`;
}

/** Maximum length of the JSON of a value whose results are cached. A value and those in it would be stored once for each level. */
const MAX_CACHED_LENGTH = 100_000;

/** Number of characters that are written as JSON in the time of a step. */
const CHARACTERS_PER_STEP = 100;

/** A value with its schema, its path and its old value. */
interface LocatedValue {
  readonly value: unknown;
  readonly schema: SchemaNode;
  readonly path: FieldPath;
  readonly old: unknown;
}

/** Lists the fields or items of a value that have a schema. */
function listValuesBelow({ value, schema, path, old }: LocatedValue): LocatedValue[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) return [];
    const oldItems = findOldItems(value, old, schema);
    return value.map((item: unknown, index) => ({ value: item, schema: items, path: appendToPath(path, index), old: oldItems[index] }));
  }
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const child = fieldSchemaOf(schema, name);
    const oldField = isFields(old) ? getOwnValue(old, name) : undefined;
    return child ? [{ value: field, schema: child, path: appendToPath(path, name), old: oldField }] : [];
  });
}

/** The CEL rules of a schema, compiled once. The evaluator is loaded only if there are rules. */
export class SchemaRuleEvaluator {
  readonly unevaluated: UnevaluatedRule[] = [];
  /** Rules that compare with the old object. The server does not evaluate them for an object that is created. */
  readonly transitions: UnevaluatedRule[] = [];
  private readonly nodes = new Map<SchemaNode, CompiledNode>();
  private readonly conversions = new Map<keyof typeof CONVERSIONS, Evaluate>();
  private readonly costTracker: CostTracker;
  private environment: { readonly cel: typeof Cel; readonly env: Cel.CelEnv; readonly expansion: MacroExpander } | undefined;
  private readonly hasRatcheting: boolean;

  /**
   * @param clock - time budget. @default - no time limit
   * @param isAccepted - whether the API server has accepted the schema, so that no rule costs too much. @default false
   */
  constructor(
    root: SchemaNode,
    private readonly kubernetesVersion: string,
    clock?: ValidationClock,
    private readonly isAccepted = false,
  ) {
    this.costTracker = new CostTracker(clock?.isLate);
    this.hasRatcheting = getValueAtVersion(RATCHETING_BY_VERSION, kubernetesVersion);
    this.addNodes(root);
  }

  /** Compiles the rules of a schema and of those below it. It does not call itself, since compiling a rule needs most of the stack. */
  private addNodes(root: SchemaNode): void {
    const schemas = [root];
    // The list grows while it is read.
    for (const schema of schemas) for (const child of listChildSchemas(schema)) schemas.push(child);
    for (const schema of schemas.toReversed()) {
      const rules = (schema['x-kubernetes-validations'] ?? []).flatMap((rule) => this.compileRule(rule, schema));
      const hasRules = rules.length > 0 || listChildSchemas(schema).some((child) => this.nodes.get(child)?.hasRules === true);
      this.nodes.set(schema, { rules, hasRules, resultCache: new Map() });
    }
  }

  private loadEnvironment(): { readonly cel: typeof Cel; readonly env: Cel.CelEnv; readonly expansion: MacroExpander } {
    if (!this.environment) {
      const cel = require('@bufbuild/cel') as typeof Cel;
      const re2 = require('re2js') as typeof Re2;
      const { strings } = require('@bufbuild/cel/ext') as typeof CelExtensions;
      const { tick, reserve, rejectPrecision, rejectPattern } = this.costTracker;
      const funcs = [
        ...strings,
        ...createKubernetesFunctions(cel, re2, { tick, reserve, rejectPrecision, rejectPattern }),
        this.costTracker.createStepFunction(cel),
      ];
      const compile = (pattern: string) => {
        if (pattern.length > MAX_PARSED_LENGTH) rejectPattern();
        const compiled = re2.RE2JS.compile(pattern);
        tick(countCompileTicks(compiled));
        const test = (text: string) => {
          if (exceedsPatternLimit(compiled, text)) rejectPattern();
          tick(countSearchTicks(compiled, text));
          return compiled.test(text);
        };
        return { test };
      };
      const env = this.costTracker.meterCalls(cel, cel.celEnv({ funcs, re2: { compile } }));
      this.environment = { cel, env, expansion: new MacroExpander(cel.parse) };
    }
    return this.environment;
  }

  private readonly readText: TextReader = (text, format) => {
    if (format === 'bytes') return Buffer.from(text, 'base64');
    const read = this.conversions.get(format) ?? (this.planExpression(CONVERSIONS[format]) as CompiledExpression).evaluate;
    this.conversions.set(format, read);
    const value = read({ self: text });
    // The text is not a valid timestamp or duration. That is an error of its format, not of a rule.
    return this.loadEnvironment().cel.isCelError(value) ? text : value;
  };

  private planExpression(expression: string, schema?: SchemaNode, allowsMissingOld = false): CompiledExpression | UnevaluatedReason {
    const parsed = parseExpression(expression, this.kubernetesVersion);
    if ('why' in parsed) return parsed;
    if (!this.isAccepted && exceedsEstimate(parsed, schema)) return { why: 'estimate', limit: ESTIMATED_COST_LIMIT };
    const { cel, env, expansion } = this.loadEnvironment();
    const optionals: ReadonlySet<string> = new Set(allowsMissingOld ? ['oldSelf'] : []);
    const expr = expansion.expandExpression(parsed, { optionals, types: listVariableTypes(schema) });
    if (exceedsDepth(expr, MAX_EXPANDED_DEPTH)) return { why: 'size' };
    return { evaluate: cel.plan(env, wrapMacrosWithCounter(expr)), isTransition: collectVariableNames(parsed).has('oldSelf') };
  }

  private compileRule(definition: CelRule, schema: SchemaNode): CompiledRule[] {
    const allowsMissingOld = definition.optionalOldSelf === true && this.hasRatcheting;
    const compiledExpression = this.planExpression(definition.rule, schema, allowsMissingOld);
    if ('why' in compiledExpression) {
      this.unevaluated.push({ rule: definition.rule, reason: compiledExpression });
      return [];
    }
    if (compiledExpression.isTransition && !allowsMissingOld)
      this.transitions.push({ rule: definition.rule, reason: { why: 'transition' } });
    const message =
      definition.messageExpression === undefined ? undefined : this.planExpression(definition.messageExpression, schema, allowsMissingOld);
    return [
      { definition, ...compiledExpression, allowsMissingOld, ...(message && 'evaluate' in message && { message: message.evaluate }) },
    ];
  }

  /**
   * Returns the violations of the rules of a schema, at the value itself or below.
   *
   * @param old - the old value, for rules that compare with it. @default - no old value, and these rules are not evaluated
   */
  evaluate(value: unknown, schema: SchemaNode, path: FieldPath, old?: unknown): FieldError[] {
    this.costTracker.beginObject();
    const errors: FieldError[] = [];
    // A list instead of calls within each other, since evaluating a rule needs most of the stack.
    const next: LocatedValue[] = [{ value, schema, path, old }];
    for (let located = next.pop(); located; located = next.pop()) {
      // Once a cost limit is exceeded, the server evaluates no further rule.
      if (this.costTracker.exceededLimit !== undefined) break;
      const node = this.nodes.get(located.schema);
      if (!node?.hasRules || located.value === null || located.value === undefined) continue;
      for (const error of this.evaluateNode(node, located)) errors.push(error);
      for (const below of listValuesBelow(located).toReversed()) next.push(below);
    }
    return errors;
  }

  private evaluateNode(node: CompiledNode, { value, schema, path, old }: LocatedValue): FieldError[] {
    // Ratcheting excuses what an unchanged value violates, unless the rule fails with an error or compares with the old value.
    const passes = this.hasRatcheting && old !== undefined && isDeepEqual(value, old);
    return this.findViolations(node, value, schema, old ?? undefined)
      .filter(({ evaluationError, isTransition }) => !passes || evaluationError !== undefined || isTransition)
      .map((violation) => toFieldError(violation, value, path));
  }

  private findViolations({ rules, resultCache }: CompiledNode, value: unknown, schema: SchemaNode, old: unknown): readonly RuleViolation[] {
    if (rules.length === 0) return [];
    const isChange = old !== undefined && rules.some(({ isTransition }) => isTransition);
    const key = JSON.stringify(isChange ? [value, old] : value);
    this.costTracker.addSteps(key.length / CHARACTERS_PER_STEP);
    const cached = resultCache.get(key);
    if (cached) {
      this.costTracker.addCachedCost(cached.steps);
      return this.costTracker.exceededLimit === undefined ? cached.violations : [createCostViolation(rules[0]!, 'object')];
    }
    const costBefore = this.costTracker.totalCost;
    const self = toCelValue(value, schema, this.readText);
    // An optional value is represented as a list with one item or none.
    const oldSelf: CelInput[] = isChange ? [toCelValue(old, schema, this.readText)] : [];
    const violations = rules.flatMap((rule) => {
      if (this.costTracker.exceededLimit !== undefined) return [];
      if (rule.allowsMissingOld) return this.evaluateRule(rule, { self, oldSelf });
      return rule.isTransition && !isChange ? [] : this.evaluateRule(rule, isChange ? { self, oldSelf: oldSelf[0]! } : { self });
    });
    if (this.costTracker.exceededLimit === undefined && key.length <= MAX_CACHED_LENGTH)
      resultCache.set(key, { violations, steps: this.costTracker.totalCost - costBefore });
    return violations;
  }

  private evaluateRule({ definition, evaluate, message, isTransition }: CompiledRule, bindings: Parameters<Evaluate>[0]): RuleViolation[] {
    const { cel } = this.loadEnvironment();
    const result = this.costTracker.evaluateRule(() => evaluate(bindings));
    const { exceededLimit, givenUpReason } = this.costTracker;
    if (givenUpReason !== undefined) {
      this.unevaluated.push({ rule: definition.rule, reason: { why: givenUpReason } });
      return [];
    }
    if (exceededLimit !== undefined) return [createCostViolation({ definition, isTransition }, exceededLimit)];
    if (result === true) return [];
    if (cel.isCelError(result) && ENGINE_LIMITS.has(result.message)) {
      this.unevaluated.push({ rule: definition.rule, reason: { why: 'too-large' } });
      return [];
    }
    const computed = message && this.costTracker.evaluateRule(() => message(bindings));
    const errorMessage =
      typeof computed === 'string' && computed.trim() !== '' ? computed : (definition.message ?? `failed rule: ${definition.rule.trim()}`);
    return [
      {
        definition,
        message: errorMessage,
        isTransition,
        ...(cel.isCelError(result) && { evaluationError: describeEvaluationError(result) }),
      },
    ];
  }
}

/** Creates the violation for the rule at which the server has exceeded its cost limit. Ratcheting does not excuse it. */
function createCostViolation(
  { definition, isTransition }: Pick<CompiledRule, 'definition' | 'isTransition'>,
  exceededLimit: CostLimit,
): RuleViolation {
  return { definition, message: '', isTransition, evaluationError: '', exceededLimit };
}

function toFieldError(
  { definition, message: errorMessage, evaluationError, exceededLimit }: RuleViolation,
  value: unknown,
  path: FieldPath,
): FieldError {
  if (exceededLimit)
    return {
      path,
      type: 'FieldValueInvalid',
      constraint: { kind: 'cost', rule: truncateText(definition.rule, MAX_QUOTED_CHARACTERS), budgetScope: exceededLimit },
      value: toDisplayValue(value),
    };
  const { reason = 'FieldValueInvalid', fieldPath } = definition;
  return {
    // An evaluation error is reported at the value whose schema contains the rule, not at `fieldPath`.
    path: fieldPath === undefined || evaluationError !== undefined ? path : appendToPath(path, ...parseFieldPath(fieldPath)),
    type: REASONS.has(reason) ? (reason as FieldErrorType) : 'FieldValueInvalid',
    constraint: {
      kind: 'rule',
      errorMessage: truncateText(errorMessage, MAX_QUOTED_CHARACTERS),
      ...(evaluationError !== undefined && { evaluationError: truncateText(evaluationError, MAX_QUOTED_CHARACTERS) }),
    },
    value: toDisplayValue(value),
  };
}
