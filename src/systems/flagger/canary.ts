import { autoscalerOf } from '../../cluster/autoscaler';
import type { Autoscaler } from '../../cluster/autoscaler';
import type { PlanContext } from '../../cluster/context';
import { memoizePerPlan } from '../../cluster/context';
import { CONTEXT_KINDS } from '../../cluster/context-kinds';
import { isInt32 } from '../../core/int-or-percent';
import { getFieldsAt, getValueAt, groupOf, nameOf, namespaceOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';

/*
 * A Canary of Flagger and the Deployments that it works with. Source: Flagger v1.44.0, pkg/canary/deployment_controller.go
 * (`ScaleFromZero`, `Promote`, `createPrimaryDeployment`), pkg/controller/scheduler.go.
 */

function keyOf(namespace: string | undefined, kind: unknown, name: unknown): string {
  return JSON.stringify([namespace ?? '', kind, name]);
}

const getCanariesByTarget = memoizePerPlan((context) => {
  const byTarget = new Map<string, Manifest>();
  for (const canary of context.all(CONTEXT_KINDS.flaggerCanary)) {
    const { apiVersion = 'apps/v1', kind, name } = getFieldsAt(canary, 'spec', 'targetRef');
    if (typeof apiVersion !== 'string' || groupOf({ apiVersion }) !== 'apps') continue;
    byTarget.set(keyOf(namespaceOf(canary), kind, name), canary);
  }
  return byTarget;
});

/** Returns the Canary that targets a Deployment or DaemonSet. Undefined if none in the input does. */
export function findCanary(object: Manifest, context: PlanContext): Manifest | undefined {
  if (groupOf(object) !== 'apps') return undefined;
  const byTarget = getCanariesByTarget(context);
  return byTarget.size === 0 ? undefined : byTarget.get(keyOf(namespaceOf(object), object.kind, nameOf(object)));
}

/** Returns the name of the Deployment that serves: `web-primary`. */
export function primaryNameOf(target: Manifest): string {
  return `${nameOf(target)}-primary`;
}

/** Labels that may distinguish the pods of the primary, in the order in which Flagger looks for them. Source: pkg/canary/util.go. */
const SELECTOR_LABELS = ['app', 'name', 'app.kubernetes.io/name'];

/** Returns labels as the primary has them: the value of the selector label gets the suffix `-primary`. */
export function toPrimaryLabels(target: Manifest, labels: Readonly<Record<string, unknown>>): Record<string, string> {
  const selected = getFieldsAt(target, 'spec', 'selector', 'matchLabels');
  const label = SELECTOR_LABELS.find((name) => Object.hasOwn(selected, name));
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [name, name === label ? `${String(value)}-primary` : String(value)]),
  );
}

/** Pod counts of a target and its primary. */
export interface FlaggerPods {
  /** Pods that the target has during an analysis. */
  readonly canary: number;
  /** Pods of the primary after the promotion. */
  readonly primary: number;
  /** The autoscaler that Flagger copies for the primary. @default - the Canary names none */
  readonly autoscaler?: Autoscaler;
}

function readReplicas(object: Manifest | undefined): number | undefined {
  const replicas = getValueAt(object, 'spec', 'replicas');
  return isInt32(replicas) && replicas > 0 ? replicas : undefined;
}

function findPrimary(target: Manifest, context: PlanContext): Manifest | undefined {
  return context
    .all({ group: 'apps', kind: target.kind })
    .find((object) => nameOf(object) === primaryNameOf(target) && namespaceOf(object) === namespaceOf(target));
}

/**
 * Counts the pods of an analysis and of the primary. The target is scaled to its own replicas, else to those of the primary or to the minimum of
 * the autoscaler, else to 1. Without an autoscaler the promotion copies that number to the primary.
 */
export function countFlaggerPods(target: Manifest, canary: Manifest, context: PlanContext): FlaggerPods {
  const own = readReplicas(target);
  const running = readReplicas(findPrimary(target, context));
  if (getFieldsAt(canary, 'spec').autoscalerRef === undefined) {
    const pods = own ?? running ?? 1;
    return { canary: pods, primary: pods };
  }
  const autoscaler = autoscalerOf(target, context);
  const minimum = Math.max(1, autoscaler?.minimum ?? 1);
  return { canary: own ?? minimum, primary: running ?? minimum, ...(autoscaler && { autoscaler }) };
}

/** Reports whether the user has switched the Canary off. */
export function isSuspended(canary: Manifest): boolean {
  return getFieldsAt(canary, 'spec').suspend === true;
}
