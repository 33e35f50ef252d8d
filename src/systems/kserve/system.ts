import { ROOT_PATH } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { groupOf, objectReferenceOf, isManifest, nameOf, namespaceOf, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { toResourceRef } from '../../core/document/rollout';
import { memoizePerPlan } from '../../cluster/context/context';
import type { PlanContext, RolloutSystem } from '../../cluster/context/context';
import { CONTEXT_KINDS } from '../../cluster/kinds/context-kinds';
import type { SystemRollout } from '../../cluster/rollout/system-rollout';
import { DEPLOYMENT } from '../../workloads/deployment/kind';
import { defaultDeploymentStrategy } from '../../workloads/deployment/strategy';
import type { DeploymentStrategySpec } from '../../workloads/deployment/types';
import { validateDeploymentStrategy } from '../../workloads/deployment/validation';
import { checkExternalAutoscaler } from './rules/autoscaler-conflict';
import { checkKserveFields } from './check-fields';
import { checkKserveDeployment } from './checks';
import { buildRoutedService, resolveCanaryRouting } from './canary-routing';
import { buildKserveDeployments } from './deployments';
import { computeServiceEffects } from './effects';
import type { ComponentDeployment } from './deployments';
import { checkKnativeConfig } from './knative/config';
import { recordDeploymentMode } from './mode-change';
import { planRevision } from './knative/rollout';
import { deploymentModeOf, DEPLOYMENT_MODE_ANNOTATION } from './mode';
import type { ModeSources } from './mode';
import { mayReplacePodsOfServices } from './config-effect';
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
import { checkNoRuntime } from './rules/no-runtime';
import { reportUnservedVersion } from './rules/invalid-service';
import { findNamedRuntimeSpec, resolveRuntime } from './runtime';
import { isServiceStopped, readKserveService } from './service';
import type { KserveService } from './service';
import { validateInferenceService } from './validation';
import type { ServiceFindings } from './validation';
import { computeRuntimeEffect, maySelectServices } from './runtime-effect';
import { buildKserveWorkload, resolveRuntimeTermination } from './workload';
import type { DeploymentMode, PlatformConfig, PlatformConfigResult } from './types';

const GROUP = 'serving.kserve.io';
const KIND = 'InferenceService';

function isInferenceService(object: Manifest): boolean {
  return object.kind === KIND && groupOf(object) === GROUP;
}

/** The platform level of a plan, the object it was read from, and the path of its rollout defaults. */
interface ResolvedPlatform extends PlatformConfigResult {
  readonly source: Fields | undefined;
  readonly rolloutPath: FieldPath;
}

/** Reports whether a ConfigMap is an unrendered part of a Helm chart. No JSON begins with two braces. */
function isHelmTemplate(configMap: Manifest): boolean {
  const deploy = getValueAt(configMap, 'data', 'deploy');
  return typeof deploy === 'string' && deploy.includes('{{');
}

/** Returns the ConfigMap passed as an option, otherwise the one in namespace kserve, otherwise the first with its name. */
function findPlatformSource(context: PlanContext): Fields | undefined {
  if (context.kserveConfig) return context.kserveConfig;
  const configMaps = context
    .all(CONTEXT_KINDS.kserveConfig)
    .filter((configMap) => nameOf(configMap) === CONFIG_MAP_NAME && !isHelmTemplate(configMap));
  return configMaps.find((configMap) => namespaceOf(configMap) === KSERVE_NAMESPACE) ?? configMaps[0];
}

const platformOf = memoizePerPlan((context): ResolvedPlatform => {
  const source = findPlatformSource(context);
  const rolloutPath = buildDefaultRolloutPath(source && isConfigMap(source) ? DEPLOY_PATH : ROOT_PATH);
  if (source === undefined) return { source, rolloutPath, config: ASSUMED_PLATFORM, findings: [] };
  return { source, rolloutPath, ...readPlatformConfig(source, context.versions.kserve) };
});

function checkClusterConfig(context: PlanContext): Finding[] {
  const { source, findings } = platformOf(context);
  const platformFindings = source === undefined ? [] : findings.map((finding) => addSourceLocation(finding, source, context));
  return [...platformFindings, ...checkKnativeConfig(context)];
}

/** Reports the assumptions about services of all units without a platform level. */
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

/** Reports whether a service is refused with any default mode, so that it never rolls out. */
function isAlwaysRefused(service: KserveService): boolean {
  const sources = { annotations: service.annotations, defaultMode: KSERVE_DEFAULT_MODE, isDefaultAssumed: true, version: service.version };
  const { strategyFindings, objectFindings } = validateInferenceService(service, sources, {});
  return [...strategyFindings, ...objectFindings].some(({ severity }) => severity === 'error');
}

function addSourceLocation(finding: Finding, object: Fields, context: PlanContext): Finding {
  const source = context.locate(object, finding.path);
  return { ...finding, ...(isManifest(object) && { object: objectReferenceOf(object) }), ...(source && { source }) };
}

/** The only version that the CRD serves. */
const API_VERSION = `${GROUP}/v1beta1`;

function isServed({ apiVersion }: Manifest): boolean {
  return apiVersion === API_VERSION;
}

/** Reports whether a service has fields that only mode Standard supports, which imply that it runs in that mode. */
function hasStandardOnlyFields({ components, canaries }: KserveService): boolean {
  return canaries.length > 0 || components.some(({ spec }) => isNonNull(spec.deploymentStrategy));
}

/** Reports whether the mode of a service is known without the platform level. */
function hasKnownMode(service: KserveService): boolean {
  const isNamed =
    isNonNull(service.annotations[DEPLOYMENT_MODE_ANNOTATION]) || isNonNull(getValueAt(service.object, 'status', 'deploymentMode'));
  return isNamed || hasStandardOnlyFields(service);
}

/**
 * Returns the default mode for a service without a platform level: the mode that KServe ships, unless the service would be refused in it.
 */
function inferDefaultMode(service: KserveService): DeploymentMode {
  return hasStandardOnlyFields(service) ? 'Standard' : KSERVE_DEFAULT_MODE;
}

/** Returns what decides the mode of a service. */
function readModeSources(service: KserveService, context: PlanContext): ModeSources {
  const platform = platformOf(context);
  const { defaultDeploymentMode } = platform.config ?? ASSUMED_PLATFORM;
  return {
    status: getValueAt(service.object, 'status', 'deploymentMode'),
    annotations: service.annotations,
    defaultMode: platform.source === undefined ? inferDefaultMode(service) : defaultDeploymentMode,
    isDefaultAssumed: platform.source === undefined,
    version: context.versions.kserve,
  };
}

/** Returns the mode in which KServe runs a service. */
export function resolveServiceMode(service: KserveService, context: PlanContext): DeploymentMode {
  return deploymentModeOf(readModeSources(service, context));
}

function planInferenceService(object: Manifest, context: PlanContext): SystemRollout[] {
  const service = readKserveService(object, context.versions.kserve);
  if (!isServed(object)) return [buildRollout(service, { findings: [reportUnservedVersion(object.apiVersion, API_VERSION)] })];
  const platform = platformOf(context);
  const config = platform.config ?? ASSUMED_PLATFORM;
  const runtime = findNamedRuntimeSpec(service, context);
  const sources = readModeSources(service, context);
  const serviceFindings = validateInferenceService(service, sources, runtime);
  const refusal = [...serviceFindings.strategyFindings, ...serviceFindings.objectFindings].find(({ severity }) => severity === 'error');
  const mode = deploymentModeOf(sources);
  const deployments = mode === 'Standard' && !isServiceStopped(service, mode) ? buildKserveDeployments(service, runtime) : [];
  if (refusal) return [buildRollout(service, { findings: collectErrors(serviceFindings, deployments), rejectionCause: refusal })];
  const otherFindings = [...serviceFindings.objectFindings, ...serviceFindings.dropped];
  if (platform.config === null) return [buildRollout(service, { notPlanned: INVALID_CONFIG, findings: otherFindings })];
  if (isServiceStopped(service, mode) || mode === 'ModelMesh') {
    const notPlanned = mode === 'ModelMesh' ? { notPlanned: 'rolloutkit does not support the mode ModelMesh' } : {};
    return [buildRollout(service, { ...notPlanned, findings: [reportNoDeployment(service, mode), ...otherFindings] })];
  }
  const withoutRuntime = checkNoRuntime(service, resolveRuntime(service, object.status, context));
  if (withoutRuntime.length > 0) return [buildRollout(service, { findings: [...withoutRuntime, ...otherFindings], rejectionCause: null })];
  if (mode === 'Knative') return withNotes(planRevisions(service, context), [...otherFindings, ...checkNoWorkersInKnative(service)]);
  return withNotes(
    deployments.map((deployment) => planDeployment(service, deployment, config, context)),
    otherFindings,
  );
}

/** Returns the rollouts of a service, with the findings about the entire service added to the first. */
function withNotes([first, ...others]: readonly SystemRollout[], notes: readonly Finding[]): SystemRollout[] {
  return first === undefined ? [] : [{ ...first, findings: [...first.findings, ...notes] }, ...others];
}

/** Returns everything for which a service is refused, now or once the rest is fixed. */
function collectErrors(
  { strategyFindings, objectFindings, dropped }: ServiceFindings,
  deployments: readonly ComponentDeployment[],
): Finding[] {
  const reportedPaths = new Set(strategyFindings.map(({ path }) => path));
  const deploymentFindings = deployments
    .filter(({ component }) => component !== 'worker')
    .flatMap(({ userStrategy, strategyPath }) => validateDeploymentStrategy(userStrategy, { path: strategyPath }));
  return [...strategyFindings, ...deploymentFindings.filter(({ path }) => !reportedPaths.has(path)), ...objectFindings, ...dropped];
}

function planRevisions(service: KserveService, context: PlanContext): SystemRollout[] {
  return service.components.map((component) => planRevision(service, component, context));
}

/** The reason for which nothing is planned because of another object, whose annotation may suppress the error. */
const INVALID_CONFIG = 'the ConfigMap inferenceservice-config is not valid';

/** The known parts of a rollout, except its resource. */
interface RolloutParts extends Partial<Omit<SystemRollout, 'system' | 'resource'>> {
  readonly component?: string;
}

/** Builds a rollout of the service or one component. It has no strategy unless `parts` has one. */
function buildRollout({ object, name }: KserveService, { component, ...parts }: RolloutParts): SystemRollout {
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
  const routing = resolveCanaryRouting(service, platformOf(context).source);
  const findings = [
    ...validation.findings,
    ...checkKserveDeployment(service, deployment, strategy, platform, routing),
    ...checkExternalAutoscaler(service, component, name, context),
  ];
  if (strategy === null)
    return buildRollout(service, { component, findings, ...(validation.findings.length === 0 && { notPlanned: INVALID_CONFIG }) });
  const { provenance } = decision;
  const namespace = namespaceOf(service.object);
  const target = { apiVersion: 'apps/v1', kind: DEPLOYMENT.kind, name, ...(namespace !== undefined && { namespace }) };
  const workload = buildKserveWorkload(service, deployment, { strategy, provenance }, context);
  const { termination, findings: ofRuntime } = resolveRuntimeTermination(service, deployment, context);
  const routedService = buildRoutedService(service, deployment, routing);
  return buildRollout(service, {
    component,
    strategy,
    ...(termination && { termination }),
    ...(routedService && { routedService }),
    ...(component !== 'worker' && { createdService: name }),
    provenance: restoreAnnotatedProvenance(service.annotations, component, provenance),
    simulation: workload.rollout?.simulation ?? null,
    creates: [{ ...target, replicas, selector, strategy }],
    pods: { kind: 'workload', workload },
    findings: [...findings, ...ofRuntime],
  });
}

/** The API server's validation of a strategy. */
interface StrategyValidation {
  readonly isRefused: boolean;
  readonly findings: readonly Finding[];
}

function toStrategyValidation(findings: readonly Finding[]): StrategyValidation {
  return { isRefused: findings.some(({ severity }) => severity === 'error'), findings };
}

/** Validates the Deployment's strategy like the API server, with findings at the path where the strategy is written. */
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
  // Quoted numbers are reported by the ConfigMap's own finding.
  const { isRefused, findings } = toStrategyValidation(checkPlatformLimits(pickUnquotedLimits(limits), rolloutPath));
  return {
    isRefused: isRefused || Object.keys(pickQuotedLimits(limits)).length > 0,
    findings: findings.map((finding) => addSourceLocation(finding, source, context)),
  };
}

/** Returns the mode of a service whose status and annotation set none. */
function resolveDefaultMode(service: KserveService, context: PlanContext): DeploymentMode {
  const { source, config } = platformOf(context);
  if (source === undefined) return inferDefaultMode(service);
  return (config ?? ASSUMED_PLATFORM).defaultDeploymentMode || 'Knative';
}

/**
 * Returns the default mode without assumptions. A service with fields that only mode Standard supports can only have been admitted with
 * default mode Standard.
 */
function findKnownDefaultMode(service: KserveService, context: PlanContext): DeploymentMode | '' | undefined {
  const { source, config } = platformOf(context);
  if (source !== undefined) return config?.defaultDeploymentMode;
  return hasStandardOnlyFields(service) && !isNonNull(service.annotations[DEPLOYMENT_MODE_ANNOTATION]) ? 'Standard' : undefined;
}

/** The system for InferenceServices of KServe: Deployments in mode Standard, Knative's Revisions in mode Knative. */
export const kserveSystem: RolloutSystem = {
  name: 'kserve',
  rules: () => KSERVE_RULES,
  recognises: isInferenceService,
  droppedFields: (object, { kserve: version }) => checkKserveFields({ object, version }).dropped,
  plan: planInferenceService,
  needsInView: { kinds: [{ group: GROUP, kind: KIND }, CONTEXT_KINDS.kserveConfig], options: ['kserveConfig'] },
  contextFindings: checkClusterConfig,
  runFindings: checkMissingPlatform,
  effects: (old, next, isSameTemplate) =>
    computeServiceEffects(
      old,
      next,
      { defaultModeOf: resolveDefaultMode, knownDefaultModeOf: findKnownDefaultMode, platformOf },
      isSameTemplate,
    ),
  contextEffect: (old, next) => computeRuntimeEffect(old, next, isInferenceService),
  concernsUnseenPods: (changed) => maySelectServices(changed, isInferenceService) || mayReplacePodsOfServices(changed),
  templateHolder: (object, context) => resolveRuntime(readKserveService(object, context.versions.kserve), object.status, context),
  withRecord: recordDeploymentMode,
};
