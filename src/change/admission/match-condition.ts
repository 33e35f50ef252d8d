import { SchemaRuleEvaluator } from '../../crds/cel-rules';
import type { SchemaNode } from '../../crds/schema-node';
import { ROOT_PATH } from '../../core/field-path';
import { getOwnValue, getValueAt } from '../../core/manifest';
import { BoundedMemo } from '../../core/memoize';
import { DEFAULT_VERSIONS } from '../../core/versions';
import type { AdmissionRequest } from './admission-request';

/** Fields of a request that are known, and what replaces them. `namespace` is a reserved word of CEL. */
const KNOWN_FIELDS: Readonly<Record<string, string>> = {
  'request.namespace': 'self.place',
  'request.resource.group': 'self.group',
  'request.resource.resource': 'self.resource',
};

/** Words of CEL, and its functions of texts. */
const KNOWN_WORDS: ReadonlySet<string> = new Set(['in', 'true', 'false', 'startsWith', 'endsWith', 'contains']);

/** Texts without escapes, names with the fields after them, and every other character. */
const TOKEN = /'[^'\\\n]*'|"[^"\\\n]*"|[A-Za-z_][\w.]*|[\s\S]/g;

/** Maximum length of a condition that is evaluated. */
const MAX_LENGTH = 1_000;

/** Returns what replaces a name and the fields after it: `request.namespace.startsWith`. Returns undefined if it needs what is not known. */
function replaceName(name: string): string | undefined {
  if (KNOWN_WORDS.has(name)) return name;
  const index = name.lastIndexOf('.');
  const method = name.slice(index + 1);
  const isMethod = index > 0 && KNOWN_WORDS.has(method);
  const field = getOwnValue(KNOWN_FIELDS, isMethod ? name.slice(0, index) : name);
  return field && (isMethod ? `${field}.${method}` : field);
}

/** Returns the opposite of a condition as a rule of a schema; undefined if it needs more of a request than its resource and its namespace. */
function toSchemaRule(expression: string): string | undefined {
  const tokens = expression.length > MAX_LENGTH ? undefined : expression.match(TOKEN);
  // A text in three quotes, or with an escape, is not read.
  if (!tokens || tokens.some((token) => ['\\', "'", '"', "''", '""', '`'].includes(token))) return undefined;
  const replaced = tokens.map((token, index) => {
    // After a parenthesis: `(request.namespace).startsWith('kube-')`.
    const isMember = tokens[index - 1] === '.';
    return /^[A-Za-z_]/.test(token) && !isMember ? replaceName(token) : token;
  });
  return replaced.includes(undefined) ? undefined : `!(\n${replaced.join('')}\n)`;
}

const TEXT = { type: 'string' } as const;

/** Compiled conditions, by their text. */
const compiled = new BoundedMemo<{ readonly schema: SchemaNode; readonly evaluator: SchemaRuleEvaluator } | 'unknown'>();

function compileCondition(expression: string) {
  const rule = toSchemaRule(expression);
  if (rule === undefined) return 'unknown';
  const properties = { place: TEXT, group: TEXT, resource: TEXT };
  const schema: SchemaNode = { type: 'object', properties, 'x-kubernetes-validations': [{ rule }] };
  const evaluator = new SchemaRuleEvaluator(schema, DEFAULT_VERSIONS.kubernetes);
  return evaluator.unevaluated.length > 0 ? 'unknown' : { schema, evaluator };
}

/**
 * Reports whether a match condition is false for a request, so that the API server calls nothing for it. It is not known if the condition needs
 * more than the resource and the namespace.
 */
export function isConditionFalse(condition: unknown, { namespace: place, group, resource }: AdmissionRequest): boolean {
  const expression = getValueAt(condition, 'expression');
  if (typeof expression !== 'string' || place === undefined) return false;
  const found = compiled.getOrCompute(expression, compileCondition);
  if (found === 'unknown') return false;
  const errors = found.evaluator.evaluate({ place, group, resource }, found.schema, ROOT_PATH);
  return errors.length === 0 && found.evaluator.unevaluated.length === 0;
}
