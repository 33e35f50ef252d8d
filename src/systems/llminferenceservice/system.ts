import type { PlanContext, RolloutSystem } from '../../cluster/context/context';
import { listContainersAt } from '../../cluster/rollout/located-template';
import type { LocatedTemplate } from '../../cluster/rollout/located-template';
import type { StrategyFieldNames, StrategyOwner } from '../../cluster/rollout/strategy-field-names';
import type { FitsRow } from '../../cluster/rollout/pod-groups';
import type { SystemRollout } from '../../cluster/rollout/system-rollout';
import type { Workload } from '../../cluster/rollout/workload';
import { buildReadyTimeline } from '../../cluster/services/ready-pods';
import type { ReadyTimeline } from '../../cluster/services/ready-pods';
import { toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import type { IntOrPercent } from '../../core/values/int-or-percent';
import { getFieldsAt, groupOf, nameOf, namespaceOf, getListAt, getValueAt, isFields } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { Provenance } from '../../core/document/provenance';
import { toResourceRef } from '../../core/document/rollout';
import type { Simulation } from '../../core/simulations/simulation';
import type { LeaderWorkerSetSimulation } from '../../core/simulations/leaderworkerset';
import { DEPLOYMENT } from '../../workloads/deployment/kind';
import type { EffectiveDeployment } from '../../workloads/deployment/kind';
import { defaultDeploymentStrategy } from '../../workloads/deployment/strategy';
import type { DeploymentStrategySpec } from '../../workloads/deployment/types';
import { addLeaderLabel } from '../../workloads/leader-worker-set/leader-label';
import type { GroupMembers, LeaderWorkerSet } from '../../workloads/leader-worker-set/leader-worker-set';
import {
  buildGroupPods,
  buildGroupRollout,
  summarizeGroups,
  canFitExtraGroup,
  withRejectedPods,
} from '../../workloads/leader-worker-set/rollout';
import { checkVersionsMix } from '../../workloads/leader-worker-set/rules/versions-mix';
import type { Versions } from '../../core/values/versions';
import { checkLwsOutage } from '../../workloads/leader-worker-set/rules/outage';
import { findRejectedPods } from '../../workloads/leader-worker-set/templates';
import { simulateGroups } from '../../workloads/leader-worker-set/simulate';
import { LWS_DEFAULTS, resolveGroupLimits, resolveLeaderLimit } from '../../workloads/leader-worker-set/strategy';
import { listPlacementConstraints } from '../../workloads/leader-worker-set/placement';
import type { LeaderWorkerSetStrategy } from '../../workloads/leader-worker-set/strategy';
import { getLwsBehaviour } from '../../workloads/leader-worker-set/versions';
import { buildFieldProvenance } from '../../workloads/field-provenance';
import { runChecks, createNotApplicable } from '../../workloads/rule-table';
import type { RuleTable } from '../../workloads/rule-table';
import { applyChangeToPodCount, buildPodWorkload } from '../../workloads/build-pod-workload';
import { reportPresetAborts, reportServerAborts } from '../../cluster/pods/rules/requests-aborted';
import { FLAG_SINCE, LLM_CONTAINER, resolveLlmTermination } from './preset-termination';
import type { LlmAbort } from './preset-termination';
import { listLlmComponents, isFromPreset, isLlmServiceStopped } from './components';
import type { LlmComponent } from './components';
import { computeLlmEffects } from './effects';
import { validateLlmPods, collectLlmPodFindings } from './validate-pods';
import { LLM_RULES } from './rules';
import { reportLlmRouteShare } from './rules/llm-route-group';
import { reportLlmStopped } from './rules/llm-stopped';
import { validateLlmService, checkLlmComponent, checkLlmFields } from './validation';
import { llmBehaviourOf } from './versions';

function isLlmService(object: Manifest): boolean {
  return object.kind === 'LLMInferenceService' && groupOf(object) === 'serving.kserve.io';
}

/** Returns the limits of a workload that KServe reads. */
function readLimits({ spec }: LlmComponent, version: string): { readonly maxSurge?: IntOrPercent; readonly maxUnavailable?: IntOrPercent } {
  const { maxSurge, maxUnavailable } = llmBehaviourOf(version).hasStrategy ? getFieldsAt(spec, 'rolloutStrategy') : {};
  return {
    ...(maxSurge !== undefined && maxSurge !== null && { maxSurge: maxSurge as IntOrPercent }),
    ...(maxUnavailable !== undefined && maxUnavailable !== null && { maxUnavailable: maxUnavailable as IntOrPercent }),
  };
}

/** Builds the strategy that KServe writes into the Deployment: only the limits that are set. The scheduler always gets Recreate. */
function buildDeploymentStrategy(component: LlmComponent, version: string): DeploymentStrategySpec | undefined {
  if (component.name === 'scheduler') return { type: 'Recreate' };
  const limits = readLimits(component, version);
  return Object.keys(limits).length === 0 ? undefined : { type: 'RollingUpdate', rollingUpdate: limits };
}

const SCHEDULER_PROVENANCE: Provenance = {
  field: 'type',
  value: 'Recreate',
  layer: 'kserve-default',
  reason: 'KServe always recreates the scheduler of a router, so that only one picks endpoints. No field changes that.',
  overridden: [],
};

/** Returns the path of a component's limits, in versions that read them. */
function limitsPathOf({ path }: LlmComponent) {
  return toFieldPath`${path}.rolloutStrategy`;
}

/** Returns the path of a component's strategy, or of the component if no field has the strategy. */
function strategyPathOf(component: LlmComponent, version: string) {
  const hasField = component.name !== 'scheduler' && llmBehaviourOf(version).hasStrategy;
  return hasField ? limitsPathOf(component) : component.path;
}

function resolveDeployment(component: LlmComponent, version: string): EffectiveDeployment {
  const strategy = defaultDeploymentStrategy(buildDeploymentStrategy(component, version));
  if (strategy.type === 'Recreate') return { strategy, provenance: [SCHEDULER_PROVENANCE] };
  const path = limitsPathOf(component);
  const written = readLimits(component, version);
  const { maxSurge, maxUnavailable } = strategy.rollingUpdate;
  const type: Provenance = {
    field: 'type',
    value: strategy.type,
    layer: 'kubernetes-default',
    reason: 'No field sets it.',
    overridden: [],
  };
  const limits = [
    buildFieldProvenance(toFieldPath`${path}.maxSurge`, written.maxSurge, maxSurge),
    buildFieldProvenance(toFieldPath`${path}.maxUnavailable`, written.maxUnavailable, maxUnavailable),
  ];
  return { strategy, provenance: [type, ...limits] };
}

/** Returns the field names of a component's limits, and the owner of the strategy if the user cannot set it. */
function getStrategyTerms(
  { name }: LlmComponent,
  version: string,
): { readonly names: StrategyFieldNames; readonly strategyOwner?: StrategyOwner } {
  const names = { maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' };
  if (name === 'scheduler') return { names, strategyOwner: 'kserve-scheduler' };
  return llmBehaviourOf(version).hasStrategy ? { names } : { names, strategyOwner: 'kserve-llm' };
}

function buildLlmWorkload(component: LlmComponent, effective: EffectiveDeployment, object: Manifest, context: PlanContext): Workload {
  const { objectName, replicas, templatePath, labels, path, name, spec } = component;
  const { podSpec, controlsTermination } = resolveLlmTermination(component, object, context.versions.kserve);
  const metadata = { labels: { ...getFieldsAt(spec, 'labels'), ...labels }, annotations: getFieldsAt(spec, 'annotations') };
  return buildPodWorkload(
    DEPLOYMENT,
    {
      effective,
      workload: {
        name: objectName,
        namespace: namespaceOf(object),
        template: { metadata, spec: podSpec },
        podPath: templatePath,
        controlsTermination,
        strategyPath: strategyPathOf(component, context.versions.kserve),
        ...(isFromPreset(component) && { countOnly: true, sizePath: toFieldPath`${path}.replicas` }),
        hasDefaultedResources: true,
        ...getStrategyTerms(component, context.versions.kserve),
      },
      count: applyChangeToPodCount({ steady: replicas, initialState: { replicas } }, context.changedPods?.(object, name)),
      // Presets add probes to the containers.
      writtenPods: () => ({
        containers: listContainersAt(podSpec, templatePath, true),
        metadata: [{ value: spec, path }],
        ...((name === 'workload' || name === 'decode') && { service: getWorkloadServiceName(object) }),
      }),
    },
    context,
  );
}

/** Builds the strategy of a LeaderWorkerSet. A missing limit gets the LeaderWorkerSet default: maxSurge 0, maxUnavailable 1. */
function buildGroupStrategy(component: LlmComponent, version: string): LeaderWorkerSetStrategy {
  const { maxSurge = LWS_DEFAULTS.maxSurge, maxUnavailable = LWS_DEFAULTS.maxUnavailable } = readLimits(component, version);
  return { type: 'RollingUpdate', rollingUpdateConfiguration: { partition: 0, maxUnavailable, maxSurge } };
}

function buildGroupProvenance(
  component: LlmComponent,
  { type, rollingUpdateConfiguration }: LeaderWorkerSetStrategy,
  version: string,
): Provenance[] {
  const written = readLimits(component, version);
  const path = limitsPathOf(component);
  const limit = (field: 'maxSurge' | 'maxUnavailable'): Provenance => {
    const isWritten = written[field] !== undefined;
    const reason = isWritten
      ? `${path}.${field} is set.`
      : `${path}.${field} is not set or not read, so the CRD of LeaderWorkerSet fills it in.`;
    return { field, value: rollingUpdateConfiguration[field], layer: isWritten ? 'user' : 'lws-default', reason, overridden: [] };
  };
  const typeProvenance = { field: 'type', value: type, layer: 'kserve-default', reason: 'KServe writes it.', overridden: [] };
  return [typeProvenance, limit('maxSurge'), limit('maxUnavailable')];
}

function buildLeaderWorkerSet(component: LlmComponent, object: Manifest, { versions }: PlanContext): LeaderWorkerSet {
  const { objectName, replicas, groupSize: size = 1, spec, template, templatePath, path, labels } = component;
  const namespace = namespaceOf(object);
  const strategy = buildGroupStrategy(component, versions.kserve);
  const behaviour = getLwsBehaviour(versions.lws);
  const limits = resolveGroupLimits(strategy, replicas);
  const pods = (podSpec: Fields): Fields => ({
    metadata: { labels: { ...labels, 'leaderworkerset.sigs.k8s.io/name': objectName } },
    spec: podSpec,
  });
  const worker = getFieldsAt(spec, 'worker');
  // The field of a component is a pod spec, not a template.
  const leader = {
    template: addLeaderLabel(pods(isFromPreset(component) ? worker : template)),
    path: templatePath,
    podPath: templatePath,
    pods: 1,
    controlsTermination: true,
  };
  const workerPath = toFieldPath`${path}.worker`;
  const workers = { template: pods(worker), path: workerPath, podPath: workerPath, pods: size - 1, controlsTermination: true };
  return {
    name: objectName,
    ...(namespace !== undefined && { namespace }),
    replicas,
    size,
    members: size === 1 ? [leader] : [leader, workers],
    addedConstraints: listPlacementConstraints(object, {}),
    leaderFirst: false,
    strategy,
    strategyPath: strategyPathOf(component, versions.kserve),
    path,
    limits,
    leaderLimit: resolveLeaderLimit(strategy, limits, behaviour, versions.kubernetes),
    behaviour,
  };
}

/**
 * Returns the templates of a component of groups for the rules about pods. The user cannot set metadata on these pods.
 * It is unknown which pods of a group serve requests.
 */
function locateLlmTemplates(component: LlmComponent, { members: [leader, workers] }: LeaderWorkerSet): LocatedTemplate[] {
  const locate = ({ template, path }: GroupMembers, podSpec: unknown): LocatedTemplate => {
    // Presets add probes to the containers.
    return {
      template,
      podPath: path,
      containers: listContainersAt(podSpec, path, true),
      metadata: [],
      awaitsReadiness: false,
      controlsTermination: true,
    };
  };
  return [locate(leader!, component.template), ...(workers ? [locate(workers, workers.template.spec)] : [])];
}

/** The context in which the rules check a component of groups. */
interface GroupContext {
  readonly set: LeaderWorkerSet;
  readonly simulation: LeaderWorkerSetSimulation;
  readonly versions: Versions;
  readonly hasCapacityFor: FitsRow;
}

const GROUP_CHECKS: RuleTable<GroupContext> = {
  outage: ({ set, simulation, versions, hasCapacityFor }) => {
    const limits = { path: set.strategyPath, isFixed: !llmBehaviourOf(versions.kserve).hasStrategy };
    return checkLwsOutage(simulation, limits, canFitExtraGroup(set, hasCapacityFor), versions.lws);
  },
  fencepost: createNotApplicable('the webhook of LeaderWorkerSet refuses two limits of 0'),
  'hpa-owns-replicas': createNotApplicable('KServe writes the replicas at every reconcile'),
  'foreign-owner': createNotApplicable('no known controller creates LLMInferenceServices'),
  'surge-needs-headroom': createNotApplicable('kubernetes/insufficient-capacity reports missing capacity for groups'),
};

type RolloutIdentity = Pick<SystemRollout, 'system' | 'resource'>;

function planGroups(planned: RolloutIdentity, component: LlmComponent, object: Manifest, context: PlanContext): SystemRollout {
  const set = buildLeaderWorkerSet(component, object, context);
  const rollout = buildGroupRollout(set, context.changedPods?.(object, component.name)?.start);
  const { namespace, replicas, strategy } = set;
  const validations = validateLlmPods(component, context.versions.kubernetes);
  const written = {
    ...planned,
    strategy,
    provenance: buildGroupProvenance(component, strategy, context.versions.kserve),
    findings: collectLlmPodFindings(component, validations),
  };
  const refusedRole = findRejectedPods(validations);
  if (refusedRole) return { ...written, simulation: simulateGroups(withRejectedPods(rollout, refusedRole)) };
  const simulation = simulateGroups(rollout);
  return {
    ...written,
    simulation,
    pods: {
      kind: 'groups',
      groups: {
        ...buildGroupPods(set, rollout, simulation, context),
        ...(!llmBehaviourOf(context.versions.kserve).hasStrategy && { rolloutWith: undefined }),
        podTemplates: () => locateLlmTemplates(component, set),
        review: (hasCapacityFor, replacesPods) =>
          runChecks(GROUP_CHECKS, { set, simulation, versions: context.versions, hasCapacityFor }, replacesPods),
      },
    },
    ...(hasEndpointPicker(component, object) && { requestsPickedBy: 'endpoint-picker' as const }),
    groups: summarizeGroups(set, simulation),
    creates: [
      {
        apiVersion: 'leaderworkerset.x-k8s.io/v1',
        kind: 'LeaderWorkerSet',
        name: set.name,
        ...(namespace !== undefined && { namespace }),
        replicas,
        strategy,
      },
    ],
  };
}

/** Returns the name of the Service that KServe creates for the pods of the main workload. Source: llmisvc/workload.go. */
function getWorkloadServiceName(object: Manifest): string {
  return `${nameOf(object)}-kserve-workload-svc`;
}

function reportAbort({ templatePath, template }: LlmComponent, abort: LlmAbort, object: Manifest): Finding {
  if (abort !== 'old-image') return reportPresetAborts(toFieldPath`${templatePath}.terminationGracePeriodSeconds`, abort);
  const index = getListAt(template, 'containers').findIndex((container) => getValueAt(container, 'name') === LLM_CONTAINER);
  const path = toFieldPath`${templatePath}.containers[${index}].image`;
  return reportServerAborts(path, {
    server: 'vLLM',
    option: '--shutdown-timeout',
    optionSince: FLAG_SINCE,
    service: getWorkloadServiceName(object),
  });
}

/** Reports whether the scheduler of the router picks a pod of this component for each request. Its pool selects both versions. */
function hasEndpointPicker({ name }: LlmComponent, object: Manifest): boolean {
  return name !== 'scheduler' && isFields(getValueAt(object, 'spec', 'router', 'scheduler'));
}

function planComponent(component: LlmComponent, object: Manifest, context: PlanContext): SystemRollout {
  const namespace = namespaceOf(object);
  const planned = { system: 'kserve', resource: toResourceRef(object, nameOf(object), namespace, component.name) } as const;
  if (component.groupSize !== undefined) return planGroups(planned, component, object, context);
  const effective = resolveDeployment(component, context.versions.kserve);
  const validations = validateLlmPods(component, context.versions.kubernetes);
  const findings = collectLlmPodFindings(component, validations);
  if (findRejectedPods(validations)) return { ...planned, ...effective, simulation: null, findings, rejectionCause: null };
  const workload = buildLlmWorkload(component, effective, object, context);
  const { termination, abort } = resolveLlmTermination(component, object, context.versions.kserve);
  const aborted = abort === undefined ? [] : [reportAbort(component, abort, object)];
  const { replicas, objectName } = component;
  const namespaceField = namespace === undefined ? {} : { namespace };
  return {
    ...planned,
    strategy: effective.strategy,
    provenance: effective.provenance,
    simulation: workload.rollout?.simulation ?? null,
    ...(termination && { termination }),
    ...(hasEndpointPicker(component, object) && { requestsPickedBy: 'endpoint-picker' as const }),
    creates: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: objectName, ...namespaceField, replicas, strategy: effective.strategy }],
    pods: { kind: 'workload', workload },
    findings: [...findings, ...aborted],
  };
}

function planLlmService(object: Manifest, context: PlanContext): SystemRollout[] {
  const components = listLlmComponents(object);
  const findings = validateLlmService(object, components, context.versions.kserve);
  const isRefused = findings.some(({ severity }) => severity === 'error');
  if (isRefused || isLlmServiceStopped(object)) {
    const resource = toResourceRef(object, nameOf(object), namespaceOf(object));
    const reported = isRefused ? findings : [...findings, reportLlmStopped()];
    return [{ system: 'kserve', resource, strategy: null, provenance: [], simulation: null, findings: reported }];
  }
  const rollouts = components.map((component) => {
    const rollout = planComponent(component, object, context);
    return { ...rollout, findings: [...checkLlmComponent(component, context.versions.kserve), ...rollout.findings] };
  });
  const shares = reportLlmRouteShare(object, context);
  return rollouts.map((rollout, index) => ({
    ...rollout,
    componentOf: object,
    ...(rollout.resource.component === 'decode' && { checkComponents: checkRolesMix }),
    findings: index === 0 ? [...rollout.findings, ...shares] : rollout.findings,
  }));
}

/** Returns the ready pods of a component over time. One that deadlocks before its first new pod keeps its old ones. */
function buildComponentTimeline(simulation: Simulation | null): ReadyTimeline | undefined {
  const timeline = simulation ? buildReadyTimeline(simulation) : undefined;
  if (timeline || (simulation?.kind !== 'deployment' && simulation?.kind !== 'leaderworkerset') || !simulation.halted) return timeline;
  const { replicas } = simulation;
  return { waves: [], after: { old: { ready: replicas, total: replicas }, new: { ready: 0, total: 0 } } };
}

/** Reports how many pairs of prefill and decode mix versions: the scheduler of KServe picks both freely. */
function checkRolesMix(simulationOf: (component: string) => Simulation | null): Finding[] {
  const [prefill, decode] = ['prefill', 'decode'].map((name) => {
    const timeline = buildComponentTimeline(simulationOf(name));
    return timeline && { name, timeline };
  });
  return prefill && decode ? checkVersionsMix(prefill, decode, toFieldPath`spec.prefill`) : [];
}

/** The system for LLMInferenceServices: the Deployments or LeaderWorkerSets of the workloads, and the scheduler of the router. */
export const llmSystem: RolloutSystem = {
  name: 'kserve',
  rules: () => LLM_RULES,
  recognises: isLlmService,
  droppedFields: (object) => listLlmComponents(object).flatMap(checkLlmFields),
  plan: planLlmService,
  effects: computeLlmEffects,
};
