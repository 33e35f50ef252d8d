import { WHOLE_OBJECT } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { groupOf, nameOf, namespaceOf, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { resourceOf } from '../../core/rollout';
import { oncePerPlan } from '../../cluster/context';
import type { PlanContext, RolloutSystem } from '../../cluster/context';
import { CONTEXT_KINDS } from '../../cluster/context-kinds';
import type { SystemRollout } from '../../cluster/workload';
import { DEPLOYMENT } from '../../workloads/deployment/kind';
import { storedDeploymentStrategy } from '../../workloads/deployment/strategy';
import type { DeploymentStrategySpec } from '../../workloads/deployment/types';
import { deploymentStrategyFindings } from '../../workloads/deployment/validation';
import { deploymentFindings } from './checks';
import { deploymentsOf } from './deployments';
import { serviceEffects } from './effects';
import type { ComponentDeployment } from './deployments';
import { knativeConfigFindings } from './knative/config';
import { withRecordedMode } from './mode-change';
import { planRevision } from './knative/rollout';
import { deploymentModeOf, DEPLOYMENT_MODE_ANNOTATION } from './mode';
import type { ModeSources } from './mode';
import {
  ASSUMED_PLATFORM,
  CONFIG_MAP_NAME,
  DEPLOY_PATH,
  defaultRolloutPath,
  isConfigMap,
  KSERVE_NAMESPACE,
  readPlatformConfig,
  SHIPPED_MODE,
} from './platform-config';
import { limitFindings, quotedLimits, unquotedLimits, writtenLimits } from './platform-limits';
import { controllerStrategy, isGiven } from './precedence';
import type { Decision } from './precedence';
import { annotatedProvenance } from './provenance-annotations';
import { KSERVE_RULES } from './rules';
import { noDeploymentFinding } from './rules/no-deployment';
import { workersInKnativeFindings } from './rules/no-workers-in-knative';
import { noPlatformConfigFindings } from './rules/no-platform-config';
import { unservedVersionFinding } from './rules/invalid-service';
import { runtimeOf } from './runtime';
import { isStopped, readService } from './service';
import type { Service } from './service';
import { serviceFindings } from './validation';
import type { ServiceFindings } from './validation';
import { deploymentWorkload } from './workload';
import type { DeploymentMode, PlatformConfig, PlatformReading } from './types';

const GROUP = 'serving.kserve.io';
const KIND = 'InferenceService';

function isService(object: Manifest): boolean {
  return object.kind === KIND && groupOf(object) === GROUP;
}

/** The platform level of a plan, what it was read from, and where its rollout defaults stand there. */
interface Platform extends PlatformReading {
  readonly source: Fields | undefined;
  readonly rolloutPath: FieldPath;
}

/** Is a ConfigMap one that Helm has yet to make, as a part of a chart? No JSON begins with two braces. */
function isTemplate(configMap: Manifest): boolean {
  const deploy = valueAt(configMap, 'data', 'deploy');
  return typeof deploy === 'string' && deploy.includes('{{');
}

/** The ConfigMap given by hand, else the one of namespace kserve, else the first of its name. */
function platformSource(context: PlanContext): Fields | undefined {
  if (context.kserveConfig) return context.kserveConfig;
  const found = context
    .all(CONTEXT_KINDS.kserveConfig)
    .filter((configMap) => nameOf(configMap) === CONFIG_MAP_NAME && !isTemplate(configMap));
  return found.find((configMap) => namespaceOf(configMap) === KSERVE_NAMESPACE) ?? found[0];
}

const platformOf = oncePerPlan((context): Platform => {
  const source = platformSource(context);
  const rolloutPath = defaultRolloutPath(source && isConfigMap(source) ? DEPLOY_PATH : WHOLE_OBJECT);
  if (source === undefined) return { source, rolloutPath, config: ASSUMED_PLATFORM, findings: [] };
  return { source, rolloutPath, ...readPlatformConfig(source, context.versions.kserve) };
});

function contextFindings(context: PlanContext): Finding[] {
  const { source, findings } = platformOf(context);
  const ofPlatform = source === undefined ? [] : findings.map((finding) => located(finding, source, context));
  return [...ofPlatform, ...knativeConfigFindings(context)];
}

/** What is assumed of the services of all units that have no platform level in view. */
function runFindings(units: readonly PlanContext[]): Finding[] {
  const services = units
    .filter((unit) => platformOf(unit).source === undefined)
    .flatMap(({ objects, versions }) =>
      objects.filter((object) => isService(object) && isServed(object)).map((object) => readService(object, versions.kserve)),
    );
  const undecided = services.filter((service) => !decidesItself(service) && !isRefusedAnyway(service));
  const data = { configMap: CONFIG_MAP_NAME, namespace: KSERVE_NAMESPACE, mode: SHIPPED_MODE, services: undecided.length };
  return noPlatformConfigFindings(services.length, data, DEPLOY_PATH);
}

/** Is a service refused whatever the default mode is, so that it does not roll out? */
function isRefusedAnyway(service: Service): boolean {
  const sources = { annotations: service.annotations, defaultMode: SHIPPED_MODE, isDefaultAssumed: true, version: service.version };
  const { ofStrategy, ofService } = serviceFindings(service, sources, {});
  return [...ofStrategy, ...ofService].some(({ severity }) => severity === 'error');
}

function located(finding: Finding, object: Fields, context: PlanContext): Finding {
  const source = context.locate(object, finding.path);
  return source === undefined ? finding : { ...finding, source };
}

/** The only version that the CRD serves. */
const API_VERSION = `${GROUP}/v1beta1`;

function isServed({ apiVersion }: Manifest): boolean {
  return apiVersion === API_VERSION;
}

/** Does a service hold what only one mode takes, so that it says itself that it runs in mode Standard? */
function asksForStandard({ components, canaries }: Service): boolean {
  return canaries.length > 0 || components.some(({ spec }) => isGiven(spec.deploymentStrategy));
}

/** Is the mode of a service known without the platform level? */
function decidesItself(service: Service): boolean {
  const isNamed = isGiven(service.annotations[DEPLOYMENT_MODE_ANNOTATION]) || isGiven(valueAt(service.object, 'status', 'deploymentMode'));
  return isNamed || asksForStandard(service);
}

/** The default mode for a service where no platform level is in view: as shipped, unless the service could not be applied then. */
function assumedMode(service: Service): DeploymentMode {
  return asksForStandard(service) ? 'Standard' : SHIPPED_MODE;
}

function plan(object: Manifest, context: PlanContext): SystemRollout[] {
  const service = readService(object, context.versions.kserve);
  if (!isServed(object)) return [rolloutOf(service, { findings: [unservedVersionFinding(object.apiVersion, API_VERSION)] })];
  const platform = platformOf(context);
  const config = platform.config ?? ASSUMED_PLATFORM;
  const runtime = runtimeOf(service, context);
  const sources: ModeSources = {
    status: valueAt(object, 'status', 'deploymentMode'),
    annotations: service.annotations,
    defaultMode: platform.source === undefined ? assumedMode(service) : config.defaultDeploymentMode,
    isDefaultAssumed: platform.source === undefined,
    version: context.versions.kserve,
  };
  const found = serviceFindings(service, sources, runtime);
  const refusedFor = [...found.ofStrategy, ...found.ofService].find(({ severity }) => severity === 'error');
  const mode = deploymentModeOf(sources);
  const runs = mode === 'Standard' && !isStopped(service) ? deploymentsOf(service, runtime) : [];
  if (refusedFor) return [rolloutOf(service, { findings: refusalsOf(found, runs), refusedFor })];
  const further = [...found.ofService, ...found.dropped];
  if (platform.config === null) return [rolloutOf(service, { findings: further })];
  if (isStopped(service) || mode === 'ModelMesh')
    return [rolloutOf(service, { findings: [noDeploymentFinding(service, mode), ...further] })];
  if (mode === 'Knative') return withNotes(planRevisions(service, context), [...further, ...workersInKnativeFindings(service)]);
  return withNotes(
    runs.map((deployment) => planDeployment(service, deployment, config, context)),
    further,
  );
}

/** The rollouts of a service, with what is to be said of the service as a whole beside the first. */
function withNotes([first, ...others]: readonly SystemRollout[], notes: readonly Finding[]): SystemRollout[] {
  return first === undefined ? [] : [{ ...first, findings: [...first.findings, ...notes] }, ...others];
}

/** All for which a service is refused, and would be refused once that is mended. */
function refusalsOf({ ofStrategy, ofService, dropped }: ServiceFindings, deployments: readonly ComponentDeployment[]): Finding[] {
  const known = new Set(ofStrategy.map(({ path }) => path));
  const ofDeployments = deployments
    .filter(({ component }) => component !== 'worker')
    .flatMap(({ user, strategyPath }) => deploymentStrategyFindings(user, { path: strategyPath }));
  return [...ofStrategy, ...ofDeployments.filter(({ path }) => !known.has(path)), ...ofService, ...dropped];
}

function planRevisions(service: Service, context: PlanContext): SystemRollout[] {
  return service.components.map((component) => planRevision(service, component, context));
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

function planDeployment(service: Service, deployment: ComponentDeployment, platform: PlatformConfig, context: PlanContext): SystemRollout {
  const { component, name, selector, replicas } = deployment;
  const decision = controllerStrategy({ user: deployment.user, platform }, component === 'worker' ? 'worker' : 'component');
  const judged = judge(decision, deployment, context);
  const strategy = judged.isRefused ? null : storedDeploymentStrategy(decision.written as DeploymentStrategySpec);
  const findings = [...judged.findings, ...deploymentFindings(service, deployment, strategy, platform)];
  if (strategy === null) return rolloutOf(service, { component, findings });
  const { provenance } = decision;
  const namespace = namespaceOf(service.object);
  const target = { apiVersion: 'apps/v1', kind: DEPLOYMENT.kind, name, ...(namespace !== undefined && { namespace }) };
  const workload = deploymentWorkload(service, deployment, { strategy, provenance }, context);
  return rolloutOf(service, {
    component,
    strategy,
    provenance: annotatedProvenance(service.annotations, component, provenance),
    simulation: workload.rollout?.simulation ?? null,
    creates: [{ ...target, replicas, selector, strategy }],
    pods: { of: 'workload', workload },
    findings,
  });
}

/** What the API server says of a strategy. */
interface Judgement {
  readonly isRefused: boolean;
  readonly findings: readonly Finding[];
}

function judgement(findings: readonly Finding[]): Judgement {
  return { isRefused: findings.some(({ severity }) => severity === 'error'), findings };
}

/** What the API server says of the Deployment's strategy, at the place that it comes from. */
function judge({ written, provenance }: Decision, { user, strategyPath }: ComponentDeployment, context: PlanContext): Judgement {
  if (written === user) return judgement(deploymentStrategyFindings(user, { path: strategyPath }));
  const isFromPlatform = provenance.some(({ layer }) => layer === 'platform-config');
  const { source, config, rolloutPath } = platformOf(context);
  if (!isFromPlatform || source === undefined) return judgement([]);
  const limits = writtenLimits(config?.defaultRollout);
  // Of numbers in quotes the ConfigMap's own finding tells.
  const { isRefused, findings } = judgement(limitFindings(unquotedLimits(limits), rolloutPath));
  return {
    isRefused: isRefused || Object.keys(quotedLimits(limits)).length > 0,
    findings: findings.map((finding) => located(finding, source, context)),
  };
}

/** The mode of a service that neither its status nor its annotation names. */
function defaultModeOf(service: Service, context: PlanContext): DeploymentMode {
  const { source, config } = platformOf(context);
  if (source === undefined) return assumedMode(service);
  return (config ?? ASSUMED_PLATFORM).defaultDeploymentMode || 'Knative';
}

/** The same where nothing is assumed: a service that has what mode Standard alone takes was admitted under no other default. */
function knownDefaultOf(service: Service, context: PlanContext): DeploymentMode | '' | undefined {
  const { source, config } = platformOf(context);
  if (source !== undefined) return config?.defaultDeploymentMode;
  return asksForStandard(service) && !isGiven(service.annotations[DEPLOYMENT_MODE_ANNOTATION]) ? 'Standard' : undefined;
}

/** The InferenceServices of KServe, and what it makes of them: Deployments in mode Standard, Knative's Revisions in mode Knative. */
export const kserveSystem: RolloutSystem = {
  name: 'kserve',
  rules: () => KSERVE_RULES,
  recognises: isService,
  plan,
  contextFindings,
  runFindings,
  effects: (old, next, isSameTemplate) => serviceEffects(old, next, { modeOf: defaultModeOf, knownDefaultOf, platformOf }, isSameTemplate),
  withRecord: withRecordedMode,
};
