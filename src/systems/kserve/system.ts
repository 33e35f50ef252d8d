import type { Finding } from '../../core/finding';
import { groupOf, nameOf, namespaceOf, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { Provenance } from '../../core/provenance';
import { resourceOf } from '../../core/rollout';
import { oncePerPlan } from '../../cluster/context';
import type { PlanContext, RolloutSystem } from '../../cluster/context';
import type { SystemRollout, Workload } from '../../cluster/workload';
import { autoscalerOf, replicaRangeOf } from '../../cluster/autoscaler';
import { rolloutFindings } from '../../workloads/deployment/rules';
import { simulateDeployment } from '../../workloads/simulate';
import { storedDeploymentStrategy } from '../../workloads/strategy';
import type { DeploymentStrategy, DeploymentStrategySpec } from '../../workloads/types';
import { deploymentStrategyFindings } from '../../workloads/validation';
import { KSERVE_CATALOGUE, kserveFinding } from './catalogue';
import { deploymentsOf, nodeFindings } from './deployments';
import type { ComponentDeployment } from './deployments';
import { DEPLOYMENT_MODE_ANNOTATION, DEPLOYMENT_MODE_PATH, deploymentModeOf } from './mode';
import type { ModeSources } from './mode';
import {
  ASSUMED_PLATFORM,
  CONFIG_MAP_NAME,
  DEPLOY_PATH,
  defaultRolloutPath,
  isConfigMap,
  KSERVE_NAMESPACE,
  readPlatformConfig,
} from './platform-config';
import { limitFindings, writtenLimits } from './platform-rules';
import { controllerStrategy, isGiven } from './precedence';
import type { Decision } from './precedence';
import {
  annotationFindings,
  canaryRules,
  componentRules,
  ownedReplicasFindings,
  sidecarFindings,
  startupFindings,
  unknownFieldFindings,
  workerRules,
} from './rules';
import { runtimeOf } from './runtime';
import { isStopped, readService } from './service';
import type { Service } from './service';
import { serviceFindings } from './validation';
import type { PlatformConfig, PlatformReading } from './types';

const GROUP = 'serving.kserve.io';
const KIND = 'InferenceService';
const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment' } as const;

/** The platform level of a plan, what it was read from, and where its rollout defaults stand there. */
interface Platform extends PlatformReading {
  readonly source: Fields | undefined;
  readonly rolloutPath: string;
}

/** The ConfigMap given by hand, else the one of namespace kserve, else the first of its name. */
function platformSource(context: PlanContext): Fields | undefined {
  if (context.kserveConfig) return context.kserveConfig;
  const found = context.ofKind('', 'ConfigMap').filter((configMap) => nameOf(configMap) === CONFIG_MAP_NAME);
  return found.find((configMap) => namespaceOf(configMap) === KSERVE_NAMESPACE) ?? found[0];
}

const platformOf = oncePerPlan((context): Platform => {
  const source = platformSource(context);
  const rolloutPath = defaultRolloutPath(source && isConfigMap(source) ? DEPLOY_PATH : '');
  if (source === undefined) return { source, rolloutPath, config: ASSUMED_PLATFORM, findings: [] };
  return { source, rolloutPath, ...readPlatformConfig(source, context.versions.kserve) };
});

function contextFindings(context: PlanContext): Finding[] {
  const { source, findings } = platformOf(context);
  if (source === undefined) return context.ofKind(GROUP, KIND).length === 0 ? [] : [noPlatformConfig()];
  return findings.map((finding) => located(finding, source, context));
}

function located(finding: Finding, object: Fields, context: PlanContext): Finding {
  const source = context.locate(object, finding.path);
  return source === undefined ? finding : { ...finding, source };
}

function noPlatformConfig(): Finding {
  return kserveFinding('kserve/no-platform-config', {
    path: DEPLOY_PATH,
    message: `The ConfigMap ${CONFIG_MAP_NAME} is not in view: default mode Standard and no rollout defaults (25%/25%) are assumed.`,
    help: `Plan it along, as a file or with --kserve-config: kubectl get configmap ${CONFIG_MAP_NAME} -n ${KSERVE_NAMESPACE} -o yaml.`,
  });
}

function plan(object: Manifest, context: PlanContext): SystemRollout[] {
  const service = readService(object, context.versions.kserve);
  const platform = platformOf(context);
  const config = platform.config ?? ASSUMED_PLATFORM;
  const runtime = runtimeOf(service, context);
  const sources: ModeSources = {
    status: valueAt(object, 'status', 'deploymentMode'),
    annotations: service.annotations,
    defaultMode: config.defaultDeploymentMode,
    isDefaultAssumed: platform.source === undefined,
    version: context.versions.kserve,
  };
  const refusals = [...serviceFindings(service, sources), ...nodeFindings(service, runtime)];
  // A service that is refused for something else than its strategy keeps its strategy: that is what holds once the rest is mended.
  const ofStrategy = refusals.filter(({ code }) => code !== 'kserve/invalid-service');
  const notes = [...refusals.filter(({ code }) => code === 'kserve/invalid-service'), ...unknownFieldFindings(service)];
  const mode = deploymentModeOf(sources);
  if (mode !== 'Standard' || isStopped(service)) {
    return [rolloutOf(service, { findings: [...(ofStrategy.length > 0 ? ofStrategy : [noDeployment(service, mode)]), ...notes] })];
  }
  const rollouts = deploymentsOf(service, runtime).map((deployment) => {
    if (ofStrategy.length === 0 && platform.config !== null) return planDeployment(service, deployment, config, context);
    const findings = [...ofStrategy, ...furtherFindings(deployment, ofStrategy)];
    return rolloutOf(service, { component: deployment.component, findings });
  });
  // A service that has no readable predictor is a predictor's rollout all the same.
  const [first = rolloutOf(service, { component: 'predictor', findings: ofStrategy }), ...others] = rollouts;
  return [{ ...first, findings: [...first.findings, ...notes] }, ...others];
}

/** What is known of a rollout besides its resource. */
interface KnownParts extends Partial<Omit<SystemRollout, 'system' | 'resource'>> {
  readonly component?: string;
}

/** A rollout of the service, or of one component, without a strategy unless `known` has one. */
function rolloutOf({ object, name }: Service, known: KnownParts): SystemRollout {
  const { component, ...parts } = known;
  const resource = resourceOf(object, name, namespaceOf(object), component);
  return { system: 'kserve', resource, strategy: null, provenance: [], simulation: null, findings: [], ...parts };
}

/** What else is wrong with the strategy of a service that is refused already. */
function furtherFindings({ component, user, strategyPath }: ComponentDeployment, refusals: readonly Finding[]): Finding[] {
  if (component === 'worker') return [];
  const known = new Set(refusals.map(({ path }) => path));
  return deploymentStrategyFindings(user, strategyPath).filter(({ path }) => !known.has(path));
}

function noDeployment({ object }: Service, mode: string): Finding {
  if (mode === 'Standard') {
    return kserveFinding('kserve/no-deployment', {
      path: 'metadata.annotations[serving.kserve.io/stop]',
      message: 'The service is stopped: KServe deletes its Deployments, and nothing rolls out.',
      help: 'Delete the annotation serving.kserve.io/stop to start it.',
    });
  }
  const byStatus = isGiven(valueAt(object, 'status', 'deploymentMode'));
  return kserveFinding('kserve/no-deployment', {
    path: byStatus ? 'status.deploymentMode' : DEPLOYMENT_MODE_PATH,
    message: `The service runs in mode ${mode}, in which KServe makes no Deployment: no maxSurge and no maxUnavailable applies.`,
    help: byStatus
      ? 'The mode of a service never changes: delete it and create it anew, annotated Standard, if Deployments are meant.'
      : `Annotate it with ${DEPLOYMENT_MODE_ANNOTATION}: Standard if Deployments are meant.`,
  });
}

function planDeployment(service: Service, deployment: ComponentDeployment, platform: PlatformConfig, context: PlanContext): SystemRollout {
  const { component, name, selector, replicas } = deployment;
  const decision = controllerStrategy({ user: deployment.user, platform }, component === 'worker' ? 'worker' : 'component');
  const judged = judge(decision, deployment, context);
  const strategy = judged.isRefused ? null : storedDeploymentStrategy(decision.written as DeploymentStrategySpec);
  const findings = [...judged.findings, ...kserveRules(service, deployment, strategy, platform)];
  if (strategy === null) return rolloutOf(service, { component, findings });
  const { provenance } = decision;
  const namespace = namespaceOf(service.object);
  const target = { kind: DEPLOYMENT.kind, name, ...(namespace !== undefined && { namespace }) };
  const autoscaler = deployment.hasOwnAutoscaler ? undefined : autoscalerOf(target, context);
  const replicaRange = deployment.replicaRange ?? replicaRangeOf(autoscaler, replicas);
  return rolloutOf(service, {
    component,
    strategy,
    provenance,
    simulation: simulateDeployment(strategy, replicas),
    creates: [{ apiVersion: DEPLOYMENT.apiVersion, ...target, replicas, selector, strategy }],
    workload: {
      ...target,
      ...podsOf(deployment, strategy),
      ...(replicaRange && { replicaRange }),
      hasFixedStrategy: component.startsWith('canary/') || isOverridden(provenance),
    },
    findings: [
      ...findings,
      ...withUsableAdvice(rolloutFindings({ ...deployment, strategy }), deployment, provenance),
      ...annotationFindings(service, deployment),
      ...ownedReplicasFindings(deployment, autoscaler),
      ...startupFindings(deployment, context.startupSeconds),
      ...(strategy.type === 'RollingUpdate' ? sidecarFindings(service, component) : []),
    ],
  });
}

/** The pods of a Deployment, for all that other objects mean for them. */
function podsOf(deployment: ComponentDeployment, strategy: DeploymentStrategy): Omit<Workload, 'kind' | 'name' | 'namespace'> {
  const { replicas, podMetadata, podSpec, claims, podPath, strategyPath } = deployment;
  return {
    replicas,
    template: { metadata: podMetadata, spec: podSpec },
    // From the serving runtime and from inferenceservice-config.
    resourcesAreFilledIn: true,
    claims,
    podPath,
    strategyPath,
    simulateAt: (count) => simulateDeployment(strategy, count),
  };
}

function isOverridden(provenance: readonly Provenance[]): boolean {
  return provenance.some(({ layer }) => layer === 'multinode-override');
}

/** What the API server says of the Deployment's strategy, at the place that it comes from. */
function judge({ written, provenance }: Decision, { user, strategyPath }: ComponentDeployment, context: PlanContext) {
  if (written === user) return judgement(deploymentStrategyFindings(user, strategyPath));
  const isFromPlatform = provenance.some(({ layer }) => layer === 'platform-config');
  const { source, config, rolloutPath } = platformOf(context);
  if (!isFromPlatform || source === undefined) return judgement([]);
  const { isRefused, findings } = judgement(limitFindings(writtenLimits(config?.defaultRollout), rolloutPath));
  // The ConfigMap's own finding tells of numbers in quotes.
  const further = findings.filter(({ code }) => code !== 'kubernetes/quoted-integer');
  return { isRefused, findings: further.map((finding) => located(finding, source, context)) };
}

function judgement(findings: readonly Finding[]) {
  return { isRefused: findings.some(({ severity }) => severity === 'error'), findings };
}

function kserveRules(
  service: Service,
  deployment: ComponentDeployment,
  strategy: DeploymentStrategy | null,
  platform: PlatformConfig,
): Finding[] {
  const canary = service.canaries.find(({ name }) => deployment.component === `canary/${name}`);
  if (canary) return canaryRules(service, canary);
  return deployment.component === 'worker' ? workerRules(deployment) : componentRules(service, deployment, strategy, platform);
}

/** Advice to write another strategy is none where KServe looks at none. */
function withUsableAdvice(findings: readonly Finding[], { component }: ComponentDeployment, provenance: readonly Provenance[]): Finding[] {
  if (isOverridden(provenance)) {
    const help = 'Keep room for them: KServe overrides what a deploymentStrategy says of workers.';
    return findings.map((finding) => ({ ...finding, help }));
  }
  if (!component.startsWith('canary/')) return [...findings];
  const help = 'Change it in the rollout defaults of the ConfigMap: a canary has no other level.';
  return findings.map((finding) => ({ ...finding, help }));
}

/** The InferenceServices of KServe, and the Deployments that it makes of them in mode Standard. */
export const kserveSystem: RolloutSystem = {
  name: 'kserve',
  catalogue: KSERVE_CATALOGUE,
  recognises: (object) => object.kind === KIND && groupOf(object) === GROUP,
  plan,
  contextFindings,
};
