import { memoizePerPlan } from '../../cluster/context/context';
import type { PlanContext } from '../../cluster/context/context';
import { CONTEXT_KINDS } from '../../cluster/kinds/context-kinds';
import { parseGoDuration } from '../../core/values/go-duration';
import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { MAX_INT32 } from '../../core/values/int-or-percent';
import { getFieldsAt, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';

/** The expected form of a value in one of Knative's ConfigMaps. */
export type KnativeValueType = 'count' | 'count-above-zero' | 'duration' | 'seconds';

/** A value that Knative's webhook refuses. */
export interface InvalidKnativeValue {
  readonly path: FieldPath;
  /** `config-autoscaler`. */
  readonly configMap: string;
  readonly key: string;
  readonly value: unknown;
  readonly expected: KnativeValueType;
  /** The ConfigMap. */
  readonly object: Manifest;
}

/** The cluster-wide settings for all Revisions that affect a rollout. */
export interface KnativeConfig {
  /** The number of pods that a Revision starts with, unless it sets its own. */
  readonly initialScale: number;
  readonly allowsZeroInitialScale: boolean;
  /** Whether Revisions scale to zero. If not, every Revision keeps one pod permanently. */
  readonly scalesToZero: boolean;
  /** The seconds for which an old Revision without requests keeps its pods. */
  readonly graceSeconds: number;
  /** The maximum number of pods of a Revision, unless it sets its own; 0 is no limit. */
  readonly maxScale: number;
  /** The seconds after which a Revision without a ready pod counts as failed. */
  readonly progressDeadline: number;
  /** The seconds over which requests move to a new Revision. */
  readonly rolloutSeconds: number;
  /** The seconds of a request, and the grace period of the pods, unless a Revision sets its own. Undefined if config-defaults is not in the input. */
  readonly timeoutSeconds: number | undefined;
}

/** Source: Knative 1.21, config/core/configmaps, and the defaults of pkg/autoscaler/config, pkg/deployment, networking's pkg/config. */
const DEFAULT_KNATIVE_CONFIG: KnativeConfig = {
  initialScale: 1,
  allowsZeroInitialScale: false,
  scalesToZero: true,
  graceSeconds: 30,
  maxScale: 0,
  progressDeadline: 600,
  rolloutSeconds: 0,
  timeoutSeconds: undefined,
};

/** The timeout of a request if config-defaults sets none. Source: Knative 1.21, pkg/apis/config/defaults.go. */
const DEFAULT_TIMEOUT_SECONDS = 300;

const KNATIVE_NAMESPACE = 'knative-serving';

/** The values of a ConfigMap, and those that are refused. */
interface ConfigMapValues {
  readonly found: Manifest | undefined;
  readonly invalid: InvalidKnativeValue[];
  /** Returns the value of a key; undefined if it is missing or refused. */
  read(key: string, expected: KnativeValueType): number | undefined;
  isTrue(key: string, otherwise: boolean): boolean;
}

function parseWholeNumber(text: string): number | undefined {
  const digits = text.trim();
  return /^[0-9]{1,10}$/.test(digits) && Number(digits) <= MAX_INT32 ? Number(digits) : undefined;
}

function parseDurationSeconds(text: string): number | undefined {
  const nanos = parseGoDuration(text.trim());
  return nanos === undefined || nanos <= 0n ? undefined : Number(nanos) / 1e9;
}

const VALUE_PARSERS: Readonly<Record<KnativeValueType, (text: string) => number | undefined>> = {
  count: parseWholeNumber,
  'count-above-zero': (text) => parseWholeNumber(text) || undefined,
  duration: parseDurationSeconds,
  seconds: parseWholeNumber,
};

/** Reads the ConfigMap with this name in Knative's namespace, or without a namespace. */
function readConfigMapValues(name: string, context: PlanContext): ConfigMapValues {
  const found = context
    .all(CONTEXT_KINDS.knativeAutoscaler)
    .find((object) => nameOf(object) === name && [KNATIVE_NAMESPACE, undefined].includes(namespaceOf(object)));
  const data = getFieldsAt(found, 'data');
  const invalid: InvalidKnativeValue[] = [];
  const read = (key: string, expected: KnativeValueType) => {
    const value = data[key];
    if (value === undefined || value === null) return undefined;
    const number = typeof value === 'string' ? VALUE_PARSERS[expected](value) : undefined;
    if (number === undefined) invalid.push({ path: toFieldPath`data[${key}]`, configMap: name, key, value, expected, object: found! });
    return number;
  };
  const isTrue = (key: string, otherwise: boolean) => {
    const value = data[key];
    return typeof value === 'string' ? value.toLowerCase() === 'true' : otherwise;
  };
  return { found, invalid, read, isTrue };
}

/** The settings in Knative's ConfigMaps, and the values that are refused. */
interface KnativeConfigResult {
  readonly config: KnativeConfig;
  readonly invalid: readonly InvalidKnativeValue[];
}

/**
 * Reads Knative's own ConfigMaps: config-autoscaler, config-deployment, config-network and config-defaults. Values that are missing or refused have their
 * defaults.
 *
 * Source: Knative 1.21, pkg/autoscaler/config/config.go and pkg/deployment/config.go, `NewConfigFromMap`; networking, pkg/config/config.go.
 */
const readKnativeConfig = memoizePerPlan((context): KnativeConfigResult => {
  const autoscaler = readConfigMapValues(CONTEXT_KINDS.knativeAutoscaler.name, context);
  const deployment = readConfigMapValues(CONTEXT_KINDS.knativeDeployment.name, context);
  const network = readConfigMapValues(CONTEXT_KINDS.knativeNetwork.name, context);
  const defaults = readConfigMapValues(CONTEXT_KINDS.knativeDefaults.name, context);
  const allowsZeroInitialScale = autoscaler.isTrue('allow-zero-initial-scale', DEFAULT_KNATIVE_CONFIG.allowsZeroInitialScale);
  const config: KnativeConfig = {
    initialScale:
      autoscaler.read('initial-scale', allowsZeroInitialScale ? 'count' : 'count-above-zero') ?? DEFAULT_KNATIVE_CONFIG.initialScale,
    allowsZeroInitialScale,
    scalesToZero: autoscaler.isTrue('enable-scale-to-zero', DEFAULT_KNATIVE_CONFIG.scalesToZero),
    graceSeconds: autoscaler.read('scale-to-zero-grace-period', 'duration') ?? DEFAULT_KNATIVE_CONFIG.graceSeconds,
    maxScale: autoscaler.read('max-scale', 'count') ?? DEFAULT_KNATIVE_CONFIG.maxScale,
    progressDeadline: deployment.read('progress-deadline', 'duration') ?? DEFAULT_KNATIVE_CONFIG.progressDeadline,
    rolloutSeconds: network.read('rollout-duration', 'seconds') ?? DEFAULT_KNATIVE_CONFIG.rolloutSeconds,
    timeoutSeconds: defaults.found && (defaults.read('revision-timeout-seconds', 'count-above-zero') ?? DEFAULT_TIMEOUT_SECONDS),
  };
  return { config, invalid: [autoscaler, deployment, network, defaults].flatMap(({ invalid }) => invalid) };
});

/** Returns the settings in Knative's ConfigMaps for all Revisions; defaults if there are none. */
export function knativeConfigOf(context: PlanContext): KnativeConfig {
  return readKnativeConfig(context).config;
}

/** Returns the values in Knative's ConfigMaps that its webhook refuses. */
export function listInvalidKnativeValues(context: PlanContext): readonly InvalidKnativeValue[] {
  return readKnativeConfig(context).invalid;
}
