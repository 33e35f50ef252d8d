import { ConfigurationError, parseConfiguration } from '../config/configuration';
import type { Configuration, IgnoreSetting, RuleSetting } from '../config/configuration';
import { APPLY_MODES } from '../core/document/change';
import type { ApplyMode } from '../core/document/change';
import { ROOT_PATH } from '../core/manifest/field-path';
import type { OperatorResourceMap } from '../core/sources/operator-resource-map';
import type { Severity } from '../core/findings/finding';
import { isFields } from '../core/manifest/manifest';
import type { Fields } from '../core/manifest/manifest';
import { findClosestName } from '../core/errors/did-you-mean';
import { describeType } from '../core/values/field-type';
import { BOOLEAN, INT32, STRING, STRING_LIST, defineMap, findSchemaProblems, closeSchema } from '../core/values/schema';
import { toDisplayValue, formatDisplayValue } from '../core/text/display-value';
import { FAIL_THRESHOLDS } from '../core/findings/severity';
import type { Product } from '../core/values/versions';
import { joinWords } from '../core/text/text-format';
import { BUDGET_NAMES } from '../input/read-budget';
import type { RunBudget } from '../input/read-budget';
import { RULE_CODES } from '../plan/rules';

/** Settings of a rule, as in `rolloutkit.yaml`. */
export type RuleSettingProps = RuleSetting | RuleSetting['severity'];

/** `properties` of the plugin in cdk8s.yaml: the options of `rolloutkit check` and `plan`. Files are relative to the folder that `cdk8s synth` runs in. */
export interface RolloutValidationProps {
  /** Minimum severity of a violation, which fails the synth. @default error */
  readonly failOn?: Severity | 'never';
  /** Whether to fail if objects that roll out pods are not planned. @default false */
  readonly requirePlanned?: boolean;
  /** Versions of the cluster, e.g. `{ kubernetes: '1.35', kserve: '0.18' }`. @default - kubernetes 1.36, kserve 0.17 */
  readonly versions?: Readonly<Partial<Record<Product, string>>>;
  /** A file with the cluster's ConfigMap `inferenceservice-config`. @default - the one in the manifests, if there is one */
  readonly kserveConfig?: string;
  /** Files with Fleet's inventory. @default - the Cluster objects in the manifests */
  readonly clusters?: readonly string[];
  /** A file with the capacity of the cluster. @default - only the ResourceQuotas in the manifests limit rollouts */
  readonly capacity?: string;
  /** Names of clusters that never become ready with the update. @default - none */
  readonly neverReady?: readonly string[];
  /** Names of clusters that are down before the update. @default - none */
  readonly notReadyNow?: readonly string[];
  /** Seconds that a pod takes to become ready, from 0 to 2147483647. @default 0 */
  readonly startupSeconds?: number;
  /** Custom resources whose pods roll like those of a known kind. Their rollouts are mapped, not verified. @default - none */
  readonly operatorResources?: readonly OperatorResourceMap[];
  /** Patterns of synthesized files that are not read: `dist/crds/**`. @default - none */
  readonly exclude?: readonly string[];
  /** Severities by code; `off` suppresses. @default - each rule's own */
  readonly rules?: Readonly<Record<string, RuleSettingProps>>;
  /** Known findings to suppress, each with a reason. @default - none */
  readonly ignore?: readonly IgnoreSetting[];
  /** A file with known findings, written by `rolloutkit check --write-baseline`, which do not count. @default - everything counts */
  readonly baseline?: string;
  /** A file with guardrails of a platform team that every rollout must respect. @default - none */
  readonly policy?: string;
  /** Files and folders of CustomResourceDefinitions that objects are validated against, as by the API server. @default - none */
  readonly crds?: readonly string[];
  /** Limits of a run: `{ seconds: 600 }`. @default - as `--budget` */
  readonly budget?: Readonly<Partial<Record<keyof RunBudget, number>>>;
  /** The configuration file, or false for none. @default - `rolloutkit.yaml` in the working directory or above it */
  readonly config?: string | false;
  /** The previous state to compare the synth with: a file, a folder, or `git:REVISION[:PATH]`, such as `git:HEAD:dist`. @default - nothing */
  readonly from?: string;
  /** How the change is applied. @default - as OLD was applied */
  readonly apply?: ApplyMode;
  /** Whether objects that are in OLD but not in the synth are deleted. @default false */
  readonly prune?: boolean;
  /** Whether to print the plan. With `from`, it is the plan of the change. @default false */
  readonly print?: boolean;
}

/** Validated properties. */
export interface ValidationOptions {
  readonly failOn: Severity | 'never';
  readonly requirePlanned: boolean;
  readonly print: boolean;
  readonly from?: string;
  readonly apply?: ApplyMode;
  readonly prune: boolean;
  readonly neverReady: readonly string[];
  readonly notReadyNow: readonly string[];
  readonly config?: string | false;
  readonly baseline?: string;
  readonly policy?: string;
  readonly crds: readonly string[];
  readonly budget: Partial<RunBudget>;
  /** Settings that `rolloutkit.yaml` has as well. */
  readonly settings: Configuration;
}

/** Properties that `rolloutkit.yaml` does not have. */
const PLUGIN_PROPERTIES = {
  failOn: STRING,
  requirePlanned: BOOLEAN,
  neverReady: STRING_LIST,
  notReadyNow: STRING_LIST,
  config: { type: 'any' },
  from: STRING,
  apply: STRING,
  prune: BOOLEAN,
  print: BOOLEAN,
  baseline: STRING,
  policy: STRING,
  crds: STRING_LIST,
  budget: closeSchema(defineMap(Object.fromEntries(BUDGET_NAMES.map((name) => [name, INT32])))),
} as const;

const SHARED_SETTINGS = [
  'versions',
  'capacity',
  'clusters',
  'kserveConfig',
  'startupSeconds',
  'operatorResources',
  'exclude',
  'rules',
  'ignore',
] satisfies readonly (keyof Configuration)[];
const KNOWN_PROPERTIES: readonly string[] = [...Object.keys(PLUGIN_PROPERTIES), ...SHARED_SETTINGS];

/** Options of the command line that the plugin does not have, and why. */
const UNSUPPORTED_OPTIONS: Readonly<Record<string, string>> = {
  render: 'the app renders its charts itself, with Helm and Include of cdk8s',
  values: 'the app renders its charts itself, with Helm and Include of cdk8s',
  format:
    'the cdk8s CLI writes the report (--validation-reports-output-file); for another format, run rolloutkit check dist/ --format sarif=FILE',
  output: 'the cdk8s CLI writes the report; run cdk8s synth --validation-reports-output-file FILE',
  writeBaseline: 'run rolloutkit check dist/ --write-baseline FILE, and name the file as baseline',
  showSuppressed: 'suppressed findings are only counted here; run rolloutkit check dist/ --show-suppressed to list them',
};

/** Creates an error about the plugin's properties, or about a file that they name. */
export function createOptionError(reason: string): Error {
  return new Error(`rolloutkit: ${reason}`);
}

function requireOneOf<T extends string>(name: string, value: unknown, allowed: readonly T[]): T {
  const match = allowed.find((one) => one === value);
  if (match === undefined)
    throw createOptionError(`${name} is ${formatDisplayValue(toDisplayValue(value))}; write ${joinWords(allowed, 'or')}.`);
  return match;
}

/**
 * Parses settings as in `rolloutkit.yaml`.
 *
 * @param name - name of the file; empty for the properties themselves
 */
export function parseSettings(document: Fields, name: string): Configuration {
  try {
    return parseConfiguration(document, () => RULE_CODES);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw createOptionError(`${[name, error.path, error.message].filter((part) => part !== '').join(': ')}.`);
  }
}

/** Checks the types of properties that `rolloutkit.yaml` does not have. Properties with a fixed set of values are checked separately. */
function checkTypes(properties: Fields): void {
  const [problem] = findSchemaProblems(properties, defineMap(PLUGIN_PROPERTIES), ROOT_PATH);
  if (problem?.kind === 'unknown') throw createOptionError(`there is no ${problem.path}; write ${joinWords(problem.knownFields, 'or')}.`);
  if (problem?.kind === 'wrong-type')
    throw createOptionError(
      `${problem.path} is ${formatDisplayValue(toDisplayValue(problem.value))}; write ${describeType(problem.expected)}.`,
    );
  const tooSmall = Object.entries(properties.budget as RunBudget).find(([, limit]) => limit < 1);
  if (tooSmall) throw createOptionError(`budget.${tooSmall[0]} is ${tooSmall[1]}; write a whole number from 1 up.`);
}

/**
 * Parses the properties.
 *
 * @throws Error for an unknown property, with the closest name, and for a value of another type
 */
export function parseOptions(props: RolloutValidationProps): ValidationOptions {
  const input: unknown = props;
  if (!isFields(input)) throw createOptionError(`properties is ${formatDisplayValue(toDisplayValue(input))}; write a map.`);
  const definedProps: RolloutValidationProps = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
  const unknownName = Object.keys(definedProps).find((name) => !KNOWN_PROPERTIES.includes(name));
  if (unknownName !== undefined && Object.hasOwn(UNSUPPORTED_OPTIONS, unknownName))
    throw createOptionError(`there is no property ${unknownName}: ${UNSUPPORTED_OPTIONS[unknownName]}.`);
  if (unknownName !== undefined)
    throw createOptionError(
      `there is no property ${unknownName}; write ${findClosestName(unknownName, KNOWN_PROPERTIES) ?? joinWords(KNOWN_PROPERTIES, 'or')}.`,
    );
  const {
    failOn = 'error',
    requirePlanned = false,
    neverReady = [],
    notReadyNow = [],
    config,
    from,
    apply,
    prune = false,
    print = false,
    baseline,
    policy,
    crds = [],
    budget = {},
    ...settings
  } = definedProps;
  checkTypes({ requirePlanned, neverReady, notReadyNow, from, prune, print, baseline, policy, crds, budget });
  if (config !== undefined && config !== false && typeof config !== 'string')
    throw createOptionError(`config is ${formatDisplayValue(toDisplayValue(config))}; write a file name, or false.`);
  if (from === undefined && (apply !== undefined || prune))
    throw createOptionError(`${prune ? 'prune' : 'apply'} needs from, since it only applies to a change; set from to the previous state.`);
  return {
    failOn: requireOneOf('failOn', failOn, FAIL_THRESHOLDS),
    requirePlanned,
    print,
    prune,
    neverReady,
    notReadyNow,
    ...(from !== undefined && { from }),
    ...(apply !== undefined && { apply: requireOneOf('apply', apply, APPLY_MODES) }),
    ...(config !== undefined && { config }),
    ...(baseline !== undefined && { baseline }),
    ...(policy !== undefined && { policy }),
    crds,
    budget,
    settings: parseSettings(settings, ''),
  };
}
