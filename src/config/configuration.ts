import { toFieldPath, appendToPath, appendMapKey, ROOT_PATH } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import { isCodeOfChange } from '../core/findings/code-of-change';
import type { Severity } from '../core/findings/finding';
import { isFields } from '../core/manifest/manifest';
import type { Fields } from '../core/manifest/manifest';
import { findClosestName } from '../core/errors/did-you-mean';
import { OPERATOR_RESOURCE_MAP_FIELDS, findOperatorResourceMapProblem } from '../core/sources/operator-resource-map';
import type { OperatorResourceMap } from '../core/sources/operator-resource-map';
import { describeType } from '../core/values/field-type';
import { ANY, INT32, STRING, STRING_MAP, STRING_LIST, defineList, defineMap, findSchemaProblems, closeSchema } from '../core/values/schema';
import type { SchemaProblem } from '../core/values/schema';
import { toDisplayValue, formatDisplayValue } from '../core/text/display-value';
import { SEVERITIES } from '../core/findings/severity';
import { joinWords } from '../core/text/text-format';

/** Maximum size of a configuration. A pull request can bring one. */
export const MAX_CONFIGURATION_MEGABYTES = 1;

/** Configuration of one rule. */
export interface RuleSetting {
  /** Severity of its findings; `off` suppresses them. */
  readonly severity: Severity | 'off';
  /** Patterns of files, relative to the folder of the configuration. @default - all files */
  readonly paths?: readonly string[];
}

/** Known findings that are suppressed, with a reason. */
export interface IgnoreSetting {
  /** Code of the rule. */
  readonly rule: string;
  /** KIND/[NAMESPACE/]NAME of the object. @default - any */
  readonly resource?: string;
  /** Patterns of files, relative to the folder of the configuration. @default - all files */
  readonly paths?: readonly string[];
  /** Reason why they are not a problem here. */
  readonly reason: string;
}

/** Content of `rolloutkit.yaml`. Its paths are relative to its own folder. The schema is `schemas/config-1.2.json`. */
export interface Configuration {
  /** Versions by product. */
  readonly versions?: Readonly<Record<string, string>>;
  /** File for `--capacity`. */
  readonly capacity?: string;
  /** Files for `--clusters`. */
  readonly clusters?: readonly string[];
  /** File for `--kserve-config`. */
  readonly kserveConfig?: string;
  /** Seconds until a pod becomes ready. */
  readonly startupSeconds?: number;
  /** Custom resources whose pods roll like those of a known kind. */
  readonly operatorResources?: readonly OperatorResourceMap[];
  /** Patterns of files that are not read. */
  readonly exclude?: readonly string[];
  /** Settings of rules, by code. */
  readonly rules?: Readonly<Record<string, RuleSetting>>;
  /** Findings to suppress. */
  readonly ignore?: readonly IgnoreSetting[];
}

/** Thrown for an invalid configuration. The message contains the invalid value and what to write instead; `path` is the field. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  public constructor(
    message: string,
    public readonly path: FieldPath,
  ) {
    super(message);
  }
}

const IGNORE = { rule: STRING, resource: STRING, paths: STRING_LIST, reason: STRING };

const SCHEMA = closeSchema(
  defineMap({
    versions: STRING_MAP,
    capacity: STRING,
    clusters: STRING_LIST,
    kserveConfig: STRING,
    startupSeconds: INT32,
    operatorResources: closeSchema(defineList(OPERATOR_RESOURCE_MAP_FIELDS)),
    exclude: STRING_LIST,
    rules: { type: 'map' },
    ignore: closeSchema(defineList(IGNORE)),
  }),
);

const RULE_SETTING = closeSchema(defineMap({ severity: ANY, paths: STRING_LIST }));

/** Severities that a rule can be set to. */
export const RULE_SEVERITIES: readonly RuleSetting['severity'][] = [...SEVERITIES, 'off'];

function formatProblem(problem: SchemaProblem): string {
  if (problem.kind === 'unknown') {
    const nearest = findClosestName(problem.path.slice(problem.path.lastIndexOf('.') + 1), problem.knownFields);
    return `there is no such key; write ${nearest ?? joinWords(problem.knownFields, 'or')}`;
  }
  if (problem.kind === 'wrong-type') {
    const quotes = problem.expected === 'string' && typeof problem.value === 'number' ? '; put it in quotes' : '';
    return `${formatDisplayValue(toDisplayValue(problem.value))} is not ${describeType(problem.expected)}${quotes}`;
  }
  throw new Error(`the schema of the configuration has no versions, so a problem of the kind ${problem.kind} is impossible`);
}

function throwOnProblems(problems: readonly SchemaProblem[]): void {
  const [problem] = problems;
  if (problem) throw new ConfigurationError(formatProblem(problem), problem.path);
}

type Codes = () => readonly string[];

function checkCode(code: string, codes: Codes, path: FieldPath): void {
  if (codes().includes(code)) return;
  if (isCodeOfChange(code))
    throw new ConfigurationError(`"${code}" is about one apply, which no configuration suppresses; delete it, or use a baseline`, path);
  const nearest = findClosestName(code, codes());
  throw new ConfigurationError(`no rule has the code "${code}"; write ${nearest ?? 'one that rolloutkit rules lists'}`, path);
}

function parseSeverity(value: unknown, path: FieldPath): RuleSetting['severity'] {
  // YAML 1.1 reads a bare `off` as false, and so does kubectl's parser.
  const severity = value === false ? 'off' : RULE_SEVERITIES.find((candidate) => candidate === value);
  if (severity === undefined)
    throw new ConfigurationError(
      `${formatDisplayValue(toDisplayValue(value))} is not a severity; write ${joinWords(RULE_SEVERITIES, 'or')}`,
      path,
    );
  return severity;
}

function parseRuleSetting(value: unknown, path: FieldPath): RuleSetting {
  if (!isFields(value)) return { severity: parseSeverity(value, path) };
  throwOnProblems(findSchemaProblems(value, RULE_SETTING, path));
  return {
    severity: parseSeverity(value.severity, appendToPath(path, 'severity')),
    ...(value.paths !== undefined && { paths: value.paths as readonly string[] }),
  };
}

function parseRules(rules: Fields, codes: Codes): Record<string, RuleSetting> {
  return Object.fromEntries(
    Object.entries(rules).map(([code, value]) => {
      const path = appendMapKey(toFieldPath`rules`, code);
      checkCode(code, codes, path);
      return [code, parseRuleSetting(value, path)];
    }),
  );
}

/** An entry of `ignore` as written; a key without a value counts as omitted. */
type RawIgnoreSetting = { readonly [Key in keyof IgnoreSetting]?: IgnoreSetting[Key] | null };

function checkIgnore({ rule, resource, reason }: RawIgnoreSetting, codes: Codes, path: FieldPath): void {
  if (rule === undefined || rule === null) throw new ConfigurationError('names no rule; write rule: and the code', path);
  checkCode(rule, codes, appendToPath(path, 'rule'));
  if (reason === undefined || reason === null || reason.trim() === '')
    throw new ConfigurationError('gives no reason; write reason: and why', path);
  const parts = resource?.split('/');
  if (parts && (parts.length < 2 || parts.length > 3 || parts.includes(''))) {
    throw new ConfigurationError(`"${resource}" is not KIND/NAME or KIND/NAMESPACE/NAME`, appendToPath(path, 'resource'));
  }
}

/** Returns a map without the keys that have no value: they count as omitted. */
function omitNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/**
 * Parses a configuration. A key without a value counts as omitted.
 *
 * @param codes returns the codes of all rules; called only if the configuration names one
 * @throws ConfigurationError for what is unknown or of the wrong type, with the nearest known name
 */
export function parseConfiguration(document: Fields, codes: Codes): Configuration {
  throwOnProblems(findSchemaProblems(document, SCHEMA, ROOT_PATH));
  const { versions, ...others } = omitNulls(document);
  const { rules, ignore, startupSeconds, ...rest } = others as Omit<Configuration, 'rules' | 'versions'> & { readonly rules?: Fields };
  if (startupSeconds !== undefined && startupSeconds < 0) {
    throw new ConfigurationError(`${startupSeconds} is not a number of seconds from 0 up`, toFieldPath`startupSeconds`);
  }
  for (const [index, entry] of (ignore ?? []).entries()) checkIgnore(entry, codes, appendToPath(toFieldPath`ignore`, index));
  const mapProblem = findOperatorResourceMapProblem(rest.operatorResources ?? [], toFieldPath`operatorResources`);
  if (mapProblem) throw new ConfigurationError(mapProblem.message, mapProblem.path);
  return {
    ...rest,
    ...(isFields(versions) && { versions: omitNulls(versions) as Readonly<Record<string, string>> }),
    ...(startupSeconds !== undefined && { startupSeconds }),
    ...(rules && { rules: parseRules(rules, codes) }),
    ...(ignore && { ignore }),
  };
}
