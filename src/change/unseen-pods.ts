import { isLive } from '../appliers/live-object';
import type { PlanContext } from '../cluster/context';
import type { ApplyEffect } from '../core/change';
import { getListAt, getOwnValue, getValueAt, groupOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { findTarget } from '../systems/flagger/canary';
import { fleetSystem } from '../systems/fleet/system';
import type { ObjectComparison } from './object-comparison';

type UnseenEffect = Extract<ApplyEffect, 'create' | 'delete'>;

/** How objects of a kind concern pods that may not be in view. */
interface UnseenPods {
  /** Reports whether the objects in view show the pods. */
  readonly areSeen: (object: Manifest, context: PlanContext) => boolean;
  /** Fields that decide about the pods. @default - none of an object that stays */
  readonly fields?: readonly string[];
  /** The only effect besides that of its fields by which it concerns pods and is not counted elsewhere. @default - a new and a deleted one do */
  readonly only?: UnseenEffect;
}

/** Fleet deploys bundles to the clusters that they select, with values of each. */
function hasBundles(_: Manifest, context: PlanContext): boolean {
  return context.objects.some((object) => fleetSystem.recognises(object));
}

/** Reports whether the target of a Canary of Flagger is in view, or has no pods. */
function hasTarget(canary: Manifest, context: PlanContext): boolean {
  return getValueAt(canary, 'spec', 'targetRef', 'kind') === 'Service' || findTarget(canary, context) !== undefined;
}

const PROXY_FIELDS = ['spec', 'metadata.labels', 'metadata.annotations'];

/** Kinds that plans read or that replace no pod by themselves, and whose controllers may create, replace or delete pods out of view. */
const UNSEEN_PODS: Readonly<Record<string, UnseenPods>> = {
  'fleet.cattle.io/Cluster': { areSeen: hasBundles, fields: ['metadata.labels', 'metadata.annotations', 'spec'] },
  'fleet.cattle.io/ClusterGroup': { areSeen: hasBundles, fields: ['spec.selector'] },
  'fleet.cattle.io/GitRepo': { areSeen: hasBundles, only: 'create' },
  'fleet.cattle.io/BundleDeployment': { areSeen: () => false, only: 'create' },
  'flagger.app/Canary': { areSeen: hasTarget, fields: ['spec.targetRef'] },
  // Istio and Envoy Gateway run proxies for each Gateway.
  'gateway.networking.k8s.io/Gateway': { areSeen: () => false, fields: PROXY_FIELDS },
  'gateway.networking.k8s.io/GatewayClass': { areSeen: () => false, fields: PROXY_FIELDS },
  // The garbage collector deletes its Jobs that still run.
  'batch/CronJob': {
    areSeen: (object) => isLive(object) && getListAt(object, 'status', 'active').length === 0,
    only: 'delete',
  },
};

function findUnseenPods(object: Manifest, context: PlanContext): UnseenPods | undefined {
  const found = getOwnValue(UNSEEN_PODS, `${groupOf(object)}/${object.kind}`);
  return found?.areSeen(object, context) === false ? found : undefined;
}

/** Reports whether a new or deleted object concerns pods that no object in view shows. */
export function hasUnseenPods(object: Manifest, effect: UnseenEffect, context: PlanContext): boolean {
  const found = findUnseenPods(object, context);
  return found !== undefined && (found.only ?? effect) === effect;
}

/** Reports whether a changed object concerns pods that no object in view shows. */
export function mayChangeUnseenPods({ next, differences }: ObjectComparison, context: PlanContext): boolean {
  const fields = findUnseenPods(next, context)?.fields ?? [];
  // A cluster of Fleet that is paused is left as it is.
  const isPaused = (path: string) => path === 'spec.paused' && getValueAt(next, 'spec', 'paused') === true;
  const isIn = (path: string, field: string) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
  return differences.some(({ path }) => !isPaused(path) && fields.some((field) => isIn(path, field)));
}
