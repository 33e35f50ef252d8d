import { fieldsAt, isFields, listAt, namespaceOf, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { formatNanos, nanosOf } from '../../core/quantity';
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

/** Amounts by resource, and the resources for which LimitRanges name different ones. */
interface Defaults {
  readonly amounts: Record<string, unknown>;
  readonly differing: Set<string>;
}

/** What the LimitRanges of a namespace fill in. */
interface NamespaceDefaults {
  readonly requests: Defaults;
  readonly limits: Defaults;
}

/** Adds what one LimitRange fills in. Of different amounts the least is kept, so that no lack of room is seen where chance may find some. */
function addDefaults({ amounts, differing }: Defaults, added: Fields): void {
  for (const [name, value] of Object.entries(added)) {
    const known = Object.hasOwn(amounts, name) ? nanosOf(amounts[name]) : undefined;
    const amount = nanosOf(value);
    if (known !== undefined && amount !== undefined && known !== amount) differing.add(name);
    if (known !== undefined && (amount === undefined || known <= amount)) continue;
    Object.defineProperty(amounts, name, { value, enumerable: true, configurable: true, writable: true });
  }
}

const noDefaults = (): Defaults => ({ amounts: {}, differing: new Set() });

/**
 * What the LimitRanges of a namespace fill in: each what a container still leaves out, in the order of a Go map, which is chance.
 *
 * Source: k/k plugin/pkg/admission/limitranger/admission.go, `runLimitFunc` over `GetLimitRanges`, which lists an indexer.
 */
const defaultsByNamespace = oncePerPlan((context) => {
  const byNamespace = new Map<string, NamespaceDefaults>();
  for (const limitRange of context.all(CONTEXT_KINDS.limitRange)) {
    const namespace = namespaceOf(limitRange) ?? '';
    const known = byNamespace.get(namespace) ?? { requests: noDefaults(), limits: noDefaults() };
    byNamespace.set(namespace, known);
    const { requests, limits } = containerDefaults(limitRange);
    addDefaults(known.requests, requests);
    addDefaults(known.limits, limits);
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

const CONTAINER_LISTS = ['containers', 'initContainers'] as const;

function withDefaults(podSpec: Fields, { requests, limits }: NamespaceDefaults): Fields {
  const defaults = { requests: requests.amounts, limits: limits.amounts };
  const lists = CONTAINER_LISTS.filter((list) => Array.isArray(podSpec[list]));
  const filled = lists.map((list) => [list, listAt(podSpec, list).map((item) => (isFields(item) ? filledIn(item, defaults) : item))]);
  return { ...withOwnRequests(podSpec), ...Object.fromEntries(filled) };
}

/** Does a container leave out what LimitRanges fill in differently? A limit of its own is its request. */
function takesDiffering(podSpec: Fields, { requests, limits }: NamespaceDefaults): boolean {
  if (requests.differing.size === 0 && limits.differing.size === 0) return false;
  const containers = CONTAINER_LISTS.flatMap((list) => listAt(podSpec, list).filter(isFields));
  return containers.some((container) => {
    const own = fieldsAt(container, 'resources', 'limits');
    const asked = fieldsAt(container, 'resources', 'requests');
    const isLeftOut = (name: string) => !Object.hasOwn(own, name);
    return [...limits.differing].some(isLeftOut) || [...requests.differing].some((name) => isLeftOut(name) && !Object.hasOwn(asked, name));
  });
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
  const defaultsDiffer = defaults !== undefined && !pods.resourcesAreFilledIn && takesDiffering(kept, defaults);
  return { ...pods, template: { ...pods.template, spec }, ...(defaultsDiffer && { defaultsDiffer }) };
}

/** Rollouts with their pods as the API server admits them. */
export function admittedRollout(rollout: SystemRollout, context: PlanContext): SystemRollout {
  return withPodSets(rollout, (pods) => admittedPods(pods, context));
}
