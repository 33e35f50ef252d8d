import type { PlanContext } from '../../cluster/context/context';
import { CONTEXT_KINDS } from '../../cluster/kinds/context-kinds';
import { selectorOf } from '../../cluster/services/endpoints';
import { findLostEndpoints, findPendingLoss, selectsPodsOf } from '../../cluster/services/lost-endpoints';
import { reportServiceFrozen } from '../../cluster/services/rules/service-frozen';
import { reportPendingLoss, reportServiceWithoutEndpoints } from '../../cluster/services/rules/service-without-endpoints';
import { checkTargetPortAhead } from '../../cluster/services/rules/target-port-ahead';
import { buildServiceTimeline, isTemplateSelected } from '../../cluster/services/service-plan';
import type { ServicePods, ServiceVersions } from '../../cluster/services/service-plan';
import { markGrowingObjects, selectPodsOfBothVersions, selectPodsOfRole } from '../../cluster/services/service-role';
import type { Finding } from '../../core/findings/finding';
import { getValueAt, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { ResourceRef } from '../../core/document/rollout';
import type { ServicePlan } from '../../core/document/service-plan';
import type { AppliedChange, RolloutWithObject } from '../plan-input';
import type { UnitRollout } from '../plan-objects';
import { deduplicateResources, resourceOf } from '../resource-refs';
import {
  buildObjectPods,
  hasClusterService,
  listDeletedPods,
  listObjectsWithNewCanary,
  listRemovedPods,
  listSteadyPods,
} from './object-pods';
import type { ObjectPods } from './object-pods';
import { ServicePodIndex } from './pod-index';
import { listPossibleOwners } from './possible-owners';
import { addRoutes, checkBackends, groupBackends, listCreatedServices, listRoutes, serviceKeyOf, versionsOf } from './route-backends';
import { planRoutedServices } from './routed-services';
import { checkService } from './service-checks';

/** A Service with its plan, and the finding if it loses its endpoints. */
interface EvaluatedService {
  readonly service: Manifest;
  /** Whether its unit has pods that it selects, or may select, after the apply. Otherwise another unit that sees it may have them. */
  readonly hasPods: boolean;
  readonly plan?: ServicePlan;
  readonly findings: readonly Finding[];
}

/** Labels and annotations of endpoints that the controllers of Kubernetes write, which leave a Service without a selector alone. */
const CONTROLLER_MARKS: readonly (readonly [place: 'labels' | 'annotations', key: string, value?: string])[] = [
  ['labels', 'endpointslice.kubernetes.io/managed-by', 'endpointslice-controller.k8s.io'],
  ['labels', 'endpoints.kubernetes.io/managed-by', 'endpoint-controller'],
  ['annotations', 'endpoints.kubernetes.io/last-change-trigger-time'],
];

function isWrittenByController(object: Manifest): boolean {
  return CONTROLLER_MARKS.some(([place, key, value]) => {
    const mark = getValueAt(object, 'metadata', place, key);
    return mark !== undefined && (value === undefined || mark === value);
  });
}

/** Reports whether endpoints of a Service that a user writes are in view. */
function hasOwnEndpoints(service: Manifest, { input }: PlanContext): boolean {
  return input.some((object) => {
    if (namespaceOf(object) !== namespaceOf(service) || isWrittenByController(object)) return false;
    if (object.kind === 'EndpointSlice') return getValueAt(object, 'metadata', 'labels', 'kubernetes.io/service-name') === nameOf(service);
    return object.kind === 'Endpoints' && nameOf(object) === nameOf(service);
  });
}

/** Reports whether the object of pods exists after the apply. All units see the pods of deleted objects. */
function isKept({ fate }: ObjectPods): boolean {
  return fate !== 'deleted';
}

/** Evaluates a Service without a selector, and reports one that loses it. */
function evaluateWithoutSelector(
  service: Manifest,
  { old, next }: ServiceVersions,
  index: ServicePodIndex,
  context: PlanContext,
): EvaluatedService {
  const selector = old && selectorOf(old);
  if (!selector) return { service, hasPods: false, findings: [] };
  const { selected } = index.findCandidates(namespaceOf(old) ?? '', [selector]);
  const { before } = buildServiceTimeline({ old, next: old }, selected).readyEndpoints;
  const hasPods = selected.some(isKept);
  if (before === 0) return { service, hasPods, findings: [] };
  const isKnown = selected.every(({ isOnUnknownNodes }) => !isOnUnknownNodes);
  const locate = (object: object, path: string) => context.locate(object, path);
  return { service, hasPods, findings: [reportServiceFrozen(next, isKnown ? before : undefined, hasOwnEndpoints(next, context), locate)] };
}

/** A Service, and whether it is part of what is planned: a change leaves further Services of the cluster as they are. */
interface PlannedService extends ServiceVersions {
  readonly isApplied: boolean;
}

/** Plans a Service with the pods that it selects. Undefined if none of them is counted. */
function buildServicePlan(
  versions: PlannedService,
  pods: readonly ServicePods[],
  { role, mayHaveMore }: Pick<ServicePlan, 'role'> & { readonly mayHaveMore: readonly ResourceRef[] },
): ServicePlan | undefined {
  const counted = pods.filter(({ isOnUnknownNodes }) => !isOnUnknownNodes);
  if (counted.length === 0) return undefined;
  const { readyEndpoints, waves } = buildServiceTimeline(versions, counted, { hasRole: role !== undefined, isSplit: role === 'stable' });
  const mayAlsoSelect = deduplicateResources([
    ...mayHaveMore,
    ...pods.filter((one) => !counted.includes(one)).map(({ resource }) => resource),
  ]);
  // With pods that are not counted, the share of the new version is not known.
  const countedWaves = counted.length === pods.length ? waves : waves.map(({ wave, ready }) => ({ wave, ready }));
  return {
    resource: resourceOf(versions.next),
    selects: deduplicateResources(counted.map(({ resource }) => resource)),
    ...(role && { role }),
    readyEndpoints,
    ...(waves.length > 0 && { waves: countedWaves }),
    ...(mayAlsoSelect.length > 0 && { mayAlsoSelect }),
  };
}

function evaluateService(service: Manifest, versions: PlannedService, index: ServicePodIndex, context: PlanContext): EvaluatedService {
  const { isApplied } = versions;
  if (selectorOf(versions.next) === undefined) return evaluateWithoutSelector(service, versions, index, context);
  const namespace = namespaceOf(versions.next) ?? '';
  const selectors = [versions.old, versions.next].flatMap((one): Fields[] => {
    const selector = one && selectorOf(one);
    return selector ? [selector] : [];
  });
  const { selected, possible } = index.findCandidates(namespace, selectors);
  const all = selected.filter((one) => !one.isUncounted && selectsPodsOf(versions, one));
  const owner = all.find(({ serviceRoles }) => serviceRoles?.has(nameOf(service)));
  const role = owner?.serviceRoles?.get(nameOf(service));
  const pods: readonly ServicePods[] =
    owner && role ? [selectPodsOfRole(owner, role)] : markGrowingObjects(versions, all.map(selectPodsOfBothVersions));
  const mayHaveMore = deduplicateResources([
    ...possible.filter((one) => !all.includes(one)).map(({ resource }) => resource),
    ...listPossibleOwners(namespace, selectors, context),
  ]);
  const members = selected.flatMap((one) => one.members).filter(({ template }) => isTemplateSelected(template, versions.next));
  const check = (isReported: boolean) =>
    isApplied
      ? checkService(versions.next, { members, mayHaveOthers: mayHaveMore.length > 0 || possible.length > 0, isReported }, context)
      : [];
  const hasPods = possible.length > 0 || selected.some(isKept);
  if (pods.length === 0) return { service, hasPods, findings: check(false) };
  const locate = (object: object, path: string) => context.locate(object, path);
  const loss = mayHaveMore.length === 0 && possible.length === 0 ? findLostEndpoints(versions, pods, members) : undefined;
  const pending = loss === undefined && mayHaveMore.length === 0 && possible.length === 0 ? findPendingLoss(versions, all) : undefined;
  // A canary or preview Service has no endpoints until the first new pod is ready, and gets no requests before.
  const isReported = role !== 'canary' && role !== 'preview';
  const plan = buildServicePlan(versions, pods, { ...(role && { role }), mayHaveMore });
  return {
    service,
    hasPods,
    ...(plan && { plan }),
    findings: [
      ...(loss && isReported ? [reportServiceWithoutEndpoints(service, loss, locate)] : []),
      ...(pending && isReported ? [reportPendingLoss(service, pending, locate)] : []),
      ...checkTargetPortAhead(versions, pods, locate),
      ...check(loss !== undefined || pending !== undefined),
    ],
  };
}

/** What the plans of Services are made from. */
export interface ServicePlansInput {
  readonly contexts: readonly PlanContext[];
  /** Rollouts of each unit, with their pods. */
  readonly planned: readonly (readonly UnitRollout[])[];
  /** Rollouts of each unit, evaluated in their cluster. */
  readonly evaluated: readonly (readonly RolloutWithObject[])[];
  readonly change?: AppliedChange;
}

/** Plans of Services by their object, or by the object whose controller creates them, and the findings about them. */
export interface ServicePlans {
  readonly services: ReadonlyMap<Manifest, readonly ServicePlan[]>;
  readonly findings: readonly Finding[];
}

/** Plans the Services of all units: who answers their requests while the rollouts run. */
export function planServices({ contexts, planned, evaluated, change }: ServicePlansInput): ServicePlans {
  const services = new Map<Manifest, readonly ServicePlan[]>();
  const routeFindings: Finding[] = [];
  // Several units may see a Service. The unit with its pods decides, so that another one does not say that it selects nothing.
  const decided = new Set<Manifest>();
  const findings = new Map<Manifest, readonly Finding[]>();
  let deleted: readonly ObjectPods[] | undefined;
  contexts.forEach((context, unit) => {
    const visible = context.all(CONTEXT_KINDS.service).filter((service) => !decided.has(service));
    const hasRoutes = planned[unit]!.some(({ rollout }) => rollout.routedService ?? rollout.clusterServices);
    if (visible.length === 0 && !change && !hasRoutes) return;
    const backends = groupBackends(context);
    if (change) {
      const created = listCreatedServices(planned[unit]!);
      for (const finding of checkBackends(backends, visible, created, change, context)) routeFindings.push(finding);
    }
    if (visible.length === 0 && !hasRoutes) return;
    const growing = change ? listObjectsWithNewCanary(planned[unit]!, change) : new Set<Manifest>();
    const own = planned[unit]!.map((one, index) => {
      const shrinksLater = one.rollout.routedService?.role === 'stable' && growing.has(one.object);
      return buildObjectPods(one, evaluated[unit]![index]!, change, context, shrinksLater);
    });
    const isOldService = (object: Manifest, name: string) => hasClusterService(object, name, change);
    for (const [object, plans] of planRoutedServices(planned[unit]!, own, isOldService)) {
      services.set(
        object,
        plans.map((plan) => addRoutes(plan, backends)),
      );
    }
    if (visible.length === 0) return;
    deleted ??= change ? listDeletedPods(change) : [];
    const removed = change ? listRemovedPods(planned[unit]!, change) : [];
    const index = new ServicePodIndex([...own, ...removed, ...deleted, ...listSteadyPods(context)]);
    for (const service of visible) {
      context.deadline?.check();
      const versions = versionsOf(service, change);
      const isApplied = !change || change.effectOf(service) !== undefined;
      const result = evaluateService(service, { ...versions, isApplied }, index, context);
      const usedBy = listRoutes(backends.get(serviceKeyOf(namespaceOf(service) ?? '', nameOf(service))));
      if (result.hasPods) decided.add(service);
      if (!result.hasPods && findings.has(service)) continue;
      services.delete(service);
      if (result.plan) services.set(service, [{ ...result.plan, ...(usedBy.length > 0 && { usedBy }) }]);
      findings.set(service, result.findings);
    }
  });
  return { services, findings: [...routeFindings, ...[...findings.values()].flat()] };
}
