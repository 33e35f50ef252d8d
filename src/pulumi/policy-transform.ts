import * as pulumi from '@pulumi/pulumi';
import { createAutoscalerLookup } from '../cluster/autoscaling/autoscaler';
import { mapFindings } from '../config/apply-configuration';
import { isDeepEqual } from '../core/collections/deep-equal';
import { IntentError, withConstructPath } from '../core/errors/intent-error';
import { toFieldPath, parseFieldPath } from '../core/manifest/field-path';
import type { Finding } from '../core/findings/finding';
import { getFieldsAt, isFields, getValueAt } from '../core/manifest/manifest';
import type { Fields, Manifest, ObjectMeta } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout, ResourceRef } from '../core/document/rollout';
import { describeValue } from '../core/text/display-value';
import { ANY, LIST, defineList, closeSchema } from '../core/values/schema';
import type { SchemasFor } from '../core/values/schema';
import { normalizeObjects } from '../input/normalize-objects';
import { listDrainOrigins, locateGoalOrigins } from '../props/goal-origin';
import type { GoalOrigin, ObjectGoalOrigin } from '../props/goal-origin';
import { daemonSetNodesOf, resolvePolicyGoal } from '../props/goals';
import type { PlanOptions } from '../plan/plan-options';
import { describePolicyConflict, findUnreachablePartition, POLICY_PROP_PATHS } from '../props/policy';
import { resolvePropPath } from '../props/prop-paths';
import type { PropPaths } from '../props/prop-paths';
import { METADATA_PROPS } from '../props/validate-props';
import { formatErrorLines } from '../props/error-lines';
import { drainPolicyTemplate, validateWorkloadPolicy } from '../workloads/policies';
import type { WorkloadPolicy } from '../workloads/policies';
import { hpaOwnsReplicas } from '../workloads/rules/hpa-owns-replicas';
import { explainEndlessWait, SKIP_AWAIT_ANNOTATION } from './await-rules';
import { hasOutputPlaceholder, isPendingOutput } from './opaque-outputs';
import { memoizePerProgram, withProgramContext } from './program-context';

/** A workload without apiVersion and kind, which the policy determines. */
export interface WorkloadProps {
  /** Name, namespace, labels, annotations. */
  readonly metadata: ObjectMeta & {
    /** Name of the workload, and the last part of the name of the Pulumi resource. */
    readonly name: string;
  };
  /** Spec as in apps/v1. The policy replaces the fields that it writes. */
  readonly spec: Fields;
}

/** What a policy applies to, and its surroundings. */
export interface PolicyTargets {
  /** Workloads. Each becomes a separate resource. */
  readonly workloads: readonly WorkloadProps[];
  /**
   * Other objects of the cluster for the plan, such as autoscalers, disruption budgets and quotas. They are not registered.
   * If an autoscaler in them targets a workload, changes of its `replicas` are ignored.
   *
   * @default - none
   */
  readonly surroundings?: readonly Manifest[];
}

/** Expected props of the workloads of a policy. */
export const WORKLOAD_PROPS = {
  workloads: closeSchema(defineList({ metadata: METADATA_PROPS, spec: ANY } satisfies SchemasFor<WorkloadProps>)),
  surroundings: LIST,
} satisfies SchemasFor<PolicyTargets>;

/** Types of the Kubernetes provider that a transform changes. */
const RESOURCE_TYPES: Readonly<Record<WorkloadPolicy['kind'], string>> = {
  Deployment: 'kubernetes:apps/v1:Deployment',
  StatefulSet: 'kubernetes:apps/v1:StatefulSet',
  DaemonSet: 'kubernetes:apps/v1:DaemonSet',
};

/**
 * Creates a transform that writes a policy into every resource of its kind.
 *
 * @throws Error for values that the API server would refuse
 */
export function createPolicyTransform(
  policy: WorkloadPolicy,
  { surroundings = [] }: Pick<PolicyTargets, 'surroundings'> = {},
): pulumi.ResourceTransform {
  const errors = formatErrorLines(validateWorkloadPolicy(policy, { apiVersion: 'apps/v1', kind: policy.kind }), POLICY_PROP_PATHS);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  const findUnreachable = createPartitionCheck(policy, surroundings);
  return withProgramContext(({ type, name, props, opts }) => {
    if (type !== RESOURCE_TYPES[policy.kind]) return undefined;
    const metadata = readNames(props.metadata);
    const [problem] = [
      ...findUnreachable([{ metadata, spec: props.spec as Fields }]),
      ...findOtherPolicy(policy, `${type} ${name}`, props.spec),
    ];
    const place = `the policy of ${policy.kind} ${getValueAt(props.metadata, 'name') === metadata.name ? metadata.name : name}:`;
    if (problem !== undefined) throw new Error(`${place} ${problem}`);
    const spec = mapPlain(props.spec, (current) => writePolicy(policy, { metadata, spec: current as Fields }, surroundings, place));
    const isEndless = explainEndlessWait({ apiVersion: 'apps/v1', kind: policy.kind, spec: policy.spec }) !== undefined;
    const annotated = isEndless ? { metadata: mapPlain(props.metadata, withoutAwait) } : {};
    return { props: { ...props, ...annotated, spec }, opts };
  });
}

/**
 * Maps a value of a resource. Only an Output is mapped as an Output: an Output with one unknown part is unknown altogether, so the engine
 * would preview a replacement, and one with a secret part is a secret altogether.
 */
function mapPlain(value: unknown, map: (plain: unknown) => unknown): unknown {
  return isPendingOutput(value) ? pulumi.output(value as pulumi.Input<Fields>).apply(map) : map(value);
}

/** Fields that never decide which strategy meets a goal. */
const UNDECIDING_FIELDS: ReadonlySet<string> = new Set(['image', 'env', 'envFrom', 'args', 'command', 'labels', 'annotations', 'volumes']);

/** Reports whether a value that decides a goal is an Output, such as `replicas` or the entire template. */
function hasDecidingOutput(value: unknown): boolean {
  if (isPendingOutput(value)) return true;
  if (Array.isArray(value)) return value.some(hasDecidingOutput);
  return isFields(value) && Object.entries(value).some(([name, inner]) => !UNDECIDING_FIELDS.has(name) && hasDecidingOutput(inner));
}

/** Reports whether an Output decides how the pods of a template drain: their containers, the words that start a server, a hook, or the grace period. */
function hasDrainingOutput(template: unknown): boolean {
  if (isPendingOutput(template)) return true;
  const spec = getValueAt(template, 'spec');
  if (isPendingOutput(spec)) return true;
  const containers = getValueAt(spec, 'containers');
  if (isPendingOutput(containers)) return true;
  const parts = (Array.isArray(containers) ? containers : []).map((container: unknown) =>
    isPendingOutput(container) ? container : ['command', 'args', 'lifecycle'].map((field) => getValueAt(container, field)),
  );
  return hasDecidingOutput([getValueAt(spec, 'terminationGracePeriodSeconds'), ...parts]);
}

/** Returns a template with the drain of a policy. If an Output in it decides how the pods drain, the template becomes an Output. */
function mapDrainedTemplate(policy: WorkloadPolicy, template: unknown, place: string | undefined): unknown {
  const known = hasDrainingOutput(template) ? pulumi.output(template as pulumi.Input<Fields>) : template;
  return mapPlain(known, (current) => runAt(place, () => withDrain(policy, current)));
}

/** Returns the result of `run`. Its errors begin with the place, if there is one. */
function runAt<T>(place: string | undefined, run: () => T): T {
  return place === undefined ? run() : withConstructPath(() => place, run);
}

/** Creates a check for a partition that no index of a workload reaches. It returns one line for all workloads. An autoscaler in the surroundings may add the pods. */
export function createPartitionCheck(
  policy: WorkloadPolicy,
  surroundings: readonly Manifest[] = [],
): (workloads: readonly WorkloadProps[]) => string[] {
  const autoscalersOf = createAutoscalerLookup(normalizeObjects(surroundings).objects);
  return (workloads) => {
    const lines = workloads.flatMap(({ metadata, spec }) => {
      const isAutoscaled = autoscalersOf({ apiVersion: 'apps/v1', kind: policy.kind, metadata }).length > 0;
      return findUnreachablePartition(policy, spec, isAutoscaled);
    });
    return [...new Set(lines)];
  };
}

/** The policy that a transform wrote last, by type and name of the resource. */
const transformedBy = memoizePerProgram(() => new Map<string, WorkloadPolicy>());

/** Reports whether a spec has all fields that a policy writes. */
function hasPolicy({ spec: fields }: WorkloadPolicy, spec: unknown): boolean {
  return Object.entries(fields).every(([field, value]) => isDeepEqual(getValueAt(spec, field), value));
}

/**
 * Finds another policy that a transform wrote into a resource before, and that this one contradicts. Pulumi runs the transforms of the resource
 * first, then those of its parents and of the stack, so that the most general one would win. Returns one line.
 */
function findOtherPolicy(policy: WorkloadPolicy, resource: string, spec: unknown): string[] {
  const policies = transformedBy();
  const earlier = policies.get(resource);
  policies.set(resource, policy);
  // A program that runs again has the resource without the policy.
  if (!earlier || earlier.goal || policy.goal || !hasPolicy(earlier, spec)) return [];
  const conflict = describePolicyConflict(earlier, policy);
  if (conflict === undefined) return [];
  return [
    `another transform has written a policy into this resource, which this one would replace: ${conflict}. Delete one of the two, or give the general one ` +
      'to components instead of the stack',
  ];
}

/** Writes a policy into a spec. If an Output decides its goal, only the strategy becomes an Output. Errors begin with the place. */
function writePolicy(policy: WorkloadPolicy, workload: WorkloadProps, surroundings: readonly Manifest[], place: string): Fields {
  if (!isFields(workload.spec)) throw new IntentError(`spec is ${describeValue(workload.spec)}: write a map`, place);
  const writeAll = (written: WorkloadPolicy, given: WorkloadProps) => withPolicy(written, given, surroundings, place).spec;
  if (!policy.goal || !hasDecidingOutput(workload.spec)) return writeAll(policy, workload);
  const field = policy.kind === 'Deployment' ? 'strategy' : 'updateStrategy';
  const strategy = pulumi.output(workload.spec).apply((spec) => writeAll(policy, { ...workload, spec })[field]);
  const { goal: _, ...others } = policy;
  return { ...writeAll(others, workload), [field]: strategy };
}

/** Returns the names of a workload that are known, for the goal: an autoscaler in the surroundings names it. */
function readNames(metadata: unknown): WorkloadProps['metadata'] {
  const [name, namespace] = [getValueAt(metadata, 'name'), getValueAt(metadata, 'namespace')];
  return { name: typeof name === 'string' ? name : 'workload', ...(typeof namespace === 'string' && { namespace }) };
}

/** Returns metadata with the annotation not to wait, unless the user has set it. */
function withoutAwait(metadata: unknown): unknown {
  const { annotations, ...others } = { ...(metadata as Fields | undefined) };
  return { ...others, annotations: mapPlain(annotations, (current) => ({ [SKIP_AWAIT_ANNOTATION]: 'true', ...(current as Fields) })) };
}

/** Validates the structure of workloads that JavaScript callers pass. Returns one line per error. */
export function validateWorkloads(workloads: unknown): string[] {
  if (!Array.isArray(workloads)) return [`workloads is ${describeValue(workloads)}; write a list of workloads`];
  return workloads.flatMap((workload: unknown, index) => {
    const metadata = getValueAt(workload, 'metadata');
    return isFields(metadata)
      ? []
      : [`${toFieldPath`workloads[${index}].metadata`} is ${describeValue(metadata)}; write a map with a name`];
  });
}

/**
 * Returns the spec of a workload with the fields of a policy. A goal is resolved for this workload.
 *
 * @param place begins the errors. @default - the component names itself
 */
function withPolicy(
  policy: WorkloadPolicy,
  { metadata, spec }: WorkloadProps,
  surroundings: readonly Manifest[],
  place?: string,
): { readonly spec: Fields; readonly origin?: GoalOrigin } {
  const workload = { apiVersion: 'apps/v1', kind: policy.kind, metadata, spec };
  const { policy: resolved, origin } = runAt(place, () => resolvePolicyGoal(policy, workload, () => surroundings));
  const template = policy.drain === undefined ? undefined : mapDrainedTemplate(policy, spec.template, place);
  return { spec: { ...spec, ...resolved.spec, ...(template !== undefined && { template }) }, ...(origin && { origin }) };
}

/** Returns the origin of the fields that the drain of a policy writes into a workload. */
function listPolicyDrains(policy: WorkloadPolicy, { spec }: WorkloadProps): GoalOrigin[] {
  return listDrainOrigins(drainPolicyTemplate(policy, spec)?.provenance ?? []);
}

/** Returns a pod template with the drain of a policy. @throws IntentError if its server cannot finish such a request */
function withDrain(policy: WorkloadPolicy, template: unknown): unknown {
  const drained = drainPolicyTemplate(policy, { template });
  return drained ? { ...(template as Fields), ...(drained.metadata && { metadata: drained.metadata }), spec: drained.spec } : template;
}

/** Returns what the goal of a policy says about the cluster, as options of a plan of its workloads. */
export function createPolicyPlanOptions(
  policy: WorkloadPolicy,
  workloads: readonly WorkloadProps[],
): Pick<PlanOptions, 'versions' | 'daemonSetNodes'> {
  const kubernetes = policy.goal?.kubernetes;
  const nodes = workloads.map(({ metadata }) => daemonSetNodesOf(policy, { apiVersion: 'apps/v1', kind: policy.kind, metadata }));
  const daemonSetNodes = Object.assign({}, ...nodes.map((each) => each.daemonSetNodes)) as PlanOptions['daemonSetNodes'];
  return { ...(kubernetes !== undefined && { versions: { kubernetes } }), daemonSetNodes };
}

/**
 * Returns a workload as its plan reads it. A label and its selector may be two Outputs, whose values are not known yet: the plan assumes that
 * they are equal. The registered object keeps both.
 */
export function assumeMatchingLabels<Workload extends Manifest>(workload: Workload): Workload {
  const spec = getFieldsAt(workload, 'spec');
  const [required, labels] = [getFieldsAt(spec, 'selector', 'matchLabels'), getFieldsAt(spec, 'template', 'metadata', 'labels')];
  const names = Object.keys(required).filter((name) => Object.hasOwn(labels, name));
  const pick = (of: Fields, from: Fields) =>
    Object.fromEntries(names.filter((name) => hasOutputPlaceholder(of[name])).map((name) => [name, from[name]]));
  const [fromLabels, fromSelector] = [pick(required, labels), pick(labels, required)];
  if (Object.keys({ ...fromLabels, ...fromSelector }).length === 0) return workload;
  const matchLabels = { ...required, ...fromLabels };
  const template = getFieldsAt(spec, 'template');
  const metadata = { ...getFieldsAt(template, 'metadata'), labels: { ...labels, ...fromSelector, ...fromLabels } };
  return {
    ...workload,
    spec: { ...spec, selector: { ...getFieldsAt(spec, 'selector'), matchLabels }, template: { ...template, metadata } },
  };
}

/** Workloads with the fields of a policy. */
export interface AppliedPolicy {
  readonly manifests: (Manifest & WorkloadProps)[];
  /** Origins of the strategies that follow from a goal. */
  readonly origins: readonly ObjectGoalOrigin[];
}

/** Writes the policy's fields into the specs of workloads. A goal is resolved for each of them, under the surroundings. */
export function applyPolicyToWorkloads(policy: WorkloadPolicy, { workloads, surroundings = [] }: PolicyTargets): AppliedPolicy {
  const applied = workloads.map((workload) => {
    const { spec, origin } = withPolicy(policy, workload, surroundings);
    const manifest = { apiVersion: 'apps/v1', kind: policy.kind, metadata: workload.metadata, spec };
    const origins = [...(origin ? [origin] : []), ...listPolicyDrains(policy, workload)];
    return { manifest, origins: locateGoalOrigins(manifest, origins) };
  });
  return { manifests: applied.map(({ manifest }) => manifest), origins: applied.flatMap(({ origins }) => origins) };
}

/** Returns the plan with its errors at the args: those about fields of the policy at `policyArg`, others at their workload. */
export function mapFindingsToArgs(
  { findings, rollouts }: PlanDocument,
  policy: WorkloadPolicy,
  policyArg: string,
  workloads: readonly WorkloadProps[],
): Pick<PlanDocument, 'findings' | 'rollouts'> {
  const policyPaths = POLICY_PROP_PATHS.filter(([field]) => Object.hasOwn(policy.spec, parseFieldPath(field)[1]!));
  const policyPropPaths = policyPaths.map(([field, prop]) => [field, `${policyArg}.${prop}`] as const);
  const propPathsOf = ({ kind, name, namespace }: PlannedRollout['resource']): PropPaths => {
    const index = workloads.findIndex(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
    if (kind !== policy.kind || index < 0) return [];
    return [...policyPropPaths, ...['metadata', 'spec'].map((field) => [field, `workloads[${index}].${field}`] as const)];
  };
  const atArg = (finding: Finding, propPaths: PropPaths) =>
    finding.severity === 'error' ? { ...finding, path: resolvePropPath(finding.path, propPaths) } : finding;
  return {
    findings,
    rollouts: rollouts.map((rollout) => {
      const propPaths = propPathsOf(rollout.resource);
      return { ...rollout, findings: rollout.findings.map((finding) => atArg(finding, propPaths)) };
    }),
  };
}

/**
 * Suppresses the findings about replicas that an autoscaler changes, for the workloads whose `replicas` Pulumi ignores: an update
 * does not set them.
 */
export function suppressIgnoredFields(
  plan: PlanDocument,
  workloads: readonly WorkloadProps[],
  ignoredOf: (workload: Manifest) => string[],
): PlanDocument {
  const isIgnored = ({ kind, name, namespace }: ResourceRef) =>
    workloads.some(
      (workload) =>
        workload.metadata.name === name &&
        workload.metadata.namespace === namespace &&
        ignoredOf({ apiVersion: 'apps/v1', kind, ...workload }).length > 0,
    );
  return mapFindings(plan, (finding, resource) =>
    finding.code === hpaOwnsReplicas.code && resource && isIgnored(resource)
      ? { ...finding, suppressed: { reason: 'Pulumi ignores changes of spec.replicas (ignoreChanges)', by: 'configuration' } }
      : finding,
  );
}

/** Creates a lookup of the fields of each workload that Pulumi must ignore: the replicas, if an autoscaler targets it. */
export function createIgnoredFieldsLookup(surroundings: readonly Manifest[]): (workload: Manifest) => string[] {
  const autoscalersOf = createAutoscalerLookup(normalizeObjects(surroundings).objects);
  return (workload) => (autoscalersOf(workload).length > 0 ? ['spec.replicas'] : []);
}
