import type { CelInput, CelResult } from '@bufbuild/cel';
import type * as Cel from '@bufbuild/cel';
import type * as CelExtensions from '@bufbuild/cel/ext';
import type * as Re2 from '@bufbuild/re2';
import { deepEqual } from '../core/deep-equal';
import { childPath, fieldPathParts } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { isFields } from '../core/manifest';
import { seen } from '../core/seen';
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
}

/** An expression, ready to be evaluated. */
type PlannedExpression = Pick<CompiledRule, 'evaluate' | 'isTransition'>;

interface CompiledNode {
  readonly rules: readonly CompiledRule[];
  /** Is there a rule here or below? */
  readonly matters: boolean;
  /** What came of a value before, by its JSON: objects of one kind are alike in most of their parts. */
  readonly known: Map<string, readonly RuleFault[]>;
}

interface RuleFault {
  readonly written: CelRule;
  readonly said: string;
  /** The words of an error at evaluation. */
  readonly failed?: string;
}

const REASONS: ReadonlySet<string> = new Set(['FieldValueRequired', 'FieldValueInvalid', 'FieldValueForbidden', 'FieldValueDuplicate']);

/** Operators and macros have no names that a library could lack. */
const MACROS: ReadonlySet<string> = new Set(['has', 'all', 'exists', 'exists_one', 'map', 'filter']);

/** The functions of the language's own library and of its extension for text, which the evaluator has. */
const KNOWN_FUNCTIONS: ReadonlySet<string> = new Set([
  'size',
  'contains',
  'endsWith',
  'startsWith',
  'matches',
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
  'getDate',
  'getDayOfMonth',
  'getDayOfWeek',
  'getDayOfYear',
  'getFullYear',
  'getHours',
  'getMilliseconds',
  'getMinutes',
  'getMonth',
  'getSeconds',
  'charAt',
  'indexOf',
  'lastIndexOf',
  'join',
  'lowerAscii',
  'upperAscii',
  'replace',
  'split',
  'substring',
  'trim',
  'reverse',
  'strings.quote',
]);

/** The names of what an expression calls, whatever the parser makes of its parts. */
function calledIn(node: unknown, names: Set<string> = new Set()): Set<string> {
  if (Array.isArray(node)) for (const each of node) calledIn(each, names);
  else if (isFields(node)) {
    if (node.$typeName === 'cel.expr.Expr.Call' && typeof node.function === 'string') names.add(node.function);
    for (const [key, inner] of Object.entries(node)) if (key !== '$typeName') calledIn(inner, names);
  }
  return names;
}

function namesIn(node: unknown, names: Set<string> = new Set()): Set<string> {
  if (Array.isArray(node)) for (const each of node) namesIn(each, names);
  else if (isFields(node)) {
    if (node.$typeName === 'cel.expr.Expr.Ident' && typeof node.name === 'string') names.add(node.name);
    for (const [key, inner] of Object.entries(node)) if (key !== '$typeName') namesIn(inner, names);
  }
  return names;
}

function isOperator(name: string): boolean {
  return !/^[A-Za-z]/.test(name);
}

/** The CEL rules of a schema, compiled once. Only whoever has rules loads the evaluator. */
export class SchemaRules {
  readonly unevaluated: UnevaluatedRule[] = [];
  /** The rules that compare with the object that was there before, which a new object has not to satisfy. */
  readonly transitions: UnevaluatedRule[] = [];
  private readonly nodes = new Map<SchemaNode, CompiledNode>();
  private readonly conversions = new Map<keyof typeof CONVERSIONS, Evaluate>();
  private loaded: { readonly cel: typeof Cel; readonly env: Cel.CelEnv } | undefined;

  /** @param ratchets - does what was broken before pass an update? */
  constructor(
    root: SchemaNode,
    private readonly ratchets: boolean,
  ) {
    this.add(root);
  }

  private add(schema: SchemaNode): boolean {
    const below = childrenOf(schema).map((child) => this.add(child));
    const rules = (schema['x-kubernetes-validations'] ?? []).flatMap((rule) => this.compiled(rule));
    const matters = rules.length > 0 || below.some((each) => each);
    this.nodes.set(schema, { rules, matters, known: new Map() });
    return matters;
  }

  private evaluator(): { readonly cel: typeof Cel; readonly env: Cel.CelEnv } {
    if (!this.loaded) {
      const cel = require('@bufbuild/cel') as typeof Cel;
      const { RE2JS } = require('@bufbuild/re2') as typeof Re2;
      const { strings } = require('@bufbuild/cel/ext') as typeof CelExtensions;
      this.loaded = { cel, env: cel.celEnv({ funcs: [...strings], re2: { compile: (pattern) => RE2JS.compile(pattern) } }) };
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

  private planned(expression: string): PlannedExpression | NotEvaluated {
    const { cel, env } = this.evaluator();
    let parsed: ReturnType<typeof Cel.parse>;
    try {
      parsed = cel.parse(expression);
    } catch {
      return { why: 'syntax' };
    }
    const names = [...calledIn(parsed.expr)].filter((name) => !isOperator(name) && !MACROS.has(name) && !KNOWN_FUNCTIONS.has(name));
    if (names.length > 0) return { why: 'functions', names };
    return { evaluate: cel.plan(env, parsed), isTransition: namesIn(parsed.expr).has('oldSelf') };
  }

  private compiled(written: CelRule): CompiledRule[] {
    const planned = this.planned(written.rule);
    if ('why' in planned) {
      this.unevaluated.push({ rule: written.rule, reason: planned });
      return [];
    }
    if (planned.isTransition) this.transitions.push({ rule: written.rule, reason: { why: 'transition' } });
    const message = written.messageExpression === undefined ? undefined : this.planned(written.messageExpression);
    return [{ written, ...planned, ...(message && 'evaluate' in message && { message: message.evaluate }) }];
  }

  /**
   * Where a value breaks the rules of its schema, at itself or below.
   *
   * @param old - what was there before: rules that compare with it are evaluated. @default - nothing, and they are not
   */
  faults(value: unknown, schema: SchemaNode, path: FieldPath, old?: unknown): Fault[] {
    const node = this.nodes.get(schema);
    if (!node?.matters || value === null || value === undefined) return [];
    // What stays as it was passes, whatever it breaks; but not where that can't be found out.
    const passes = this.ratchets && old !== undefined && deepEqual(value, old);
    const own = this.broken(node, value, schema, old ?? undefined)
      .filter(({ failed }) => !passes || failed !== undefined)
      .map((fault) => placed(fault, value, path));
    if (Array.isArray(value)) {
      const { items } = schema;
      if (!items) return own;
      const before = correlatedItems(value, old, schema);
      return [...own, ...value.flatMap((item: unknown, index) => this.faults(item, items, childPath(path, index), before[index]))];
    }
    if (!isFields(value)) return own;
    const inner = Object.entries(value).flatMap(([name, field]) => {
      const child = fieldOf(schema, name);
      return child ? this.faults(field, child, childPath(path, name), isFields(old) ? old[name] : undefined) : [];
    });
    return [...own, ...inner];
  }

  private broken({ rules, known }: CompiledNode, value: unknown, schema: SchemaNode, old: unknown): readonly RuleFault[] {
    if (rules.length === 0) return [];
    const isChange = old !== undefined && rules.some(({ isTransition }) => isTransition);
    const key = JSON.stringify(isChange ? [value, old] : value);
    const before = known.get(key);
    if (before) return before;
    const self = celValue(value, schema, this.readText);
    const bindings = isChange ? { self, oldSelf: celValue(old, schema, this.readText) } : { self };
    const faults = rules.flatMap((rule) => (rule.isTransition && !isChange ? [] : this.outcome(rule, bindings)));
    known.set(key, faults);
    return faults;
  }

  private outcome({ written, evaluate, message }: CompiledRule, bindings: Parameters<Evaluate>[0]): RuleFault[] {
    const { cel } = this.evaluator();
    const result = evaluate(bindings);
    if (result === true) return [];
    const made = message?.(bindings);
    const said = typeof made === 'string' && made.trim() !== '' ? made : (written.message ?? `failed rule: ${written.rule.trim()}`);
    return [{ written, said, ...(cel.isCelError(result) && { failed: result.message }) }];
  }
}

function placed({ written, said, failed }: RuleFault, value: unknown, path: FieldPath): Fault {
  const { reason = 'FieldValueInvalid', fieldPath } = written;
  return {
    // An error at evaluation is told at the value that the rule is of.
    path: fieldPath === undefined || failed !== undefined ? path : childPath(path, ...fieldPathParts(fieldPath)),
    type: REASONS.has(reason) ? (reason as FaultType) : 'FieldValueInvalid',
    constraint: { kind: 'rule', said, ...(failed !== undefined && { failed }) },
    value: seen(value),
  };
}
