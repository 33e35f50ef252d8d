import { ConfigurationError, parseConfiguration } from '../config/configuration';
import type { Configuration, IgnoreSetting, RuleSetting } from '../config/configuration';
import { APPLY_MODES } from '../core/change';
import type { ApplyMode } from '../core/change';
import { ROOT_PATH } from '../core/field-path';
import type { Severity } from '../core/finding';
import { isFields } from '../core/manifest';
import type { Fields } from '../core/manifest';
import { findClosestName } from '../core/did-you-mean';
import { describeType } from '../core/field-type';
import { BOOLEAN, INT32, STRING, STRING_LIST, defineMap, findSchemaProblems, closeSchema } from '../core/schema';
import { toDisplayValue, formatDisplayValue } from '../core/display-value';
import { FAIL_THRESHOLDS } from '../core/severity';
import type { Product } from '../core/versions';
import { joinWords } from '../core/text-format';
import { BUDGET_NAMES } from '../input/read-budget';
import type { RunBudget } from '../input/read-budget';
import { RULE_CODES } from '../plan/rules';

/** What the plugin is told of rules, as in `rolloutkit.yaml`. */
export type RuleSettingProps = RuleSetting | RuleSetting['severity'];

/** `properties` of the plugin in cdk8s.yaml: the options of `rolloutkit check` and `plan`. Files are named from the folder that `cdk8s synth` runs in. */
export interface RolloutValidationProps {
  /** The severity from which a finding is a violation and fails the synth. @default error */
  readonly failOn?: Severity | 'never';
  /** Fail where objects that roll pods out are not planned. @default false */
  readonly requirePlanned?: boolean;
  /** The versions of the cluster, e.g. `{ kubernetes: '1.35', kserve: '0.18' }`. @default - kubernetes 1.34, kserve 0.17 */
  readonly versions?: Readonly<Partial<Record<Product, string>>>;
  /** A file with the cluster's ConfigMap `inferenceservice-config`. @default - the one among the manifests, if there is one */
  readonly kserveConfig?: string;
  /** Files with Fleet's inventory. @default - the Cluster objects among the manifests */
  readonly clusters?: readonly string[];
  /** A file with what the cluster has. @default - ResourceQuotas among the manifests alone limit them */
  readonly capacity?: string;
  /** Names of clusters that never get ready with the update. @default - none */
  readonly neverReady?: readonly string[];
  /** Names of clusters that are down before the update. @default - none */
  readonly notReadyNow?: readonly string[];
  /** Seconds that a pod takes to become ready, from 0 to 2147483647. @default 0 */
  readonly startupSeconds?: number;
  /** Patterns of synthesized files that are not read: `dist/crds/**`. @default - none */
  readonly exclude?: readonly string[];
  /** Severities by code; `off` suppresses. @default - each rule's own */
  readonly rules?: Readonly<Record<string, RuleSettingProps>>;
  /** Findings that are known, and why. @default - none */
  readonly ignore?: readonly IgnoreSetting[];
  /** A file with what stands already and does not count, as `rolloutkit check --write-baseline` writes it. @default - everything counts */
  readonly baseline?: string;
  /** A file with a platform team's guardrails, which no rollout may leave. @default - none */
  readonly policy?: string;
  /** Files and folders of CustomResourceDefinitions that objects are held against, as the API server does. @default - none */
  readonly crds?: readonly string[];
  /** What a run may take: `{ seconds: 600 }`. @default - as `--budget` */
  readonly budget?: Readonly<Partial<Record<keyof RunBudget, number>>>;
  /** The configuration. @default - `rolloutkit.yaml` in the working directory or above it; false looks for none */
  readonly config?: string | false;
  /** What the synth is compared with: a file, a folder, or `git:REVISION[:PATH]`, such as `git:HEAD:dist`. @default - nothing */
  readonly from?: string;
  /** How the change reaches the cluster. @default - as OLD was applied */
  readonly apply?: ApplyMode;
  /** Delete what OLD has and the synth lacks. @default false */
  readonly prune?: boolean;
  /** Print the plan, of a change where `from` is given. @default false */
  readonly print?: boolean;
}

/** The properties, checked. */
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
  /** What `rolloutkit.yaml` says too. */
  readonly settings: Configuration;
}

/** The properties that `rolloutkit.yaml` does not have. */
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
  'exclude',
  'rules',
  'ignore',
] satisfies readonly (keyof Configuration)[];
const KNOWN_PROPERTIES: readonly string[] = [...Object.keys(PLUGIN_PROPERTIES), ...SHARED_SETTINGS];

/** Options of the command line that the plugin has not, and why. */
const UNSUPPORTED_OPTIONS: Readonly<Record<string, string>> = {
  render: 'the app renders its charts itself, by Helm and Include of cdk8s',
  values: 'the app renders its charts itself, by Helm and Include of cdk8s',
  format:
    'the CLI of cdk8s writes the report (--validation-reports-output-file); for another format, rolloutkit check dist/ --format sarif=FILE',
  output: 'the CLI of cdk8s writes the report: cdk8s synth --validation-reports-output-file FILE',
  writeBaseline: 'rolloutkit check dist/ --write-baseline FILE writes it, and baseline reads it',
  showSuppressed: 'what is suppressed is counted here; rolloutkit check dist/ --show-suppressed lists it',
};

/** An error in the plugin's properties, or in a file that they name. */
export function createOptionError(what: string): Error {
  return new Error(`rolloutkit: ${what}`);
}

function requireOneOf<T extends string>(name: string, value: unknown, allowed: readonly T[]): T {
  const match = allowed.find((one) => one === value);
  if (match === undefined)
    throw createOptionError(`${name} is ${formatDisplayValue(toDisplayValue(value))}; write ${joinWords(allowed, 'or')}.`);
  return match;
}

/**
 * Settings as `rolloutkit.yaml` has them.
 *
 * @param name - of the file; empty for the properties themselves
 */
export function parseSettings(document: Fields, name: string): Configuration {
  try {
    return parseConfiguration(document, () => RULE_CODES);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw createOptionError(`${[name, error.path, error.message].filter((part) => part !== '').join(': ')}.`);
  }
}

/** The properties that `rolloutkit.yaml` does not have, without those that are one of several words. */
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
 * Checks the properties.
 *
 * @throws Error for one that there is not, with the nearest name, and for a value of another type
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
    throw createOptionError(`config is ${formatDisplayValue(toDisplayValue(config))}; write a file, or false.`);
  if (from === undefined && (apply !== undefined || prune))
    throw createOptionError(`${prune ? 'prune' : 'apply'} says how a change reaches the cluster; name what is there as from.`);
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
