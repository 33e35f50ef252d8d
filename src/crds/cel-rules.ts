import type { CelInput, CelResult } from '@bufbuild/cel';
import type * as Cel from '@bufbuild/cel';
import type * as CelExtensions from '@bufbuild/cel/ext';
import type * as Re2 from 're2js';
import { deepEqual } from '../core/deep-equal';
import { childPath, fieldPathParts } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { isFields, ownValue } from '../core/manifest';
import { seen } from '../core/seen';
import { isAtLeast, valueSince } from '../core/versions';
import { WORDLESS_FORMAT } from './cel/formats';
import { Expansion, calledIn, namesIn } from './cel/expansion';
import { kubernetesFunctions } from './cel/library';
import { withoutOptionalSyntax } from './cel/optional-syntax';
import { SINCE } from './cel/versions';
import { Steps, counting } from './cel/steps';
import type { CostLimit } from './cel/steps';
import { celValue } from './cel-value';
import type { TextReader } from './cel-value';
import type { Fault, FaultType } from './fault';
import type { NotEvaluated, UnevaluatedRule } from './rules/rule-not-evaluated';
import { correlatedItems } from './correlation';
import { childrenOf, fieldOf } from './schema-node';
import type { CelRule, SchemaNode } from './schema-node';

type Evaluate = (bindings: { readonly self: CelInput; readonly oldSelf?: CelInput }) => CelResult;

/** How the language itself reads text as something else. */
const CONVERSIONS = { timestamp: 'timestamp(self)', duration: 'duration(self)' } as const;

interface CompiledRule {
  readonly written: CelRule;
  readonly evaluate: Evaluate;
  readonly message?: Evaluate;
  /** Does it compare with the value that was there before? */
  readonly isTransition: boolean;
  /** Is it evaluated where nothing was there before as well? */
  readonly takesNone?: boolean;
}

/** An expression, ready to be evaluated. */
type PlannedExpression = Pick<CompiledRule, 'evaluate' | 'isTransition'>;

interface CompiledNode {
  readonly rules: readonly CompiledRule[];
  /** Is there a rule here or below? */
  readonly matters: boolean;
  /** What came of a value before, by its JSON: objects of one kind are alike in most of their parts. */
  readonly known: Map<string, { readonly faults: readonly RuleFault[]; readonly steps: number }>;
}

/**
 * Does what was broken before pass an update?
 *
 * Source: apiextensions-apiserver, feature CRDValidationRatcheting: on by default since 1.30.
 */
export const RATCHETS: readonly (readonly [string, boolean])[] = [
  ['0', false],
  ['1.30', true],
];

interface RuleFault {
  readonly written: CelRule;
  readonly said: string;
  /** The words of an error at evaluation. */
  readonly failed?: string;
  /** Does it compare with what was there before? That passes for no reason but its own. */
  readonly isTransition: boolean;
  /** Of a rule at which the server stops. */
  readonly exceeds?: CostLimit;
}

const REASONS: ReadonlySet<string> = new Set(['FieldValueRequired', 'FieldValueInvalid', 'FieldValueForbidden', 'FieldValueDuplicate']);

/** Operators have no names. */
function isOperator(name: string): boolean {
  return !/^[A-Za-z]/.test(name);
}

/** What is done with the words of a named format that does not fit. */
const ASKS_FOR_WORDS = ['value', 'or', 'orValue', 'optMap', 'optFlatMap'] as const;

/** The formats whose words are not known, and the name by which any format may be meant. */
const MAY_BE_WORDLESS = [WORDLESS_FORMAT, 'format.named'] as const;

/** The CEL rules of a schema, compiled once. Only whoever has rules loads the evaluator. */
export class SchemaRules {
  readonly unevaluated: UnevaluatedRule[] = [];
  /** The rules that compare with the object that was there before, which a new object has not to satisfy. */
  readonly transitions: UnevaluatedRule[] = [];
  private readonly nodes = new Map<SchemaNode, CompiledNode>();
  private readonly conversions = new Map<keyof typeof CONVERSIONS, Evaluate>();
  private readonly steps = new Steps();
  private loaded: { readonly cel: typeof Cel; readonly env: Cel.CelEnv; readonly expansion: Expansion } | undefined;
  private readonly ratchets: boolean;

  constructor(
    root: SchemaNode,
    private readonly kubernetesVersion: string,
  ) {
    this.ratchets = valueSince(RATCHETS, kubernetesVersion);
    this.add(root);
  }

  private add(schema: SchemaNode): boolean {
    const below = childrenOf(schema).map((child) => this.add(child));
    const rules = (schema['x-kubernetes-validations'] ?? []).flatMap((rule) => this.compiled(rule, schema));
    const matters = rules.length > 0 || below.some((each) => each);
    this.nodes.set(schema, { rules, matters, known: new Map() });
    return matters;
  }

  private evaluator(): { readonly cel: typeof Cel; readonly env: Cel.CelEnv; readonly expansion: Expansion } {
    if (!this.loaded) {
      const cel = require('@bufbuild/cel') as typeof Cel;
      const re2 = require('re2js') as typeof Re2;
      const { strings } = require('@bufbuild/cel/ext') as typeof CelExtensions;
      const funcs = [...strings, ...kubernetesFunctions(cel, re2), this.steps.function(cel)];
      const env = cel.celEnv({ funcs, re2: { compile: (pattern) => re2.RE2JS.compile(pattern) } });
      this.loaded = { cel, env, expansion: new Expansion(cel.parse) };
    }
    return this.loaded;
  }

  private readonly readText: TextReader = (text, format) => {
    if (format === 'bytes') return Buffer.from(text, 'base64');
    const read = this.conversions.get(format) ?? (this.planned(CONVERSIONS[format]) as PlannedExpression).evaluate;
    this.conversions.set(format, read);
    const value = read({ self: text });
    // What has no such form is a fault of its own.
    return this.evaluator().cel.isCelError(value) ? text : value;
  };

  private planned(expression: string, schema?: SchemaNode, takesNone = false): PlannedExpression | NotEvaluated {
    const { cel, env, expansion } = this.evaluator();
    let parsed: ReturnType<typeof Cel.parse>;
    try {
      parsed = cel.parse(withoutOptionalSyntax(expression));
    } catch {
      return { why: 'syntax' };
    }
    const called = [...calledIn(parsed.expr)].filter((name) => !isOperator(name));
    const names = called.filter((name) => !SINCE.has(name));
    if (names.length > 0) return { why: 'functions', names };
    const newer = called.filter((name) => !isAtLeast(this.kubernetesVersion, SINCE.get(name)!));
    if (newer.length > 0) return { why: 'newer', names: newer, since: SINCE.get(newer[0]!)!, version: this.kubernetesVersion };
    const wordless = called.includes('validate') ? MAY_BE_WORDLESS.filter((name) => called.includes(name)) : [];
    if (wordless.length > 0 && ASKS_FOR_WORDS.some((name) => called.includes(name))) return { why: 'functions', names: wordless };
    const types = new Map([
      ['self', schema],
      ['oldSelf', schema],
    ] as const);
    const optionals: ReadonlySet<string> = new Set(takesNone ? ['oldSelf'] : []);
    const expr = expansion.expanded(parsed.expr, { optionals, types });
    return { evaluate: cel.plan(env, counting(expr)), isTransition: namesIn(parsed.expr).has('oldSelf') };
  }

  private compiled(written: CelRule, schema: SchemaNode): CompiledRule[] {
    const takesNone = written.optionalOldSelf === true && this.ratchets;
    const planned = this.planned(written.rule, schema, takesNone);
    if ('why' in planned) {
      this.unevaluated.push({ rule: written.rule, reason: planned });
      return [];
    }
    if (planned.isTransition && !takesNone) this.transitions.push({ rule: written.rule, reason: { why: 'transition' } });
    const message = written.messageExpression === undefined ? undefined : this.planned(written.messageExpression, schema, takesNone);
    return [{ written, ...planned, takesNone, ...(message && 'evaluate' in message && { message: message.evaluate }) }];
  }

  /**
   * Where a value breaks the rules of its schema, at itself or below.
   *
   * @param old - what was there before: rules that compare with it are evaluated. @default - nothing, and they are not
   */
  faults(value: unknown, schema: SchemaNode, path: FieldPath, old?: unknown): Fault[] {
    this.steps.beginObject();
    return this.faultsAt(value, schema, path, old);
  }

  private faultsAt(value: unknown, schema: SchemaNode, path: FieldPath, old?: unknown): Fault[] {
    // No further rule is evaluated where the server has stopped.
    if (this.steps.exceeded !== undefined) return [];
    const node = this.nodes.get(schema);
    if (!node?.matters || value === null || value === undefined) return [];
    // What stays as it was passes, whatever it breaks; but not where that can't be found out.
    const passes = this.ratchets && old !== undefined && deepEqual(value, old);
    const own = this.broken(node, value, schema, old ?? undefined)
      .filter(({ failed, isTransition }) => !passes || failed !== undefined || isTransition)
      .map((fault) => placed(fault, value, path));
    if (Array.isArray(value)) {
      const { items } = schema;
      if (!items) return own;
      const before = correlatedItems(value, old, schema);
      return [...own, ...value.flatMap((item: unknown, index) => this.faultsAt(item, items, childPath(path, index), before[index]))];
    }
    if (!isFields(value)) return own;
    const inner = Object.entries(value).flatMap(([name, field]) => {
      const child = fieldOf(schema, name);
      return child ? this.faultsAt(field, child, childPath(path, name), isFields(old) ? ownValue(old, name) : undefined) : [];
    });
    return [...own, ...inner];
  }

  private broken({ rules, known }: CompiledNode, value: unknown, schema: SchemaNode, old: unknown): readonly RuleFault[] {
    if (rules.length === 0) return [];
    const isChange = old !== undefined && rules.some(({ isTransition }) => isTransition);
    const key = JSON.stringify(isChange ? [value, old] : value);
    const before = known.get(key);
    if (before) {
      this.steps.again(before.steps);
      return this.steps.exceeded === undefined ? before.faults : [stoppedAt(rules[0]!, 'object')];
    }
    const begun = this.steps.ofObject;
    const self = celValue(value, schema, this.readText);
    // An optional value is a list of one, or of none.
    const oldSelf: CelInput[] = isChange ? [celValue(old, schema, this.readText)] : [];
    const faults = rules.flatMap((rule) => {
      if (this.steps.exceeded !== undefined) return [];
      if (rule.takesNone) return this.outcome(rule, { self, oldSelf });
      return rule.isTransition && !isChange ? [] : this.outcome(rule, isChange ? { self, oldSelf: oldSelf[0]! } : { self });
    });
    if (this.steps.exceeded === undefined) known.set(key, { faults, steps: this.steps.ofObject - begun });
    return faults;
  }

  private outcome({ written, evaluate, message, isTransition }: CompiledRule, bindings: Parameters<Evaluate>[0]): RuleFault[] {
    const { cel } = this.evaluator();
    const result = this.steps.of(() => evaluate(bindings));
    const { exceeded } = this.steps;
    if (exceeded !== undefined) return [stoppedAt({ written, isTransition }, exceeded)];
    if (result === true) return [];
    const made = message && this.steps.of(() => message(bindings));
    const said = typeof made === 'string' && made.trim() !== '' ? made : (written.message ?? `failed rule: ${written.rule.trim()}`);
    return [{ written, said, isTransition, ...(cel.isCelError(result) && { failed: result.message }) }];
  }
}

/** The rule at which the server has spent all, which no ratcheting lets pass. */
function stoppedAt({ written, isTransition }: Pick<CompiledRule, 'written' | 'isTransition'>, exceeds: CostLimit): RuleFault {
  return { written, said: '', isTransition, failed: '', exceeds };
}

function placed({ written, said, failed, exceeds }: RuleFault, value: unknown, path: FieldPath): Fault {
  if (exceeds)
    return { path, type: 'FieldValueInvalid', constraint: { kind: 'cost', rule: written.rule, of: exceeds }, value: seen(value) };
  const { reason = 'FieldValueInvalid', fieldPath } = written;
  return {
    // An error at evaluation is told at the value that the rule is of.
    path: fieldPath === undefined || failed !== undefined ? path : childPath(path, ...fieldPathParts(fieldPath)),
    type: REASONS.has(reason) ? (reason as FaultType) : 'FieldValueInvalid',
    constraint: { kind: 'rule', said, ...(failed !== undefined && { failed }) },
    value: seen(value),
  };
}
