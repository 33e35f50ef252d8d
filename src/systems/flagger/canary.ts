import type { PlanContext } from '../../cluster/context/context';
import { memoizePerPlan } from '../../cluster/context/context';
import { CONTEXT_KINDS } from '../../cluster/kinds/context-kinds';
import type { ContextKind } from '../../cluster/kinds/context-kinds';
import type { ReplicaRange } from '../../cluster/rollout/workload';
import { isInt32 } from '../../core/values/int-or-percent';
import { getFieldsAt, getListAt, getValueAt, groupOf, isFields, kindKeyOf, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { toSafeText } from '../../core/text/value-text';

/*
 * A Canary of Flagger and the Deployments that it works with. Source: Flagger v1.44.0, pkg/canary/deployment_controller.go
 * (`ScaleFromZero`, `Promote`, `createPrimaryDeployment`), hpa_reconciler.go, scaled_object_reconciler.go, util.go.
 */

function keyOf(namespace: string | undefined, kind: unknown, name: unknown): string {
  return JSON.stringify([namespace ?? '', kind, name]);
}

/** The only version that Flagger reads. A Canary of another one replaces no pods. */
const SERVED_VERSION = 'flagger.app/v1beta1';

const getCanariesByTarget = memoizePerPlan((context) => {
  const byTarget = new Map<string, Manifest>();
  for (const canary of context.all(CONTEXT_KINDS.flaggerCanary)) {
    const { apiVersion = 'apps/v1', kind, name } = getFieldsAt(canary, 'spec', 'targetRef');
    if (canary.apiVersion !== SERVED_VERSION || typeof apiVersion !== 'string' || groupOf({ apiVersion }) !== 'apps') continue;
    byTarget.set(keyOf(namespaceOf(canary), kind, name), canary);
  }
  return byTarget;
});

/** Workloads that a Canary may target. The API server refuses any other kind by Flagger's definition. */
const TARGET_KINDS: ReadonlySet<string> = new Set(['apps/DaemonSet', 'apps/Deployment']);

/**
 * Returns the Canary whose target an object is. Undefined if there is none, or if Flagger cannot work with its selector and has not made a
 * primary of it.
 */
export function findCanary(object: Manifest, context: PlanContext): Manifest | undefined {
  if (!TARGET_KINDS.has(kindKeyOf(object))) return undefined;
  const byTarget = getCanariesByTarget(context);
  const canary = byTarget.size === 0 ? undefined : byTarget.get(keyOf(namespaceOf(object), object.kind, nameOf(object)));
  return canary && (findSelectorLabel(object) !== undefined || isInitialized(canary) || findPrimary(object, context)) ? canary : undefined;
}

/** Reports whether Flagger has made the primary, by the status of a live Canary. */
export function isInitialized(canary: Manifest): boolean {
  const phase = getValueAt(canary, 'status', 'phase');
  return typeof phase === 'string' && phase !== '' && phase !== 'Initializing';
}

/** Returns the workload of the input that a Canary targets. */
export function findTarget(canary: Manifest, context: PlanContext): Manifest | undefined {
  const { kind, name } = getFieldsAt(canary, 'spec', 'targetRef');
  if (typeof kind !== 'string') return undefined;
  return context.all({ group: 'apps', kind }).find((object) => nameOf(object) === name && namespaceOf(object) === namespaceOf(canary));
}

/** Returns the name of the Deployment that serves: `web-primary`. */
export function primaryNameOf(target: Manifest): string {
  return `${nameOf(target)}-primary`;
}

/** Labels that may distinguish the pods of the primary, in the order in which Flagger looks for them: the default of `-selector-labels`. */
export const SELECTOR_LABELS = ['app', 'name', 'app.kubernetes.io/name'];

/** Returns the label that distinguishes the pods of the primary. Undefined if the selector has none of those that Flagger looks for. */
export function findSelectorLabel(target: Manifest): string | undefined {
  const selected = getFieldsAt(target, 'spec', 'selector', 'matchLabels');
  return SELECTOR_LABELS.find((name) => Object.hasOwn(selected, name));
}

/** Returns the selector of the primary: one label, whose value gets the suffix `-primary`. */
export function primarySelectorOf(target: Manifest): Record<string, string> {
  const label = findSelectorLabel(target);
  return label === undefined ? {} : { [label]: `${toSafeText(getFieldsAt(target, 'spec', 'selector', 'matchLabels')[label])}-primary` };
}

/** Labels that Flux writes, which the primary does not get. */
const FLUX_MARKER = 'toolkit.fluxcd.io';

/** Returns the labels of the primary's pods. */
function toPrimaryLabels(target: Manifest, labels: Fields): Record<string, unknown> {
  const kept = Object.entries(labels).filter(([name]) => !name.includes(FLUX_MARKER));
  return { ...Object.fromEntries(kept), ...primarySelectorOf(target) };
}

/** Returns a label selector of the target's pods as one of the primary's. Flagger compares the values with the name of the target. */
function toPrimaryLabelSelector(selector: unknown, name: string): unknown {
  if (!isFields(selector)) return selector;
  const { matchLabels, matchExpressions } = selector;
  const rename = (label: unknown, value: unknown) =>
    SELECTOR_LABELS.includes(toSafeText(label)) && value === name ? `${name}-primary` : value;
  return {
    ...selector,
    ...(isFields(matchLabels) && {
      matchLabels: Object.fromEntries(Object.entries(matchLabels).map(([label, value]) => [label, rename(label, value)])),
    }),
    ...(Array.isArray(matchExpressions) && {
      matchExpressions: matchExpressions.map((expression: unknown) =>
        isFields(expression) && Array.isArray(expression.values)
          ? { ...expression, values: expression.values.map((value: unknown) => rename(expression.key, value)) }
          : expression,
      ),
    }),
  };
}

function toPrimaryTerm(term: unknown, name: string): unknown {
  return isFields(term) ? { ...term, labelSelector: toPrimaryLabelSelector(term.labelSelector, name) } : term;
}

function mapList(fields: Fields, list: string, map: (item: unknown) => unknown): Fields {
  return Array.isArray(fields[list]) ? { ...fields, [list]: getListAt(fields, list).map(map) } : fields;
}

/** Returns the pod spec as the primary has it: spread constraints and anti-affinity look at the pods of the primary. */
function toPrimaryPodSpec(target: Manifest, podSpec: Fields): Fields {
  const name = nameOf(target);
  const spread = mapList(podSpec, 'topologySpreadConstraints', (constraint) => toPrimaryTerm(constraint, name));
  const antiAffinity = getValueAt(spread, 'affinity', 'podAntiAffinity');
  if (!isFields(antiAffinity)) return spread;
  const required = mapList(antiAffinity, 'requiredDuringSchedulingIgnoredDuringExecution', (term) => toPrimaryTerm(term, name));
  const all = mapList(required, 'preferredDuringSchedulingIgnoredDuringExecution', (preferred) =>
    isFields(preferred) ? { ...preferred, podAffinityTerm: toPrimaryTerm(preferred.podAffinityTerm, name) } : preferred,
  );
  return { ...spread, affinity: { ...getFieldsAt(spread, 'affinity'), podAntiAffinity: all } };
}

/** Returns the pod template as the primary has it. */
export function toPrimaryTemplate(target: Manifest): Fields {
  const template = getFieldsAt(target, 'spec', 'template');
  const metadata = getFieldsAt(template, 'metadata');
  return {
    ...template,
    metadata: { ...metadata, labels: toPrimaryLabels(target, getFieldsAt(metadata, 'labels')) },
    spec: toPrimaryPodSpec(target, getFieldsAt(template, 'spec')),
  };
}

/** Pod counts of a target and its primary. */
export interface FlaggerPods {
  /** Pods that the target has during an analysis. */
  readonly canary: number;
  /** Pods of the primary after the promotion. */
  readonly primary: number;
  /** Range of the autoscaler that Flagger makes for the primary. @default - the Canary names none that is in view */
  readonly autoscaler?: ReplicaRange;
}

function readReplicas(object: Manifest | undefined): number | undefined {
  const replicas = getValueAt(object, 'spec', 'replicas');
  return isInt32(replicas) && replicas > 0 ? replicas : undefined;
}

/** Returns the primary if it is in the input. */
export function findPrimary(target: Manifest, context: PlanContext): Manifest | undefined {
  return context
    .all({ group: 'apps', kind: target.kind })
    .find((object) => nameOf(object) === primaryNameOf(target) && namespaceOf(object) === namespaceOf(target));
}

/** Returns the pods of the primary that runs. Undefined if it is not in the input. */
export function countPrimaryPods(primary: Manifest | undefined): number | undefined {
  return readReplicas(primary);
}

/** How the autoscalers that a Canary may refer to name their limits, and the defaults. */
const AUTOSCALERS: readonly (ContextKind & {
  readonly minimum: readonly [field: string, fallback: number];
  readonly maximum: readonly [field: string, fallback: number];
})[] = [
  { ...CONTEXT_KINDS.horizontalPodAutoscaler, minimum: ['minReplicas', 1], maximum: ['maxReplicas', 1] },
  { ...CONTEXT_KINDS.scaledObject, minimum: ['minReplicaCount', 0], maximum: ['maxReplicaCount', 100] },
];

function readLimit(spec: Fields, field: string): number | undefined {
  const value = spec[field];
  return isInt32(value) && value >= 0 ? value : undefined;
}

/** Returns the minimum of the autoscaler that a Canary refers to, and the range of the copy that scales the primary. */
function readAutoscaler(canary: Manifest, context: PlanContext): { readonly minimum: number; readonly primary: ReplicaRange } | undefined {
  const ref = getFieldsAt(canary, 'spec', 'autoscalerRef');
  const autoscaler = AUTOSCALERS.find(({ kind }) => kind === ref.kind);
  const object = autoscaler && context.all(autoscaler).find((one) => nameOf(one) === ref.name && namespaceOf(one) === namespaceOf(canary));
  if (!object) return undefined;
  const spec = getFieldsAt(object, 'spec');
  const minimum = readLimit(spec, autoscaler.minimum[0]) ?? autoscaler.minimum[1];
  const own = getFieldsAt(ref, 'primaryScalerReplicas');
  const primaryMinimum = readLimit(own, 'minReplicas') ?? minimum;
  const primaryMaximum = readLimit(own, 'maxReplicas') ?? readLimit(spec, autoscaler.maximum[0]) ?? autoscaler.maximum[1];
  return {
    minimum,
    primary: {
      by: `${autoscaler.kind} "${nameOf(object)}-primary"`,
      minimum: primaryMinimum,
      maximum: Math.max(primaryMinimum, primaryMaximum),
    },
  };
}

/**
 * Counts the pods of an analysis and of the primary. The target is scaled to its own replicas, else to those of the primary or to the minimum of
 * the autoscaler, else to 1. Without an autoscaler the promotion copies that number to the primary.
 *
 * @param running pods of the primary, if they are known
 */
export function countFlaggerPods(target: Manifest, canary: Manifest, context: PlanContext, running?: number): FlaggerPods {
  const own = readReplicas(target);
  if (getFieldsAt(canary, 'spec').autoscalerRef === undefined) {
    const pods = own ?? running ?? 1;
    return { canary: pods, primary: pods };
  }
  const autoscaler = readAutoscaler(canary, context);
  const primary = running ?? Math.max(1, autoscaler?.primary.minimum ?? 1);
  return {
    canary: own ?? Math.max(1, autoscaler?.minimum ?? 1),
    primary,
    ...(autoscaler && { autoscaler: autoscaler.primary }),
  };
}

/** Reports whether the user has switched the Canary off. */
export function isSuspended(canary: Manifest): boolean {
  return getFieldsAt(canary, 'spec').suspend === true;
}
