import { at, childPath, entryPath, WHOLE_OBJECT } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import type { Severity } from '../core/finding';
import { isFields } from '../core/manifest';
import type { Fields } from '../core/manifest';
import { nearestName } from '../core/nearest-name';
import { describeType } from '../core/field-type';
import { ANY, INT32, STRING, STRING_MAP, STRINGS, listOf, map, schemaProblems, whole } from '../core/schema';
import type { SchemaProblem } from '../core/schema';
import { seen, show } from '../core/seen';
import { SEVERITIES } from '../core/severity';
import { listed } from '../core/words';

/** What the configuration says of a rule. */
export interface RuleSetting {
  /** The severity that its findings get; `off` suppresses them. */
  readonly severity: Severity | 'off';
  /** Patterns of files, from the folder of the configuration. @default - all files */
  readonly paths?: readonly string[];
}

/** Findings that are known, and why. */
export interface IgnoreSetting {
  /** The code. */
  readonly rule: string;
  /** KIND/[NAMESPACE/]NAME of the object. @default - any */
  readonly resource?: string;
  /** Patterns of files, from the folder of the configuration. @default - all files */
  readonly paths?: readonly string[];
  /** Why they are no problem here. */
  readonly reason: string;
}

/** What `rolloutkit.yaml` says; files in it are named from its own folder. The schema is `schemas/config-1.1.json`. */
export interface Configuration {
  /** Versions by product. */
  readonly versions?: Readonly<Record<string, string>>;
  /** The file that `--capacity` takes. */
  readonly capacity?: string;
  /** The files that `--clusters` takes. */
  readonly clusters?: readonly string[];
  /** The file that `--kserve-config` takes. */
  readonly kserveConfig?: string;
  /** Seconds that a pod takes to become ready. */
  readonly startupSeconds?: number;
  /** Patterns of files that are not read. */
  readonly exclude?: readonly string[];
  /** What is said of rules, by code. */
  readonly rules?: Readonly<Record<string, RuleSetting>>;
  /** What is suppressed. */
  readonly ignore?: readonly IgnoreSetting[];
}

/** Thrown for a configuration that can't be used; the message names what was seen and what to write, `path` the field. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  public constructor(
    message: string,
    public readonly path: FieldPath,
  ) {
    super(message);
  }
}

const IGNORE = { rule: STRING, resource: STRING, paths: STRINGS, reason: STRING };

const SCHEMA = whole(
  map({
    versions: STRING_MAP,
    capacity: STRING,
    clusters: STRINGS,
    kserveConfig: STRING,
    startupSeconds: INT32,
    exclude: STRINGS,
    rules: { type: 'map' },
    ignore: whole(listOf(IGNORE)),
  }),
);

const RULE_SETTING = whole(map({ severity: ANY, paths: STRINGS }));

/** What a rule may be set to. */
export const RULE_SEVERITIES: readonly RuleSetting['severity'][] = [...SEVERITIES, 'off'];

function problemText(problem: SchemaProblem): string {
  if (problem.kind === 'unknown') {
    const nearest = nearestName(problem.path.slice(problem.path.lastIndexOf('.') + 1), problem.known);
    return `there is no such key; write ${nearest ?? listed(problem.known, 'or')}`;
  }
  if (problem.kind === 'wrong-type') {
    const quotes = problem.expected === 'string' && typeof problem.value === 'number' ? '; put it in quotes' : '';
    return `${show(seen(problem.value))} is not ${describeType(problem.expected)}${quotes}`;
  }
  throw new Error(`the configuration has no versions, and a problem of the kind ${problem.kind}`);
}

function refuse(problems: readonly SchemaProblem[]): void {
  const [problem] = problems;
  if (problem) throw new ConfigurationError(problemText(problem), problem.path);
}

type Codes = () => readonly string[];

function checkCode(code: string, codes: Codes, path: FieldPath): void {
  if (codes().includes(code)) return;
  const nearest = nearestName(code, codes());
  throw new ConfigurationError(`no rule has the code "${code}"; write ${nearest ?? 'one that rolloutkit rules lists'}`, path);
}

function severityOf(value: unknown, path: FieldPath): RuleSetting['severity'] {
  // YAML 1.1 reads a bare `off` as false, and that is what kubectl's reader does.
  const severity = value === false ? 'off' : RULE_SEVERITIES.find((known) => known === value);
  if (severity === undefined)
    throw new ConfigurationError(`${show(seen(value))} is not a severity; write ${listed(RULE_SEVERITIES, 'or')}`, path);
  return severity;
}

function ruleSetting(value: unknown, path: FieldPath): RuleSetting {
  if (!isFields(value)) return { severity: severityOf(value, path) };
  refuse(schemaProblems(value, RULE_SETTING, path));
  return {
    severity: severityOf(value.severity, childPath(path, 'severity')),
    ...(value.paths !== undefined && { paths: value.paths as readonly string[] }),
  };
}

function rulesOf(rules: Fields, codes: Codes): Record<string, RuleSetting> {
  return Object.fromEntries(
    Object.entries(rules).map(([code, value]) => {
      const path = entryPath(at`rules`, code);
      checkCode(code, codes, path);
      return [code, ruleSetting(value, path)];
    }),
  );
}

/** One of the findings that are known; a key without a value is one that is left out. */
type WrittenIgnore = { readonly [Key in keyof IgnoreSetting]?: IgnoreSetting[Key] | null };

function checkIgnore({ rule, resource, reason }: WrittenIgnore, codes: Codes, path: FieldPath): void {
  if (rule === undefined || rule === null) throw new ConfigurationError('names no rule; write rule: and the code', path);
  checkCode(rule, codes, childPath(path, 'rule'));
  if (reason === undefined || reason === null || reason.trim() === '')
    throw new ConfigurationError('gives no reason; write reason: and why', path);
  const parts = resource?.split('/');
  if (parts && (parts.length < 2 || parts.length > 3 || parts.includes(''))) {
    throw new ConfigurationError(`"${resource}" is not KIND/NAME or KIND/NAMESPACE/NAME`, childPath(path, 'resource'));
  }
}

/**
 * Reads a configuration.
 *
 * @param codes of every rule; asked for where the configuration names one
 * @throws ConfigurationError for what is not known or of the wrong type, with the nearest name
 */
export function parseConfiguration(document: Fields, codes: Codes): Configuration {
  refuse(schemaProblems(document, SCHEMA, WHOLE_OBJECT));
  const { rules, ignore, startupSeconds, ...rest } = document as Omit<Configuration, 'rules'> & { readonly rules?: Fields };
  if (startupSeconds !== undefined && startupSeconds < 0) {
    throw new ConfigurationError(`${startupSeconds} is not a number of seconds from 0 up`, at`startupSeconds`);
  }
  for (const [index, entry] of (ignore ?? []).entries()) checkIgnore(entry, codes, childPath(at`ignore`, index));
  return {
    ...rest,
    ...(startupSeconds !== undefined && { startupSeconds }),
    ...(rules && { rules: rulesOf(rules, codes) }),
    ...(ignore && { ignore }),
  };
}
