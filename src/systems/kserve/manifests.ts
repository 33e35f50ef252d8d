import { toFieldPath, ROOT_PATH } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { joinLists } from '../../core/text/join-lists';
import { DEFAULT_VERSIONS } from '../../core/values/versions';
import { defaultDeploymentStrategy } from '../../workloads/deployment/strategy';
import type { DeploymentStrategySpec } from '../../workloads/deployment/types';
import { validateDeploymentStrategy } from '../../workloads/deployment/validation';
import { drainCanary, drainComponent } from './drain';
import { resolveLimitPath, resolveUserLevel } from './intent';
import { DEPLOYMENT_MODE_ANNOTATION } from './mode';
import { ASSUMED_PLATFORM } from './platform-config';
import { LIMITS, checkPlatformLimits, getConfiguredLimits } from './platform-limits';
import { resolveControllerStrategy, isNonNull, resolveDocumentedStrategy } from './precedence';
import type { Decision } from './precedence';
import { formatProvenanceAnnotations } from './provenance-annotations';
import { checkInheritedNumbers } from './rules/config-bare-number';
import { reportAnnotatedStandard } from './rules/annotated-standard';
import { areZeros, reportZerosOfLevels } from './rules/invalid-levels';
import {
  AUTOSCALER_CLASS_ANNOTATION,
  COMPONENTS,
  MODEL_CONTAINER,
  modelFieldOf,
  modelOf,
  readKserveService,
  hasRayNodeCount,
} from './service';
import type { TopLevelComponent } from './service';
import { validateInferenceService } from './validation';
import type {
  CanarySpec,
  ComponentProps,
  InferenceServiceProps,
  PlatformConfig,
  PredictorSpec,
  ResolvedComponent,
  ResolvedInferenceService,
} from './types';

/** The apiVersion and kind of the generated object. */
export const INFERENCE_SERVICE_TYPE = { apiVersion: 'serving.kserve.io/v1beta1', kind: 'InferenceService' } as const;

const PLATFORM_DEFAULTS_PATH = toFieldPath`platform.defaultRollout`;

/** One component: its emitted spec, and its resolved strategy. */
interface ComponentManifest {
  readonly spec: Fields;
  readonly component: ResolvedComponent;
  readonly findings: readonly Finding[];
}

/** Settings that all components of a service share. */
interface ServiceContext {
  readonly platform: PlatformConfig;
  readonly multinode: boolean;
  readonly inherits: boolean;
  readonly metadata: InferenceServiceProps['metadata'];
}

/**
 * Builds the InferenceService for an intent.
 *
 * Every component gets a deploymentStrategy with everything that the documented precedence decides, so neither a lower level nor the
 * version of KServe can change it. The head of a multinode predictor gets 100%/0%, like its workers. The service is annotated Standard
 * unless it already has the annotation. A multinode service is also annotated with autoscaler class none, because the webhook accepts no
 * other.
 *
 * The findings report what is wrong with the intent, and why the API server or KServe would refuse the object.
 *
 * @param name - the name of the service if the metadata has none
 */
export function buildInferenceService(name: string, props: InferenceServiceProps): ResolvedInferenceService {
  const platform = props.platform ?? ASSUMED_PLATFORM;
  const multinode = isNonNull(props.predictor.workerSpec) || hasRayNodeCount(props.predictor as Fields);
  const inherits = props.inheritPlatformDefaults === true;
  const components: ResolvedComponent[] = [];
  const spec: Record<string, unknown> = {};
  const intentFindings: Finding[] = [];
  for (const component of COMPONENTS) {
    const provided = props[component];
    if (provided === undefined) continue;
    const componentManifest = resolveComponent(component, provided, {
      platform,
      multinode: multinode && component === 'predictor',
      inherits,
      metadata: props.metadata,
    });
    spec[component] = componentManifest.spec;
    components.push(componentManifest.component);
    if (component === 'predictor' && props.predictor.workerSpec) components.push({ ...componentManifest.component, component: 'worker' });
    for (const finding of componentManifest.findings) intentFindings.push(finding);
  }
  if (props.canary) spec.canary = props.canary.map((canary, index) => buildCanary(canary, index, props));
  const annotations = buildAnnotations(props, components);
  // The object is written out, because V8 gives every object that is spread and then extended a hidden class of its own, and an app has
  // thousands of services.
  const manifest: Manifest = {
    apiVersion: INFERENCE_SERVICE_TYPE.apiVersion,
    kind: INFERENCE_SERVICE_TYPE.kind,
    metadata: props.metadata ? { name, ...props.metadata, annotations } : { name, annotations },
    spec,
  };
  const notes = checkAnnotatedStandard(props, platform);
  const findings = joinLists(intentFindings, validateManifest(manifest, platform, props.kserve), notes);
  // `slice` trims the spare capacity of a list that has grown; an app has thousands of services.
  return { manifest, components: components.slice(), findings, notes };
}

/** Reports what the annotation Standard changes on the platform, if the user did not write it. */
function checkAnnotatedStandard(props: InferenceServiceProps, { defaultDeploymentMode }: PlatformConfig): readonly Finding[] {
  if (defaultDeploymentMode === 'Standard') return [];
  if (props.metadata?.annotations?.[DEPLOYMENT_MODE_ANNOTATION] !== undefined) return [];
  const asksForStrategy = COMPONENTS.some((name) => isNonNull(props[name]?.rollout) || isNonNull(props[name]?.deploymentStrategy));
  return [reportAnnotatedStandard(defaultDeploymentMode, asksForStrategy)];
}

/**
 * Names the container of a canary's model. The CRD does not require the name in the predictor, but in a canary. KServe gives both this name.
 *
 * Source: KServe 0.20, config/crd/full, `spec.canary[].predictor.model`; its Makefile removes `required` only one level below `spec`.
 */
function withModelName(predictor: Fields): Fields {
  const field = modelFieldOf(predictor);
  return field === undefined ? predictor : { ...predictor, [field]: { name: MODEL_CONTAINER, ...getFieldsAt(predictor, field) } };
}

/** Builds a canary. JavaScript may pass a value that is not a canary, which KServe's checks report. */
function buildCanary(canary: CanarySpec, index: number, { predictor: stable, metadata }: InferenceServiceProps): unknown {
  const predictor: PredictorSpec | undefined = canary?.predictor;
  if (typeof predictor !== 'object' || predictor === null) return canary;
  const { podSpec, others, ...listed } = predictor;
  const path = toFieldPath`canary[${index}].predictor`;
  const drained = drainCanary({ ...listed, ...podSpec, ...others }, buildComponentSpec(stable), stable, metadata, path);
  return { ...canary, predictor: withModelName(drained) };
}

/** The props that describe a component's rollout, not its pods. */
const ROLLOUT_FIELDS: readonly string[] = [
  'rollout',
  'drain',
  'deploymentStrategy',
  'podSpec',
  'others',
] satisfies (keyof ComponentProps)[];

/** Builds the emitted fields of a component, except its strategy. */
function buildComponentSpec(props: ComponentProps): Record<string, unknown> {
  const spec: Record<string, unknown> = {};
  for (const field of Object.keys(props)) if (!ROLLOUT_FIELDS.includes(field)) spec[field] = (props as Fields)[field];
  return Object.assign(spec, props.podSpec, props.others);
}

/** Resolves a component, and writes its drain. */
function resolveComponent(name: TopLevelComponent, props: ComponentProps, context: ServiceContext): ComponentManifest {
  const resolved = resolveStrategy(name, props, context);
  if (props.drain === undefined) return resolved;
  const { spec, provenance } = drainComponent(name, resolved.spec, props, context.metadata);
  const { component } = resolved;
  return { ...resolved, spec, component: { ...component, provenance: [...component.provenance, ...provenance] } };
}

function resolveStrategy(
  name: TopLevelComponent,
  props: ComponentProps,
  { platform, multinode, inherits }: ServiceContext,
): ComponentManifest {
  const spec = buildComponentSpec(props);
  const user = resolveUserLevel(name, props);
  if (user.findings.some(({ severity }) => severity === 'error')) {
    return { spec, component: { component: name, strategy: null, provenance: [] }, findings: user.findings };
  }
  if (inherits && !multinode && user.strategy === undefined) {
    // The cluster decides, so the result is what its controller does.
    const decision = resolveControllerStrategy({ platform }, 'component');
    const isRefused = validateDeploymentStrategy(decision.written, { path: ROOT_PATH }).length > 0;
    const resolved = toResolvedComponent(name, decision, isRefused);
    return { spec, component: resolved, findings: [...user.findings, ...checkInheritedDefaults(platform)] };
  }
  const decision = resolveDocumentedStrategy({ user: user.strategy, platform }, multinode);
  const decisionErrors = checkDecision(name, props, decision);
  spec.deploymentStrategy = decision.written;
  return {
    spec,
    component: toResolvedComponent(name, decision, decisionErrors.length > 0),
    findings: joinLists(user.findings, decisionErrors),
  };
}

function toResolvedComponent(component: TopLevelComponent, { written, provenance }: Decision, isRefused: boolean): ResolvedComponent {
  return { component, strategy: isRefused ? null : defaultDeploymentStrategy(written as DeploymentStrategySpec), provenance };
}

/** Reports why the cluster cannot decide: its ConfigMap cannot contain fixed numbers of pods, or the API server refuses its values. */
function checkInheritedDefaults({ defaultDeploymentMode, defaultRollout }: PlatformConfig): Finding[] {
  if (defaultDeploymentMode !== 'Standard') return [];
  const limits = getConfiguredLimits(defaultRollout);
  const numbers = checkInheritedNumbers(limits, PLATFORM_DEFAULTS_PATH);
  return numbers.length > 0 ? numbers : checkPlatformLimits(limits, PLATFORM_DEFAULTS_PATH);
}

/** Reports what the API server refuses once the levels are combined: a value of the platform, or two limits of 0 from different levels. */
function checkDecision(component: TopLevelComponent, props: ComponentProps, { provenance }: Decision): Finding[] {
  // The user's values were validated before, and only the platform level can make both limits 0.
  if (!provenance.some(({ layer }) => layer === 'platform-config')) return [];
  const limits = LIMITS.flatMap((limit) => {
    const decision = provenance.find(({ field }) => field === limit);
    return decision ? [{ limit, ...decision }] : [];
  });
  const provided = limits.find(({ layer }) => layer === 'user');
  if (provided && areZeros(limits)) return [reportZerosOfLevels(resolveLimitPath(component, props, provided.limit), component, limits)];
  return checkPlatformLimits(Object.fromEntries(limits.map(({ limit, value }) => [limit, value])), PLATFORM_DEFAULTS_PATH);
}

function buildAnnotations(props: InferenceServiceProps, components: readonly ResolvedComponent[]): Record<string, string> {
  const { predictor, metadata, provenanceAnnotations = false } = props;
  // The map is extended in place: an app has thousands of services, most of them without other annotations.
  const annotations: Record<string, string> = { [DEPLOYMENT_MODE_ANNOTATION]: 'Standard' };
  if (predictor.workerSpec && modelOf({ ...predictor })) annotations[AUTOSCALER_CLASS_ANNOTATION] = 'none';
  if (provenanceAnnotations) {
    const entries = components.flatMap(({ component, provenance }) => formatProvenanceAnnotations(component, provenance));
    Object.assign(annotations, Object.fromEntries(entries));
  }
  return metadata?.annotations ? { ...annotations, ...metadata.annotations } : annotations;
}

/** Reports why the API server, the webhook or the controller would refuse the object, independent of its strategies. */
function validateManifest(manifest: Manifest, platform: PlatformConfig, version: string = DEFAULT_VERSIONS.kserve): readonly Finding[] {
  const service = readKserveService(manifest, version);
  const sources = { annotations: service.annotations, defaultMode: platform.defaultDeploymentMode, version };
  const { strategyFindings, objectFindings, dropped } = validateInferenceService(service, sources, {});
  return joinLists(strategyFindings, objectFindings, dropped);
}
