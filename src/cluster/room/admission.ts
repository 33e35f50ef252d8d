import { fieldsAt, isFields, listAt, namespaceOf, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { formatNanos } from '../../core/quantity';
import { oncePerPlan } from '../context';
import type { PlanContext } from '../context';
import { CONTEXT_KINDS } from '../context-kinds';
import { containerDefaultsOf } from '../limit-range';
import type { Resources } from '../limit-range';
import { keepsPodResources } from '../versions';
import { withPodSets } from '../workload';
import type { PodSet, SystemRollout } from '../workload';
import { podAmounts } from './pod-requests';

/** What a LimitRange fills in for a container. Of several items the last holds. Source: k/k plugin/pkg/admission/limitranger/admission.go, `defaultContainerResourceRequirements`. */
function containerDefaults(limitRange: Manifest): Resources {
  let defaults: Resources = { requests: {}, limits: {} };
  for (const item of listAt(limitRange, 'spec', 'limits')) {
    if (valueAt(item, 'type') !== 'Container') continue;
    const { limits, requests } = containerDefaultsOf(item);
    defaults = { requests: { ...defaults.requests, ...requests }, limits: { ...defaults.limits, ...limits } };
  }
  return defaults;
}

/** What is missing in `into`, taken from another. */
function addMissing(into: Record<string, unknown>, from: Fields): void {
  for (const [name, value] of Object.entries(from)) {
    if (!Object.hasOwn(into, name)) Object.defineProperty(into, name, { value, enumerable: true, configurable: true, writable: true });
  }
}

/** What all LimitRanges of a namespace fill in: of several the first holds. */
const defaultsByNamespace = oncePerPlan((context) => {
  const byNamespace = new Map<string, { readonly requests: Record<string, unknown>; readonly limits: Record<string, unknown> }>();
  for (const limitRange of context.all(CONTEXT_KINDS.limitRange)) {
    const namespace = namespaceOf(limitRange) ?? '';
    const known = byNamespace.get(namespace) ?? { requests: {}, limits: {} };
    byNamespace.set(namespace, known);
    const { requests, limits } = containerDefaults(limitRange);
    addMissing(known.requests, requests);
    addMissing(known.limits, limits);
  }
  return byNamespace;
});

/** A limit that is given is the request before any LimitRange is asked. */
function filledIn(container: Fields, defaults: Resources): Fields {
  const limits = fieldsAt(container, 'resources', 'limits');
  const requests = { ...limits, ...fieldsAt(container, 'resources', 'requests') };
  const resources: Resources = { limits: { ...defaults.limits, ...limits }, requests: { ...defaults.requests, ...requests } };
  return { ...container, resources: { ...fieldsAt(container, 'resources'), ...resources } };
}

/**
 * Requests of the pod itself are filled in before those of its containers: from what the containers ask for until then, or from its limits.
 *
 * Source: k/k pkg/apis/core/v1/defaults.go, `SetDefaults_Pod`.
 */
function withOwnRequests(podSpec: Fields): Fields {
  const resources = fieldsAt(podSpec, 'resources');
  const amounts = podAmounts({ ...podSpec, overhead: undefined }, 'requests');
  const ofLimits = Object.keys(fieldsAt(resources, 'limits')).map((name) => [name, formatNanos(amounts.get(name) ?? 0n)]);
  return { ...podSpec, resources: { ...resources, requests: { ...Object.fromEntries(ofLimits), ...fieldsAt(resources, 'requests') } } };
}

function withDefaults(podSpec: Fields, defaults: Resources): Fields {
  const lists = ['containers', 'initContainers'].filter((list) => Array.isArray(podSpec[list]));
  const filled = lists.map((list) => [list, listAt(podSpec, list).map((item) => (isFields(item) ? filledIn(item, defaults) : item))]);
  return { ...withOwnRequests(podSpec), ...Object.fromEntries(filled) };
}

/**
 * Pods as the API server admits them: with what the LimitRanges of their namespace fill in,
 * and without resources of the pod itself in versions that drop them.
 *
 * A LimitRange that refuses them, for its minimum, maximum or ratio, is a limit on their room (`limit-range-refusal.ts`).
 */
export function admittedPods<Pods extends PodSet>(pods: Pods, context: PlanContext): Pods {
  const defaults = defaultsByNamespace(context).get(pods.namespace ?? '');
  const podSpec = fieldsAt(pods.template, 'spec');
  const dropsResources = podSpec.resources !== undefined && !keepsPodResources(context.versions.kubernetes);
  if (!defaults && !dropsResources) return pods;
  const kept = dropsResources ? { ...podSpec, resources: undefined } : podSpec;
  const spec = defaults ? withDefaults(kept, defaults) : kept;
  return { ...pods, template: { ...pods.template, spec } };
}

/** Rollouts with their pods as the API server admits them. */
export function admittedRollout(rollout: SystemRollout, context: PlanContext): SystemRollout {
  return withPodSets(rollout, (pods) => admittedPods(pods, context));
}
