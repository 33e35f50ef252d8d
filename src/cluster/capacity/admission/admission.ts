import { getFieldsAt, isFields, getListAt, nameOf, namespaceOf, getValueAt } from '../../../core/manifest/manifest';
import type { Fields, Manifest } from '../../../core/manifest/manifest';
import { formatNanos, parseQuantityNanos } from '../../../core/values/quantity';
import { memoizePerPlan } from '../../context/context';
import type { PlanContext } from '../../context/context';
import { CONTEXT_KINDS } from '../../kinds/context-kinds';
import { containerDefaultsOf } from './limit-range';
import type { Resources } from './limit-range';
import type { PodSet } from '../../rollout/pod-set';
import { withPodSets } from '../../rollout/system-rollout';
import type { SystemRollout } from '../../rollout/system-rollout';
import { supportsPodLevelResources } from '../../kinds/versions';
import { computePodAmounts } from '../pod-requests';
import { applyRuntimeClass, findRuntimeClass } from './runtime-class';

/**
 * Largest number of resources that a LimitRange fills in. No cluster has as many, and the server stores no object that has them in each of its
 * containers.
 */
const MAX_DEFAULTS = 1_000;

/**
 * Returns what a LimitRange fills in for a container. The last of several items wins. Source: k/k
 * plugin/pkg/admission/limitranger/admission.go, `defaultContainerResourceRequirements`.
 */
function collectContainerDefaults(limitRange: Manifest): Resources {
  const items = getListAt(limitRange, 'spec', 'limits')
    .filter((item) => getValueAt(item, 'type') === 'Container')
    .map(containerDefaultsOf);
  const merge = (part: keyof Resources) =>
    Object.fromEntries([...new Map(items.flatMap((item) => Object.entries(item[part])))].slice(0, MAX_DEFAULTS));
  return { requests: merge('requests'), limits: merge('limits') };
}

/** Default amounts by resource, and the resources for which LimitRanges have different ones. */
interface Defaults {
  readonly amounts: Record<string, unknown>;
  readonly conflicting: Set<string>;
}

/** Defaults from the LimitRanges of a namespace. */
interface NamespaceDefaults {
  readonly requests: Defaults;
  readonly limits: Defaults;
}

/**
 * Adds the defaults of one LimitRange. The smallest of different amounts is kept, so that no shortage is reported that random order may
 * avoid.
 */
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
 * Returns the defaults from the LimitRanges of each namespace. Each one fills in what a container still lacks, in the random order of a Go
 * map.
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

/** Applies defaults to a container. A limit becomes the request before any LimitRange applies. */
function applyContainerDefaults(container: Fields, defaults: Resources): Fields {
  const limits = getFieldsAt(container, 'resources', 'limits');
  const requests = { ...limits, ...getFieldsAt(container, 'resources', 'requests') };
  const resources: Resources = { limits: { ...defaults.limits, ...limits }, requests: { ...defaults.requests, ...requests } };
  return { ...container, resources: { ...getFieldsAt(container, 'resources'), ...resources } };
}

/**
 * Fills in pod-level requests before those of the containers, from the current requests of the containers or from the pod-level limits.
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

/** Reports whether a container lacks a resource that LimitRanges fill in differently. Its own limit counts as its request. */
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
 * Returns the name of the class that pods without one get. The running pods may lack a class that the apply itself makes the default.
 *
 * Source: k/k plugin/pkg/admission/priority/admission.go, `admitPod`.
 */
const findDefaultPriorityClass = memoizePerPlan((context): string | undefined => {
  const defaultClass = context.all(CONTEXT_KINDS.priorityClass).find((priorityClass) => priorityClass.globalDefault === true);
  return defaultClass && context.isChanged?.(defaultClass) !== true ? nameOf(defaultClass) : undefined;
});

/** Returns a pod spec with the class of the cluster if it names none, because quotas count pods by their class. */
function withPriorityClass(podSpec: Fields, priorityClassName: string | undefined): Fields {
  const hasOwn = typeof podSpec.priorityClassName === 'string' && podSpec.priorityClassName !== '';
  return priorityClassName === undefined || hasOwn ? podSpec : { ...podSpec, priorityClassName };
}

/**
 * Returns pods as the API server admits them: with the default PriorityClass, with the defaults from the LimitRanges of their namespace, with what their RuntimeClass adds, and
 * without pod-level resources in versions that drop them.
 *
 * A LimitRange that refuses them, for its minimum, maximum or ratio, is a limit on their capacity (`limit-range-rejection.ts`).
 */
export function admitPods<Pods extends PodSet>(pods: Pods, context: PlanContext): Pods {
  const defaults = getDefaultsByNamespace(context).get(pods.namespace ?? '');
  const podSpec = getFieldsAt(pods.template, 'spec');
  const dropsResources = podSpec.resources !== undefined && !supportsPodLevelResources(context.versions.kubernetes);
  const runtimeClass = findRuntimeClass(podSpec, context);
  const old = pods.oldTemplate ?? pods.kept?.template;
  const oldSpec = old && getFieldsAt(old, 'spec');
  const priorityClass = findDefaultPriorityClass(context);
  const hasOldClass = oldSpec !== undefined && findRuntimeClass(oldSpec, context) !== undefined;
  if (!defaults && !dropsResources && !runtimeClass && !hasOldClass && priorityClass === undefined) return pods;
  const keepResources = (spec: Fields): Fields => (dropsResources ? { ...spec, resources: undefined } : spec);
  const admit = (spec: Fields): Fields => {
    const kept = keepResources(applyRuntimeClass(withPriorityClass(spec, priorityClass), context));
    return defaults ? withDefaults(kept, defaults) : kept;
  };
  const hasConflicts = defaults !== undefined && !pods.hasDefaultedResources && hasConflictingDefaults(keepResources(podSpec), defaults);
  return {
    ...pods,
    template: { ...pods.template, spec: admit(podSpec) },
    ...(pods.oldTemplate && { oldTemplate: { ...pods.oldTemplate, spec: admit(oldSpec!) } }),
    ...(pods.kept && { kept: { ...pods.kept, template: { ...pods.kept.template, spec: admit(oldSpec!) } } }),
    ...(runtimeClass && { hasKnownRuntimeClass: true }),
    ...(hasConflicts && { hasConflictingDefaults: hasConflicts }),
  };
}

/** Returns a rollout with its pods as the API server admits them. */
export function admitRollout(rollout: SystemRollout, context: PlanContext): SystemRollout {
  return withPodSets(rollout, (pods) => admitPods(pods, context));
}
