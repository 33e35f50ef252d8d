import type { PlanContext, RolloutSystem } from '../../cluster/context';
import type { StrategyNames, StrategyOwner } from '../../cluster/strategy-terms';
import type { HasRoomFor, SystemRollout, Workload } from '../../cluster/workload';
import { at } from '../../core/field-path';
import type { IntOrPercent } from '../../core/int-or-percent';
import { fieldsAt, groupOf, listAt, nameOf, namespaceOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { Provenance } from '../../core/provenance';
import { resourceOf } from '../../core/rollout';
import type { LeaderWorkerSetSimulation } from '../../core/simulations/leaderworkerset';
import { DEPLOYMENT } from '../../workloads/deployment/kind';
import type { SettledDeployment } from '../../workloads/deployment/kind';
import { storedDeploymentStrategy } from '../../workloads/deployment/strategy';
import type { DeploymentStrategySpec } from '../../workloads/deployment/types';
import type { LeaderWorkerSet } from '../../workloads/leader-worker-set/leader-worker-set';
import { groupPodsOf, groupRollout, groupSize, hasRoomForOneMore, withoutPods } from '../../workloads/leader-worker-set/rollout';
import { groupOutageFindings } from '../../workloads/leader-worker-set/rules/outage';
import { refusedPods } from '../../workloads/leader-worker-set/templates';
import { simulateGroups } from '../../workloads/leader-worker-set/simulate';
import { LWS_DEFAULTS, groupLimits, leaderLimit } from '../../workloads/leader-worker-set/strategy';
import type { LeaderWorkerSetStrategy } from '../../workloads/leader-worker-set/strategy';
import { lwsBehaviour } from '../../workloads/leader-worker-set/versions';
import { fieldProvenance } from '../../workloads/field-provenance';
import { checked, notFor } from '../../workloads/checks';
import type { ChecksOf } from '../../workloads/checks';
import { countAfter, workloadOf } from '../../workloads/workload-of';
import { componentsOf, isFromPreset, isStopped } from './components';
import type { LlmComponent } from './components';
import { llmEffects } from './effects';
import { judgedPods, podFindings } from './judged-pods';
import { LLM_RULES } from './rules';
import { stoppedFinding } from './rules/llm-stopped';
import { llmFindings, strategyFindings } from './validation';
import { llmBehaviour } from './versions';

function isLlmService(object: Manifest): boolean {
  return object.kind === 'LLMInferenceService' && groupOf(object) === 'serving.kserve.io';
}

/** The limits of a workload that KServe reads. */
function limitsOf({ spec }: LlmComponent, version: string): { readonly maxSurge?: IntOrPercent; readonly maxUnavailable?: IntOrPercent } {
  const { maxSurge, maxUnavailable } = llmBehaviour(version).hasStrategy ? fieldsAt(spec, 'rolloutStrategy') : {};
  return {
    ...(maxSurge !== undefined && maxSurge !== null && { maxSurge: maxSurge as IntOrPercent }),
    ...(maxUnavailable !== undefined && maxUnavailable !== null && { maxUnavailable: maxUnavailable as IntOrPercent }),
  };
}

/** The strategy that KServe writes into the Deployment: the halves that are written, and Recreate for the scheduler whatever is. */
function writtenStrategy(component: LlmComponent, version: string): DeploymentStrategySpec | undefined {
  if (component.name === 'scheduler') return { type: 'Recreate' };
  const limits = limitsOf(component, version);
  return Object.keys(limits).length === 0 ? undefined : { type: 'RollingUpdate', rollingUpdate: limits };
}

const OF_SCHEDULER: Provenance = {
  field: 'type',
  value: 'Recreate',
  layer: 'kserve-default',
  reason: 'KServe always recreates the scheduler of a router, so that one alone picks endpoints; no field changes that.',
  overridden: [],
};

/** Where the limits of a component stand, or would in a version that reads them. */
function limitsPathOf({ path }: LlmComponent) {
  return at`${path}.rolloutStrategy`;
}

/** Where the strategy of a component stands, or would; the component itself where no field has it. */
function strategyPathOf(component: LlmComponent, version: string) {
  const hasField = component.name !== 'scheduler' && llmBehaviour(version).hasStrategy;
  return hasField ? limitsPathOf(component) : component.path;
}

function settledDeployment(component: LlmComponent, version: string): SettledDeployment {
  const strategy = storedDeploymentStrategy(writtenStrategy(component, version));
  if (strategy.type === 'Recreate') return { strategy, provenance: [OF_SCHEDULER] };
  const path = limitsPathOf(component);
  const written = limitsOf(component, version);
  const { maxSurge, maxUnavailable } = strategy.rollingUpdate;
  const type: Provenance = { field: 'type', value: strategy.type, layer: 'kubernetes-default', reason: 'No field has it.', overridden: [] };
  const limits = [
    fieldProvenance(at`${path}.maxSurge`, written.maxSurge, maxSurge),
    fieldProvenance(at`${path}.maxUnavailable`, written.maxUnavailable, maxUnavailable),
  ];
  return { strategy, provenance: [type, ...limits] };
}

/** The names of a component's limits, and who decides them where its user can't. */
function strategyTerms({ name }: LlmComponent, version: string): { readonly names: StrategyNames; readonly strategyOwner?: StrategyOwner } {
  const names = { maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' };
  if (name === 'scheduler') return { names, strategyOwner: 'kserve-scheduler' };
  return llmBehaviour(version).hasStrategy ? { names } : { names, strategyOwner: 'kserve-llm' };
}

function deploymentWorkload(component: LlmComponent, settled: SettledDeployment, object: Manifest, context: PlanContext): Workload {
  const { objectName, replicas, template, templatePath, labels, path, name, spec } = component;
  const metadata = { labels: { ...fieldsAt(spec, 'labels'), ...labels }, annotations: fieldsAt(spec, 'annotations') };
  return workloadOf(
    DEPLOYMENT,
    {
      settled,
      workload: {
        name: objectName,
        namespace: namespaceOf(object),
        template: { metadata, spec: template },
        podPath: templatePath,
        strategyPath: strategyPathOf(component, context.versions.kserve),
        ...(isFromPreset(component) && { countOnly: true, sizePath: at`${path}.replicas` }),
        resourcesAreFilledIn: true,
        ...strategyTerms(component, context.versions.kserve),
      },
      count: countAfter({ steady: replicas, start: { replicas } }, context.changedPods?.(object, name)),
      review: {
        // Presets give them probes.
        containers: listAt(template, 'containers').map((value, index) => ({
          value,
          path: at`${templatePath}.containers[${index}]`,
          getsProbe: true,
        })),
        metadata: [{ value: spec, path }],
      },
    },
    context,
  );
}

/** The strategy of a LeaderWorkerSet: of what is written each half by itself, for the other 1 or 0. */
function groupStrategy(component: LlmComponent, version: string): LeaderWorkerSetStrategy {
  const { maxSurge = LWS_DEFAULTS.maxSurge, maxUnavailable = LWS_DEFAULTS.maxUnavailable } = limitsOf(component, version);
  return { type: 'RollingUpdate', rollingUpdateConfiguration: { partition: 0, maxUnavailable, maxSurge } };
}

function groupProvenance(
  component: LlmComponent,
  { type, rollingUpdateConfiguration }: LeaderWorkerSetStrategy,
  version: string,
): Provenance[] {
  const written = limitsOf(component, version);
  const path = limitsPathOf(component);
  const limit = (field: 'maxSurge' | 'maxUnavailable'): Provenance => {
    const isWritten = written[field] !== undefined;
    const reason = isWritten
      ? `${path}.${field} is set.`
      : `${path}.${field} is not set or not read; the CRD of LeaderWorkerSet fills it in.`;
    return { field, value: rollingUpdateConfiguration[field], layer: isWritten ? 'user' : 'lws-default', reason, overridden: [] };
  };
  const ofType = { field: 'type', value: type, layer: 'kserve-default', reason: 'KServe writes it.', overridden: [] };
  return [ofType, limit('maxSurge'), limit('maxUnavailable')];
}

function leaderWorkerSetOf(component: LlmComponent, object: Manifest, { versions }: PlanContext): LeaderWorkerSet {
  const { objectName, replicas, groupSize: size = 1, spec, template, templatePath, path, labels } = component;
  const namespace = namespaceOf(object);
  const strategy = groupStrategy(component, versions.kserve);
  const behaviour = lwsBehaviour(versions.lws);
  const limits = groupLimits(strategy, replicas);
  const pods = (podSpec: Fields): Fields => ({
    metadata: { labels: { ...labels, 'leaderworkerset.sigs.k8s.io/name': objectName } },
    spec: podSpec,
  });
  const worker = fieldsAt(spec, 'worker');
  const leader = { template: pods(isFromPreset(component) ? worker : template), path: templatePath, pods: 1 };
  return {
    name: objectName,
    ...(namespace !== undefined && { namespace }),
    replicas,
    size,
    members: size === 1 ? [leader] : [leader, { template: pods(worker), path: at`${path}.worker`, pods: size - 1 }],
    leaderFirst: false,
    strategy,
    strategyPath: strategyPathOf(component, versions.kserve),
    path,
    limits,
    leaderLimit: leaderLimit(strategy, limits, behaviour, versions.kubernetes),
    behaviour,
  };
}

/** A component of groups as its rules look at it. */
interface GroupsReview {
  readonly set: LeaderWorkerSet;
  readonly simulation: LeaderWorkerSetSimulation;
  readonly kserve: string;
  readonly hasRoomFor: HasRoomFor;
}

const GROUP_CHECKS: ChecksOf<GroupsReview> = {
  outage: ({ set, simulation, kserve, hasRoomFor }) => {
    const limits = { path: set.strategyPath, isFixed: !llmBehaviour(kserve).hasStrategy };
    return groupOutageFindings(simulation, limits, hasRoomForOneMore(set, hasRoomFor));
  },
  fencepost: notFor('the webhook of LeaderWorkerSet refuses two limits of 0'),
  'hpa-owns-replicas': notFor('KServe writes the replicas at every reconcile'),
  'startup-annotation': notFor('its pods have no metadata of the user'),
  'foreign-owner': notFor('no controller that is known here makes LLMInferenceServices'),
  'surge-needs-headroom': notFor('kubernetes/no-room says what its groups lack'),
  'no-readiness-probe': notFor('which pods of a group answer requests is not known'),
};

type Planned = Pick<SystemRollout, 'system' | 'resource'>;

function planGroups(planned: Planned, component: LlmComponent, object: Manifest, context: PlanContext): SystemRollout {
  const set = leaderWorkerSetOf(component, object, context);
  const rollout = groupRollout(set, context.changedPods?.(object, component.name)?.start);
  const { namespace, replicas, strategy } = set;
  const judged = judgedPods(component, context.versions.kubernetes);
  const written = {
    ...planned,
    strategy,
    provenance: groupProvenance(component, strategy, context.versions.kserve),
    findings: podFindings(component, judged),
  };
  const broken = refusedPods(judged);
  if (broken) return { ...written, simulation: simulateGroups(withoutPods(rollout, broken)) };
  const simulation = simulateGroups(rollout);
  return {
    ...written,
    simulation,
    pods: {
      of: 'groups',
      groups: {
        ...groupPodsOf(set, rollout, simulation, context),
        review: (hasRoomFor) => checked(GROUP_CHECKS, { set, simulation, kserve: context.versions.kserve, hasRoomFor }),
      },
    },
    groups: groupSize(set, simulation),
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

function planComponent(component: LlmComponent, object: Manifest, context: PlanContext): SystemRollout {
  const namespace = namespaceOf(object);
  const planned = { system: 'kserve', resource: resourceOf(object, nameOf(object), namespace, component.name) } as const;
  if (component.groupSize !== undefined) return planGroups(planned, component, object, context);
  const settled = settledDeployment(component, context.versions.kserve);
  const judged = judgedPods(component, context.versions.kubernetes);
  const findings = podFindings(component, judged);
  if (refusedPods(judged)) return { ...planned, ...settled, simulation: null, findings, refusedFor: null };
  const workload = deploymentWorkload(component, settled, object, context);
  const { replicas, objectName } = component;
  const place = namespace === undefined ? {} : { namespace };
  return {
    ...planned,
    strategy: settled.strategy,
    provenance: settled.provenance,
    simulation: workload.rollout?.simulation ?? null,
    creates: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: objectName, ...place, replicas, strategy: settled.strategy }],
    pods: { of: 'workload', workload },
    findings,
  };
}

function planLlmService(object: Manifest, context: PlanContext): SystemRollout[] {
  const components = componentsOf(object);
  const findings = llmFindings(object, components, context.versions.kserve);
  const isRefused = findings.some(({ severity }) => severity === 'error');
  if (isRefused || isStopped(object)) {
    const resource = resourceOf(object, nameOf(object), namespaceOf(object));
    const said = isRefused ? findings : [...findings, stoppedFinding()];
    return [{ system: 'kserve', resource, strategy: null, provenance: [], simulation: null, findings: said }];
  }
  return components.map((component) => {
    const rollout = planComponent(component, object, context);
    return { ...rollout, findings: [...strategyFindings(component, context.versions.kserve), ...rollout.findings] };
  });
}

/** LLMInferenceServices: the Deployments or LeaderWorkerSets of the workloads, and the scheduler of the router. */
export const llmSystem: RolloutSystem = {
  name: 'kserve',
  rules: () => LLM_RULES,
  recognises: isLlmService,
  plan: planLlmService,
  effects: llmEffects,
};
