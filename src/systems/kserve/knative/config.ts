import { oncePerPlan } from '../../../cluster/context';
import type { PlanContext } from '../../../cluster/context';
import { CONTEXT_KINDS } from '../../../cluster/context-kinds';
import { durationNanos } from '../../../core/go-duration';
import { at } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { MAX_INT32 } from '../../../core/int-or-percent';
import { fieldsAt, nameOf, namespaceOf } from '../../../core/manifest';
import type { Manifest } from '../../../core/manifest';
import { knativeValueFinding } from '../rules/invalid-knative-config';
import type { KnativeValueType } from '../rules/invalid-knative-config';

/** What the operators of a cluster say of all Revisions, as far as a rollout can tell. */
export interface KnativeConfig {
  /** Pods with which a Revision begins that says nothing of it. */
  readonly initialScale: number;
  readonly allowsZeroInitialScale: boolean;
  /** Where not, every Revision keeps a pod for good. */
  readonly scalesToZero: boolean;
  /** Seconds that an old Revision without requests keeps its pods. */
  readonly graceSeconds: number;
  /** Pods at most of a Revision that says nothing of it; 0 is no limit. */
  readonly maxScale: number;
  /** Seconds after which a Revision counts as failed none of whose pods is ready. */
  readonly progressDeadline: number;
  /** Seconds over which requests move to a new Revision. */
  readonly rolloutSeconds: number;
}

/** Source: Knative 1.21, config/core/configmaps, and the defaults of pkg/autoscaler/config, pkg/deployment, networking's pkg/config. */
const SHIPPED: KnativeConfig = {
  initialScale: 1,
  allowsZeroInitialScale: false,
  scalesToZero: true,
  graceSeconds: 30,
  maxScale: 0,
  progressDeadline: 600,
  rolloutSeconds: 0,
};

const NAMESPACE = 'knative-serving';

/** A ConfigMap's values with what is wrong in them. */
interface Values {
  readonly found: Manifest | undefined;
  readonly findings: Finding[];
  /** The value of a key; undefined where it is missing or refused. */
  read(key: string, wanted: KnativeValueType): number | undefined;
  isTrue(key: string, otherwise: boolean): boolean;
}

function wholeNumber(text: string): number | undefined {
  const digits = text.trim();
  return /^[0-9]{1,10}$/.test(digits) && Number(digits) <= MAX_INT32 ? Number(digits) : undefined;
}

function durationSeconds(text: string): number | undefined {
  const nanos = durationNanos(text.trim());
  return nanos === undefined || nanos <= 0n ? undefined : Number(nanos) / 1e9;
}

const READERS: Readonly<Record<KnativeValueType, (text: string) => number | undefined>> = {
  count: wholeNumber,
  'count-above-zero': (text) => wholeNumber(text) || undefined,
  duration: durationSeconds,
  seconds: wholeNumber,
};

/** The ConfigMap of that name in Knative's namespace, or of none at all. */
function valuesOf(name: string, context: PlanContext): Values {
  const found = context
    .all(CONTEXT_KINDS.knativeAutoscaler)
    .find((object) => nameOf(object) === name && [NAMESPACE, undefined].includes(namespaceOf(object)));
  const data = fieldsAt(found, 'data');
  const findings: Finding[] = [];
  const read = (key: string, wanted: KnativeValueType) => {
    const value = data[key];
    if (value === undefined || value === null) return undefined;
    const number = typeof value === 'string' ? READERS[wanted](value) : undefined;
    if (number === undefined) findings.push(knativeValueFinding(at`data[${key}]`, { configMap: name, key, value, wanted }));
    return number;
  };
  const isTrue = (key: string, otherwise: boolean) => {
    const value = data[key];
    return typeof value === 'string' ? value.toLowerCase() === 'true' : otherwise;
  };
  return { found, findings, read, isTrue };
}

/** What Knative's ConfigMaps in view say, and what is wrong in them. */
interface KnativeReading {
  readonly config: KnativeConfig;
  readonly findings: readonly Finding[];
}

/**
 * What Knative's own ConfigMaps say: config-autoscaler, config-deployment and config-network. What is in none, or is refused, is as shipped.
 *
 * Source: Knative 1.21, pkg/autoscaler/config/config.go and pkg/deployment/config.go, `NewConfigFromMap`; networking, pkg/config/config.go.
 */
const readingOf = oncePerPlan((context): KnativeReading => {
  const autoscaler = valuesOf(CONTEXT_KINDS.knativeAutoscaler.name, context);
  const deployment = valuesOf(CONTEXT_KINDS.knativeDeployment.name, context);
  const network = valuesOf(CONTEXT_KINDS.knativeNetwork.name, context);
  const allowsZeroInitialScale = autoscaler.isTrue('allow-zero-initial-scale', SHIPPED.allowsZeroInitialScale);
  const config: KnativeConfig = {
    initialScale: autoscaler.read('initial-scale', allowsZeroInitialScale ? 'count' : 'count-above-zero') ?? SHIPPED.initialScale,
    allowsZeroInitialScale,
    scalesToZero: autoscaler.isTrue('enable-scale-to-zero', SHIPPED.scalesToZero),
    graceSeconds: autoscaler.read('scale-to-zero-grace-period', 'duration') ?? SHIPPED.graceSeconds,
    maxScale: autoscaler.read('max-scale', 'count') ?? SHIPPED.maxScale,
    progressDeadline: deployment.read('progress-deadline', 'duration') ?? SHIPPED.progressDeadline,
    rolloutSeconds: network.read('rollout-duration', 'seconds') ?? SHIPPED.rolloutSeconds,
  };
  const findings = [autoscaler, deployment, network].flatMap((values) =>
    values.findings.map((finding) => {
      const source = values.found && context.locate(values.found, finding.path);
      return source ? { ...finding, source } : finding;
    }),
  );
  return { config, findings };
});

/** What Knative's ConfigMaps in view say of all Revisions; as shipped where there are none. */
export function knativeConfigOf(context: PlanContext): KnativeConfig {
  return readingOf(context).config;
}

/** Values in them that Knative refuses. */
export function knativeConfigFindings(context: PlanContext): readonly Finding[] {
  return readingOf(context).findings;
}
