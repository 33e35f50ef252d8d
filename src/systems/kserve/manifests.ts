import { at, WHOLE_OBJECT } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import type { Fields, Manifest } from '../../core/manifest';
import { together } from '../../core/together';
import { DEFAULT_VERSIONS } from '../../core/versions';
import { storedDeploymentStrategy } from '../../workloads/deployment/strategy';
import type { DeploymentStrategySpec } from '../../workloads/deployment/types';
import { deploymentStrategyFindings } from '../../workloads/deployment/validation';
import { limitPath, userLevelOf } from './intent';
import { DEPLOYMENT_MODE_ANNOTATION } from './mode';
import { ASSUMED_PLATFORM } from './platform-config';
import { LIMITS, limitFindings, writtenLimits } from './platform-limits';
import { controllerStrategy, isGiven, settledStrategy } from './precedence';
import type { Decision } from './precedence';
import { provenanceEntries } from './provenance-annotations';
import { inheritedNumberFindings } from './rules/config-bare-number';
import { leftModeFinding } from './rules/annotated-standard';
import { areZeros, zerosOfLevelsFinding } from './rules/invalid-levels';
import { AUTOSCALER_CLASS_ANNOTATION, COMPONENTS, modelOf, readService, setsRayNodeCount } from './service';
import type { PlainComponent } from './service';
import { serviceFindings } from './validation';
import type {
  CanarySpec,
  ComponentProps,
  InferenceServiceProps,
  PlatformConfig,
  PredictorSpec,
  SettledComponent,
  SettledInferenceService,
} from './types';

/** What is written. */
export const INFERENCE_SERVICE = { apiVersion: 'serving.kserve.io/v1beta1', kind: 'InferenceService' } as const;

const PLATFORM_PATH = at`platform.defaultRollout`;

/** One component: what is emitted of it, and what was settled. */
interface Settlement {
  readonly spec: Fields;
  readonly settled: SettledComponent;
  readonly findings: readonly Finding[];
}

/** What holds for all components of a service alike. */
interface Circumstances {
  readonly platform: PlatformConfig;
  readonly multinode: boolean;
  readonly inherits: boolean;
}

/**
 * The InferenceService that makes an intent true.
 *
 * Every component gets a deploymentStrategy with all that the documented precedence settles,
 * so that neither a lower level nor the version of KServe can decide otherwise;
 * the head of a multinode predictor gets 100%/0% as its workers do. The service is annotated Standard unless it is annotated already,
 * and a multinode one with autoscaler class none likewise, for the webhook takes nothing else.
 *
 * The findings tell what is wrong with the intent, and for what the API server or KServe would refuse the object.
 *
 * @param name of the service where the metadata has none
 */
export function inferenceServiceOf(name: string, props: InferenceServiceProps): SettledInferenceService {
  const platform = props.platform ?? ASSUMED_PLATFORM;
  const multinode = isGiven(props.predictor.workerSpec) || setsRayNodeCount(props.predictor as Fields);
  const inherits = props.inheritPlatformDefaults === true;
  const components: SettledComponent[] = [];
  const spec: Record<string, unknown> = {};
  const ofIntent: Finding[] = [];
  for (const component of COMPONENTS) {
    const given = props[component];
    if (given === undefined) continue;
    const settlement = settle(component, given, { platform, multinode: multinode && component === 'predictor', inherits });
    spec[component] = settlement.spec;
    components.push(settlement.settled);
    if (component === 'predictor' && props.predictor.workerSpec) components.push({ ...settlement.settled, component: 'worker' });
    for (const finding of settlement.findings) ofIntent.push(finding);
  }
  if (props.canary) spec.canary = props.canary.map(writtenCanary);
  const annotations = annotationsOf(props, components);
  // Written out, since V8 gives every object that is spread and added to a hidden class of its own, and an app has thousands of services.
  const manifest: Manifest = {
    apiVersion: INFERENCE_SERVICE.apiVersion,
    kind: INFERENCE_SERVICE.kind,
    metadata: props.metadata ? { name, ...props.metadata, annotations } : { name, annotations },
    spec,
  };
  const notes = leftMode(props, platform);
  const findings = together(ofIntent, refusals(manifest, platform, props.kserve), notes);
  // A list that has grown keeps room for more, and an app has thousands of services.
  return { manifest, components: components.slice(), findings, notes };
}

/** What the annotation Standard changes on the platform, where it was not written by hand. */
function leftMode(props: InferenceServiceProps, { defaultDeploymentMode }: PlatformConfig): readonly Finding[] {
  if (defaultDeploymentMode === 'Standard') return [];
  if (props.metadata?.annotations?.[DEPLOYMENT_MODE_ANNOTATION] !== undefined) return [];
  const asksForStrategy = COMPONENTS.some((name) => isGiven(props[name]?.rollout) || isGiven(props[name]?.deploymentStrategy));
  return [leftModeFinding(defaultDeploymentMode, asksForStrategy)];
}

/** JavaScript may bring what is no canary, which KServe's checks judge. */
function writtenCanary(canary: CanarySpec): unknown {
  const predictor: PredictorSpec | undefined = canary?.predictor;
  if (typeof predictor !== 'object' || predictor === null) return canary;
  const { others, ...listed } = predictor;
  return { ...canary, predictor: { ...listed, ...others } };
}

/** What is said of a component's rollout, and not of its pods. */
const OF_ROLLOUT: readonly string[] = ['rollout', 'deploymentStrategy', 'others'] satisfies (keyof ComponentProps)[];

/** The fields of a component as they are emitted, its strategy apart. */
function fieldsOf(props: ComponentProps): Record<string, unknown> {
  const spec: Record<string, unknown> = {};
  for (const field of Object.keys(props)) if (!OF_ROLLOUT.includes(field)) spec[field] = (props as Fields)[field];
  return Object.assign(spec, props.others);
}

function settle(name: PlainComponent, props: ComponentProps, { platform, multinode, inherits }: Circumstances): Settlement {
  const spec = fieldsOf(props);
  const user = userLevelOf(name, props);
  if (user.findings.some(({ severity }) => severity === 'error')) {
    return { spec, settled: { component: name, strategy: null, provenance: [] }, findings: user.findings };
  }
  if (inherits && !multinode && user.strategy === undefined) {
    // The cluster decides, so what is promised is what its controller does.
    const decision = controllerStrategy({ platform }, 'component');
    const isRefused = deploymentStrategyFindings(decision.written, { path: WHOLE_OBJECT }).length > 0;
    const settled = settledOf(name, decision, isRefused);
    return { spec, settled, findings: [...user.findings, ...inheritedFindings(platform)] };
  }
  const decision = settledStrategy({ user: user.strategy, platform }, multinode);
  const refused = decisionFindings(name, props, decision);
  spec.deploymentStrategy = decision.written;
  return {
    spec,
    settled: settledOf(name, decision, refused.length > 0),
    findings: together(user.findings, refused),
  };
}

function settledOf(component: PlainComponent, { written, provenance }: Decision, isRefused: boolean): SettledComponent {
  return { component, strategy: isRefused ? null : storedDeploymentStrategy(written as DeploymentStrategySpec), provenance };
}

/** Why the cluster cannot be left to decide: its ConfigMap holds no fixed numbers of pods, and the API server refuses what it holds. */
function inheritedFindings({ defaultDeploymentMode, defaultRollout }: PlatformConfig): Finding[] {
  if (defaultDeploymentMode !== 'Standard') return [];
  const limits = writtenLimits(defaultRollout);
  const numbers = inheritedNumberFindings(limits, PLATFORM_PATH);
  return numbers.length > 0 ? numbers : limitFindings(limits, PLATFORM_PATH);
}

/** What the API server refuses once the levels are put together: a value of the platform, or a 0 of each. */
function decisionFindings(component: PlainComponent, props: ComponentProps, { provenance }: Decision): Finding[] {
  // What the user gives is judged before, and no other level than the platform's can make both limits 0.
  if (!provenance.some(({ layer }) => layer === 'platform-config')) return [];
  const limits = LIMITS.flatMap((limit) => {
    const decided = provenance.find(({ field }) => field === limit);
    return decided ? [{ limit, ...decided }] : [];
  });
  const given = limits.find(({ layer }) => layer === 'user');
  if (given && areZeros(limits)) return [zerosOfLevelsFinding(limitPath(component, props, given.limit), component, limits)];
  return limitFindings(Object.fromEntries(limits.map(({ limit, value }) => [limit, value])), PLATFORM_PATH);
}

function annotationsOf(props: InferenceServiceProps, components: readonly SettledComponent[]): Record<string, string> {
  const { predictor, metadata, provenanceAnnotations = false } = props;
  // A map that grows, for an app has thousands of services, most of them without any other annotation.
  const annotations: Record<string, string> = { [DEPLOYMENT_MODE_ANNOTATION]: 'Standard' };
  if (predictor.workerSpec && modelOf({ ...predictor })) annotations[AUTOSCALER_CLASS_ANNOTATION] = 'none';
  if (provenanceAnnotations) {
    const entries = components.flatMap(({ component, provenance }) => provenanceEntries(component, provenance));
    Object.assign(annotations, Object.fromEntries(entries));
  }
  return metadata?.annotations ? { ...annotations, ...metadata.annotations } : annotations;
}

/** Why the API server, the webhook or the controller would not take the object, whatever its strategies say. */
function refusals(manifest: Manifest, platform: PlatformConfig, version: string = DEFAULT_VERSIONS.kserve): readonly Finding[] {
  const service = readService(manifest, version);
  const sources = { annotations: service.annotations, defaultMode: platform.defaultDeploymentMode, version };
  const { ofStrategy, ofService, dropped } = serviceFindings(service, sources, {});
  return together(ofStrategy, ofService, dropped);
}
