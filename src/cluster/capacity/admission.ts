import { getFieldsAt, isFields, getListAt, namespaceOf, getValueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { formatNanos, parseQuantityNanos } from '../../core/quantity';
import { memoizePerPlan } from '../context';
import type { PlanContext } from '../context';
import { CONTEXT_KINDS } from '../context-kinds';
import { containerDefaultsOf } from '../limit-range';
import type { Resources } from '../limit-range';
import { supportsPodLevelResources } from '../versions';
import { withPodSets } from '../workload';
import type { PodSet, SystemRollout } from '../workload';
import { computePodAmounts } from './pod-requests';

/** What a LimitRange fills in for a container. Of several items the last holds. Source: k/k plugin/pkg/admission/limitranger/admission.go, `defaultContainerResourceRequirements`. */
function collectContainerDefaults(limitRange: Manifest): Resources {
  let defaults: Resources = { requests: {}, limits: {} };
  for (const item of getListAt(limitRange, 'spec', 'limits')) {
    if (getValueAt(item, 'type') !== 'Container') continue;
    const { limits, requests } = containerDefaultsOf(item);
    defaults = { requests: { ...defaults.requests, ...requests }, limits: { ...defaults.limits, ...limits } };
  }
  return defaults;
}

/** Amounts by resource, and the resources for which LimitRanges name different ones. */
interface Defaults {
  readonly amounts: Record<string, unknown>;
  readonly conflicting: Set<string>;
}

/** What the LimitRanges of a namespace fill in. */
interface NamespaceDefaults {
  readonly requests: Defaults;
  readonly limits: Defaults;
}

/** Adds what one LimitRange fills in. Of different amounts the least is kept, so that no lack of room is seen where chance may find some. */
function addDefaults({ amounts, conflicting }: Defaults, added: Fields): void {
  for (const [name, value] of Object.entries(added)) {
    const known = Object.hasOwn(amounts, name) ? parseQuantityNanos(amounts[name]) : undefined;
    const amount = parseQuantityNanos(value);
    if (known !== undefined && amount !== undefined && known !== amount) conflicting.add(name);
    if (known !== undefined && (amount === undefined || known <= amount)) continue;
    Object.defineProperty(amounts, name, { value, enumerable: true, configurable: true, writable: true });
  }
}

const createDefaults = (): Defaults => ({ amounts: {}, conflicting: new Set() });

/**
 * What the LimitRanges of a namespace fill in: each what a container still leaves out, in the order of a Go map, which is chance.
 *
 * Source: k/k plugin/pkg/admission/limitranger/admission.go, `runLimitFunc` over `GetLimitRanges`, which lists an indexer.
 */
const getDefaultsByNamespace = memoizePerPlan((context) => {
  const byNamespace = new Map<string, NamespaceDefaults>();
  for (const limitRange of context.all(CONTEXT_KINDS.limitRange)) {
    const namespace = namespaceOf(limitRange) ?? '';
    const known = byNamespace.get(namespace) ?? { requests: createDefaults(), limits: createDefaults() };
    byNamespace.set(namespace, known);
    const { requests, limits } = collectContainerDefaults(limitRange);
    addDefaults(known.requests, requests);
    addDefaults(known.limits, limits);
  }
  return byNamespace;
});

/** A limit that is given is the request before any LimitRange is asked. */
function applyContainerDefaults(container: Fields, defaults: Resources): Fields {
  const limits = getFieldsAt(container, 'resources', 'limits');
  const requests = { ...limits, ...getFieldsAt(container, 'resources', 'requests') };
  const resources: Resources = { limits: { ...defaults.limits, ...limits }, requests: { ...defaults.requests, ...requests } };
  return { ...container, resources: { ...getFieldsAt(container, 'resources'), ...resources } };
}

/**
 * Requests of the pod itself are filled in before those of its containers: from what the containers ask for until then, or from its limits.
 *
 * Source: k/k pkg/apis/core/v1/defaults.go, `SetDefaults_Pod`.
 */
function withPodRequests(podSpec: Fields): Fields {
  const resources = getFieldsAt(podSpec, 'resources');
  const amounts = computePodAmounts({ ...podSpec, overhead: undefined }, 'requests');
  const requestsFromLimits = Object.keys(getFieldsAt(resources, 'limits')).map((name) => [name, formatNanos(amounts.get(name) ?? 0n)]);
  return {
    ...podSpec,
    resources: { ...resources, requests: { ...Object.fromEntries(requestsFromLimits), ...getFieldsAt(resources, 'requests') } },
  };
}

const CONTAINER_LISTS = ['containers', 'initContainers'] as const;

function withDefaults(podSpec: Fields, { requests, limits }: NamespaceDefaults): Fields {
  const defaults = { requests: requests.amounts, limits: limits.amounts };
  const lists = CONTAINER_LISTS.filter((list) => Array.isArray(podSpec[list]));
  const defaultedLists = lists.map((list) => [
    list,
    getListAt(podSpec, list).map((item) => (isFields(item) ? applyContainerDefaults(item, defaults) : item)),
  ]);
  return { ...withPodRequests(podSpec), ...Object.fromEntries(defaultedLists) };
}

/** Does a container leave out what LimitRanges fill in differently? A limit of its own is its request. */
function hasConflictingDefaults(podSpec: Fields, { requests, limits }: NamespaceDefaults): boolean {
  if (requests.conflicting.size === 0 && limits.conflicting.size === 0) return false;
  const containers = CONTAINER_LISTS.flatMap((list) => getListAt(podSpec, list).filter(isFields));
  return containers.some((container) => {
    const own = getFieldsAt(container, 'resources', 'limits');
    const ownRequests = getFieldsAt(container, 'resources', 'requests');
    const isMissing = (name: string) => !Object.hasOwn(own, name);
    return (
      [...limits.conflicting].some(isMissing) ||
      [...requests.conflicting].some((name) => isMissing(name) && !Object.hasOwn(ownRequests, name))
    );
  });
}

/**
 * Pods as the API server admits them: with what the LimitRanges of their namespace fill in,
 * and without resources of the pod itself in versions that drop them.
 *
 * A LimitRange that refuses them, for its minimum, maximum or ratio, is a limit on their room (`limit-range-refusal.ts`).
 */
export function applyLimitRangeToPods<Pods extends PodSet>(pods: Pods, context: PlanContext): Pods {
  const defaults = getDefaultsByNamespace(context).get(pods.namespace ?? '');
  const podSpec = getFieldsAt(pods.template, 'spec');
  const dropsResources = podSpec.resources !== undefined && !supportsPodLevelResources(context.versions.kubernetes);
  if (!defaults && !dropsResources) return pods;
  const keptSpec = dropsResources ? { ...podSpec, resources: undefined } : podSpec;
  const spec = defaults ? withDefaults(keptSpec, defaults) : keptSpec;
  const hasConflicts = defaults !== undefined && !pods.hasDefaultedResources && hasConflictingDefaults(keptSpec, defaults);
  return { ...pods, template: { ...pods.template, spec }, ...(hasConflicts && { hasConflictingDefaults: hasConflicts }) };
}

/** Rollouts with their pods as the API server admits them. */
export function applyLimitRange(rollout: SystemRollout, context: PlanContext): SystemRollout {
  return withPodSets(rollout, (pods) => applyLimitRangeToPods(pods, context));
}
