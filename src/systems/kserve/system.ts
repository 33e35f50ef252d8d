import { ROOT_PATH } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { groupOf, nameOf, namespaceOf, getValueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { toResourceRef } from '../../core/rollout';
import { memoizePerPlan } from '../../cluster/context';
import type { PlanContext, RolloutSystem } from '../../cluster/context';
import { CONTEXT_KINDS } from '../../cluster/context-kinds';
import type { SystemRollout } from '../../cluster/workload';
import { DEPLOYMENT } from '../../workloads/deployment/kind';
import { defaultDeploymentStrategy } from '../../workloads/deployment/strategy';
import type { DeploymentStrategySpec } from '../../workloads/deployment/types';
import { validateDeploymentStrategy } from '../../workloads/deployment/validation';
import { checkKserveDeployment } from './checks';
import { buildKserveDeployments } from './deployments';
import { computeServiceEffects } from './effects';
import type { ComponentDeployment } from './deployments';
import { checkKnativeConfig } from './knative/config';
import { recordDeploymentMode } from './mode-change';
import { planRevision } from './knative/rollout';
import { deploymentModeOf, DEPLOYMENT_MODE_ANNOTATION } from './mode';
import type { ModeSources } from './mode';
import {
  ASSUMED_PLATFORM,
  CONFIG_MAP_NAME,
  DEPLOY_PATH,
  buildDefaultRolloutPath,
  isConfigMap,
  KSERVE_NAMESPACE,
  readPlatformConfig,
  KSERVE_DEFAULT_MODE,
} from './platform-config';
import { checkPlatformLimits, pickQuotedLimits, pickUnquotedLimits, getConfiguredLimits } from './platform-limits';
import { resolveControllerStrategy, isNonNull } from './precedence';
import type { Decision } from './precedence';
import { restoreAnnotatedProvenance } from './provenance-annotations';
import { KSERVE_RULES } from './rules';
import { reportNoDeployment } from './rules/no-deployment';
import { checkNoWorkersInKnative } from './rules/no-workers-in-knative';
import { checkNoPlatformConfig } from './rules/no-platform-config';
import { reportUnservedVersion } from './rules/invalid-service';
import { findNamedRuntimeSpec } from './runtime';
import { isServiceStopped, readKserveService } from './service';
import type { KserveService } from './service';
import { validateInferenceService } from './validation';
import type { ServiceFindings } from './validation';
import { buildKserveWorkload } from './workload';
import type { DeploymentMode, PlatformConfig, PlatformConfigResult } from './types';

const GROUP = 'serving.kserve.io';
const KIND = 'InferenceService';

function isInferenceService(object: Manifest): boolean {
  return object.kind === KIND && groupOf(object) === GROUP;
}

/** The platform level of a plan, what it was read from, and where its rollout defaults stand there. */
interface ResolvedPlatform extends PlatformConfigResult {
  readonly source: Fields | undefined;
  readonly rolloutPath: FieldPath;
}

/** Is a ConfigMap one that Helm has yet to make, as a part of a chart? No JSON begins with two braces. */
function isHelmTemplate(configMap: Manifest): boolean {
  const deploy = getValueAt(configMap, 'data', 'deploy');
  return typeof deploy === 'string' && deploy.includes('{{');
}

/** The ConfigMap given by hand, else the one of namespace kserve, else the first of its name. */
function findPlatformSource(context: PlanContext): Fields | undefined {
  if (context.kserveConfig) return context.kserveConfig;
  const found = context
    .all(CONTEXT_KINDS.kserveConfig)
    .filter((configMap) => nameOf(configMap) === CONFIG_MAP_NAME && !isHelmTemplate(configMap));
  return found.find((configMap) => namespaceOf(configMap) === KSERVE_NAMESPACE) ?? found[0];
}

const platformOf = memoizePerPlan((context): ResolvedPlatform => {
  const source = findPlatformSource(context);
  const rolloutPath = buildDefaultRolloutPath(source && isConfigMap(source) ? DEPLOY_PATH : ROOT_PATH);
  if (source === undefined) return { source, rolloutPath, config: ASSUMED_PLATFORM, findings: [] };
  return { source, rolloutPath, ...readPlatformConfig(source, context.versions.kserve) };
});

function checkClusterConfig(context: PlanContext): Finding[] {
  const { source, findings } = platformOf(context);
  const ofPlatform = source === undefined ? [] : findings.map((finding) => addSourceLocation(finding, source, context));
  return [...ofPlatform, ...checkKnativeConfig(context)];
}

/** What is assumed of the services of all units that have no platform level in view. */
function checkMissingPlatform(units: readonly PlanContext[]): Finding[] {
  const services = units
    .filter((unit) => platformOf(unit).source === undefined)
    .flatMap(({ objects, versions }) =>
      objects
        .filter((object) => isInferenceService(object) && isServed(object))
        .map((object) => readKserveService(object, versions.kserve)),
    );
  const undecided = services.filter((service) => !hasKnownMode(service) && !isAlwaysRefused(service));
  const data = { configMap: CONFIG_MAP_NAME, namespace: KSERVE_NAMESPACE, mode: KSERVE_DEFAULT_MODE, services: undecided.length };
  return checkNoPlatformConfig(services.length, data, DEPLOY_PATH);
}

/** Is a service refused whatever the default mode is, so that it does not roll out? */
function isAlwaysRefused(service: KserveService): boolean {
  const sources = { annotations: service.annotations, defaultMode: KSERVE_DEFAULT_MODE, isDefaultAssumed: true, version: service.version };
  const { strategyFindings, objectFindings } = validateInferenceService(service, sources, {});
  return [...strategyFindings, ...objectFindings].some(({ severity }) => severity === 'error');
}

function addSourceLocation(finding: Finding, object: Fields, context: PlanContext): Finding {
  const source = context.locate(object, finding.path);
  return source === undefined ? finding : { ...finding, source };
}

/** The only version that the CRD serves. */
const API_VERSION = `${GROUP}/v1beta1`;

function isServed({ apiVersion }: Manifest): boolean {
  return apiVersion === API_VERSION;
}

/** Does a service hold what only one mode takes, so that it says itself that it runs in mode Standard? */
function hasStandardOnlyFields({ components, canaries }: KserveService): boolean {
  return canaries.length > 0 || components.some(({ spec }) => isNonNull(spec.deploymentStrategy));
}

/** Is the mode of a service known without the platform level? */
function hasKnownMode(service: KserveService): boolean {
  const isNamed =
    isNonNull(service.annotations[DEPLOYMENT_MODE_ANNOTATION]) || isNonNull(getValueAt(service.object, 'status', 'deploymentMode'));
  return isNamed || hasStandardOnlyFields(service);
}

/** The default mode for a service where no platform level is in view: as shipped, unless the service could not be applied then. */
function inferDefaultMode(service: KserveService): DeploymentMode {
  return hasStandardOnlyFields(service) ? 'Standard' : KSERVE_DEFAULT_MODE;
}

function planInferenceService(object: Manifest, context: PlanContext): SystemRollout[] {
  const service = readKserveService(object, context.versions.kserve);
  if (!isServed(object)) return [buildRollout(service, { findings: [reportUnservedVersion(object.apiVersion, API_VERSION)] })];
  const platform = platformOf(context);
  const config = platform.config ?? ASSUMED_PLATFORM;
  const runtime = findNamedRuntimeSpec(service, context);
  const sources: ModeSources = {
    status: getValueAt(object, 'status', 'deploymentMode'),
    annotations: service.annotations,
    defaultMode: platform.source === undefined ? inferDefaultMode(service) : config.defaultDeploymentMode,
    isDefaultAssumed: platform.source === undefined,
    version: context.versions.kserve,
  };
  const found = validateInferenceService(service, sources, runtime);
  const refusedFor = [...found.strategyFindings, ...found.objectFindings].find(({ severity }) => severity === 'error');
  const mode = deploymentModeOf(sources);
  const deployments = mode === 'Standard' && !isServiceStopped(service) ? buildKserveDeployments(service, runtime) : [];
  if (refusedFor) return [buildRollout(service, { findings: collectErrors(found, deployments), rejectionCause: refusedFor })];
  const otherFindings = [...found.objectFindings, ...found.dropped];
  if (platform.config === null) return [buildRollout(service, { findings: otherFindings })];
  if (isServiceStopped(service) || mode === 'ModelMesh')
    return [buildRollout(service, { findings: [reportNoDeployment(service, mode), ...otherFindings] })];
  if (mode === 'Knative') return withNotes(planRevisions(service, context), [...otherFindings, ...checkNoWorkersInKnative(service)]);
  return withNotes(
    deployments.map((deployment) => planDeployment(service, deployment, config, context)),
    otherFindings,
  );
}

/** The rollouts of a service, with what is to be said of the service as a whole beside the first. */
function withNotes([first, ...others]: readonly SystemRollout[], notes: readonly Finding[]): SystemRollout[] {
  return first === undefined ? [] : [{ ...first, findings: [...first.findings, ...notes] }, ...others];
}

/** All for which a service is refused, and would be refused once that is mended. */
function collectErrors(
  { strategyFindings, objectFindings, dropped }: ServiceFindings,
  deployments: readonly ComponentDeployment[],
): Finding[] {
  const known = new Set(strategyFindings.map(({ path }) => path));
  const ofDeployments = deployments
    .filter(({ component }) => component !== 'worker')
    .flatMap(({ userStrategy, strategyPath }) => validateDeploymentStrategy(userStrategy, { path: strategyPath }));
  return [...strategyFindings, ...ofDeployments.filter(({ path }) => !known.has(path)), ...objectFindings, ...dropped];
}

function planRevisions(service: KserveService, context: PlanContext): SystemRollout[] {
  return service.components.map((component) => planRevision(service, component, context));
}

/** What is known of a rollout besides its resource. */
interface RolloutParts extends Partial<Omit<SystemRollout, 'system' | 'resource'>> {
  readonly component?: string;
}

/** A rollout of the service, or of one component, without a strategy unless `known` has one. */
function buildRollout({ object, name }: KserveService, known: RolloutParts): SystemRollout {
  const { component, ...parts } = known;
  const resource = toResourceRef(object, name, namespaceOf(object), component);
  return { system: 'kserve', resource, strategy: null, provenance: [], simulation: null, findings: [], ...parts };
}

function planDeployment(
  service: KserveService,
  deployment: ComponentDeployment,
  platform: PlatformConfig,
  context: PlanContext,
): SystemRollout {
  const { component, name, selector, replicas } = deployment;
  const decision = resolveControllerStrategy({ user: deployment.userStrategy, platform }, component === 'worker' ? 'worker' : 'component');
  const validation = validateStrategy(decision, deployment, context);
  const strategy = validation.isRefused ? null : defaultDeploymentStrategy(decision.written as DeploymentStrategySpec);
  const findings = [...validation.findings, ...checkKserveDeployment(service, deployment, strategy, platform)];
  if (strategy === null) return buildRollout(service, { component, findings });
  const { provenance } = decision;
  const namespace = namespaceOf(service.object);
  const target = { apiVersion: 'apps/v1', kind: DEPLOYMENT.kind, name, ...(namespace !== undefined && { namespace }) };
  const workload = buildKserveWorkload(service, deployment, { strategy, provenance }, context);
  return buildRollout(service, {
    component,
    strategy,
    provenance: restoreAnnotatedProvenance(service.annotations, component, provenance),
    simulation: workload.rollout?.simulation ?? null,
    creates: [{ ...target, replicas, selector, strategy }],
    pods: { kind: 'workload', workload },
    findings,
  });
}

/** What the API server says of a strategy. */
interface StrategyValidation {
  readonly isRefused: boolean;
  readonly findings: readonly Finding[];
}

function toStrategyValidation(findings: readonly Finding[]): StrategyValidation {
  return { isRefused: findings.some(({ severity }) => severity === 'error'), findings };
}

/** What the API server says of the Deployment's strategy, at the place that it comes from. */
function validateStrategy(
  { written, provenance }: Decision,
  { userStrategy, strategyPath }: ComponentDeployment,
  context: PlanContext,
): StrategyValidation {
  if (written === userStrategy) return toStrategyValidation(validateDeploymentStrategy(userStrategy, { path: strategyPath }));
  const isFromPlatform = provenance.some(({ layer }) => layer === 'platform-config');
  const { source, config, rolloutPath } = platformOf(context);
  if (!isFromPlatform || source === undefined) return toStrategyValidation([]);
  const limits = getConfiguredLimits(config?.defaultRollout);
  // Of numbers in quotes the ConfigMap's own finding tells.
  const { isRefused, findings } = toStrategyValidation(checkPlatformLimits(pickUnquotedLimits(limits), rolloutPath));
  return {
    isRefused: isRefused || Object.keys(pickQuotedLimits(limits)).length > 0,
    findings: findings.map((finding) => addSourceLocation(finding, source, context)),
  };
}

/** The mode of a service that neither its status nor its annotation names. */
function resolveDefaultMode(service: KserveService, context: PlanContext): DeploymentMode {
  const { source, config } = platformOf(context);
  if (source === undefined) return inferDefaultMode(service);
  return (config ?? ASSUMED_PLATFORM).defaultDeploymentMode || 'Knative';
}

/** The same where nothing is assumed: a service that has what mode Standard alone takes was admitted under no other default. */
function findKnownDefaultMode(service: KserveService, context: PlanContext): DeploymentMode | '' | undefined {
  const { source, config } = platformOf(context);
  if (source !== undefined) return config?.defaultDeploymentMode;
  return hasStandardOnlyFields(service) && !isNonNull(service.annotations[DEPLOYMENT_MODE_ANNOTATION]) ? 'Standard' : undefined;
}

/** The InferenceServices of KServe, and what it makes of them: Deployments in mode Standard, Knative's Revisions in mode Knative. */
export const kserveSystem: RolloutSystem = {
  name: 'kserve',
  rules: () => KSERVE_RULES,
  recognises: isInferenceService,
  plan: planInferenceService,
  contextFindings: checkClusterConfig,
  runFindings: checkMissingPlatform,
  effects: (old, next, isSameTemplate) =>
    computeServiceEffects(
      old,
      next,
      { defaultModeOf: resolveDefaultMode, knownDefaultModeOf: findKnownDefaultMode, platformOf },
      isSameTemplate,
    ),
  withRecord: recordDeploymentMode,
};
