import { ApiObject, JsonPatch } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Finding } from '../core/findings/finding';
import { isDeepEqual } from '../core/collections/deep-equal';
import { addToGroup } from '../core/collections/group-by';
import { getFieldsAt, isFields, getListAt, getValueAt } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import { DEFAULT_VERSIONS } from '../core/values/versions';
import { getErrorMessage } from '../core/errors/error-message';
import { describeValue } from '../core/text/display-value';
import { joinWords } from '../core/text/text-format';
import { createAutoscalerLookup, isAutoscaler } from '../cluster/autoscaling/autoscaler';
import { findCallSite, locateErrors } from '../props/call-site';
import { describePolicyConflict, findUnreachablePartition, parseWorkloadSelector, POLICY_PROP_PATHS } from '../props/policy';
import { formatErrorLines, hasError } from '../props/error-lines';
import { listDrainOrigins, locateGoalOrigins } from '../props/goal-origin';
import { daemonSetNodesOf, resolvePolicyGoal } from '../props/goals';
import { workloadKindOf } from '../workloads/kinds';
import { validateObjectOfKind } from '../workloads/plan-workload';
import { drainPolicyTemplate, validateWorkloadPolicy } from '../workloads/policies';
import type { DrainedTemplate } from '../workloads/drain';
import type { StatefulPolicy, WorkloadPolicy } from '../workloads/policies';
import { recordContext } from './app-memory';
import { policyTraceOf, recordPolicyCallSite } from './call-sites';
import { isConstruct } from './is-construct';
import { markPolicyAsRefused, renderObject } from './synthesized-objects';
import { failSynthOnDuplicates } from './name-conflicts';
import { listSurroundings } from './surroundings';
import { appendCallSite, addSynthErrors, reasonsOf, failSynthOnErrors, addLocatedSynthErrors } from './synth-errors';
import { toSafeText } from '../core/text/value-text';

/** Selects the workloads of a scope that a policy applies to. */
export interface WorkloadSelector {
  /**
   * Labels that a workload must have, on itself or on its pod template. All of them are required.
   *
   * @default - every workload
   */
  readonly matchLabels?: Readonly<Record<string, string>>;
  /**
   * Kinds of workloads. Other kinds are skipped.
   *
   * @default - every kind that the class of the policy supports
   */
  readonly kinds?: readonly ('Deployment' | 'StatefulSet' | 'DaemonSet')[];
}

/** Fields that cdk8s' generated types unwrap: they accept `{ value: 1 }` and drop a plain `1`. */
const INT_OR_STRING_FIELDS: readonly string[] = ['maxSurge', 'maxUnavailable'];

/** Resolves the goal of a policy for an object. A goal that cannot be resolved fails the synth. */
function tryResolveGoal(policy: WorkloadPolicy, object: ApiObject): WorkloadPolicy | undefined {
  if (!policy.goal) return policy;
  try {
    const { policy: resolved, origin } = resolvePolicyGoal(policy, object.toJson() as Manifest, () => listSurroundings(object));
    const context = { versions: { kubernetes: policy.goal.kubernetes }, ...daemonSetNodesOf(policy, headOf(object)) };
    if (origin) recordContext(object, context, { goals: () => locateGoalOrigins(headOf(object), [origin]) });
    return resolved;
  } catch (error) {
    addSynthErrors(object, getErrorMessage(error).split('\n'));
    return undefined;
  }
}

/** Writes a policy into an object. One with an error is not written, and the object is not planned. */
function writePolicy(declared: WorkloadPolicy, object: ApiObject, target: PolicyTarget): readonly Finding[] {
  const findings = tryWritePolicy(declared, object, target);
  if (findings === undefined || hasError(findings)) markPolicyAsRefused(object);
  return findings ?? [];
}

/** Writes a policy into an object unless there is an error. Returns undefined if the error fails the synth already. */
function tryWritePolicy(declared: WorkloadPolicy, object: ApiObject, target: PolicyTarget): readonly Finding[] | undefined {
  const policy = tryResolveGoal(declared, object);
  if (!policy) return undefined;
  const findings = validateWorkloadPolicy(policy, headOf(object));
  if (hasError(findings)) return findings;
  failSynthOnPolicyConflict(policy, object, target);
  failSynthOnUnreachablePartition(policy, object);
  const drained = tryDrain(policy, object);
  if (drained === 'refused') return undefined;
  const renderValue = isGenerated(object) ? wrapIntOrString : (value: unknown) => value;
  object.addJsonPatch(...Object.entries(policy.spec).map(([field, value]) => JsonPatch.add(`/spec/${field}`, renderValue(value))));
  if (drained) {
    writeDrain(drained, object);
    recordContext(object, {}, { goals: () => locateGoalOrigins(headOf(object), listDrainOrigins(drained.provenance)) });
  }
  return findings;
}

/** What a policy was applied to: one workload, or the workloads of a scope. */
type PolicyTarget = 'workload' | (Required<Pick<WorkloadSelector, 'matchLabels'>> & { readonly scope: IConstruct });

interface PolicyApplication {
  readonly policy: WorkloadPolicy;
  readonly target: PolicyTarget;
  /** Error created when it was applied. */
  readonly trace: Error | undefined;
}

/** The policy that was applied to a workload last. */
const applications = new WeakMap<ApiObject, PolicyApplication>();

/** Reports whether a policy is an exception from an earlier one: for one workload, labels or an inner scope instead of all. */
function isNarrower(later: PolicyTarget, earlier: PolicyTarget): boolean {
  if (later === 'workload' || earlier === 'workload') return later === 'workload' && earlier !== 'workload';
  if (!later.scope.node.scopes.includes(earlier.scope)) return false;
  const countLabels = ({ matchLabels }: Exclude<PolicyTarget, 'workload'>) => Object.keys(matchLabels).length;
  return later.scope !== earlier.scope || countLabels(later) > countLabels(earlier);
}

/** Makes synth fail if an earlier policy of the same workload says something else, unless this one is an exception from it. */
function failSynthOnPolicyConflict(policy: WorkloadPolicy, object: ApiObject, target: PolicyTarget): void {
  const earlier = applications.get(object);
  applications.set(object, { policy, target, trace: policyTraceOf(object) });
  if (!earlier || isNarrower(target, earlier.target)) return;
  const conflict = describePolicyConflict(earlier.policy, policy);
  if (conflict === undefined) return;
  const other = findCallSite(earlier.trace) ?? 'another line';
  addSynthErrors(object, [
    `this ${object.kind} already has a policy (${other}), which this one would replace: ${conflict}. Delete one of the two. If one is an exception, apply ` +
      'the general one first with applyToAll, then the exception with applyTo or with more labels',
  ]);
}

/** A policy with a partition, and the workload that it was applied to. */
interface AppliedPartition {
  readonly policy: StatefulPolicy;
  readonly object: ApiObject;
  readonly trace: Error;
  /** Errors, once the app is validated. */
  lines?: readonly string[];
}

/** Policies with a partition, by app. */
const partitions = new WeakMap<IConstruct, AppliedPartition[]>();

/** Finds the errors of partitions. The app is searched once for autoscalers, because there may be thousands of policies. */
function checkPartitions(app: IConstruct, applied: readonly AppliedPartition[]): void {
  const unchecked = applied.filter(({ lines }) => lines === undefined);
  if (unchecked.length === 0) return;
  const objects = app.node.findAll().filter((child) => ApiObject.isApiObject(child) && isAutoscaler(headOf(child)));
  const autoscalersOf = createAutoscalerLookup(objects.map((child) => (child as ApiObject).toJson() as Manifest));
  for (const each of unchecked) {
    const { policy, object, trace } = each;
    // A later policy reports its own partition.
    const isReplaced = applications.get(object)?.policy !== policy;
    const isAutoscaled = autoscalersOf(headOf(object)).length > 0;
    const spec = isReplaced ? {} : getFieldsAt(renderObject(object), 'spec');
    each.lines = isReplaced ? [] : appendCallSite(findUnreachablePartition(policy, spec, isAutoscaled), trace);
  }
}

/** Makes synth fail if the partition of a policy is above the replicas that a StatefulSet then has. An autoscaler may add the missing pods. */
function failSynthOnUnreachablePartition(policy: WorkloadPolicy, object: ApiObject): void {
  if (policy.kind !== 'StatefulSet' || policy.spec.updateStrategy.rollingUpdate?.partition === undefined) return;
  const app = object.node.root;
  const applied: AppliedPartition = { policy, object, trace: new Error() };
  addToGroup(partitions, app, applied);
  object.node.addValidation({
    validate: () => {
      if (applied.lines === undefined) checkPartitions(app, partitions.get(app) ?? []);
      return [...(applied.lines ?? [])];
    },
  });
}

/** Drains the pods of an object. A drain that its server cannot keep fails the synth. */
function tryDrain(policy: WorkloadPolicy, object: ApiObject): DrainedTemplate | 'refused' | undefined {
  if (policy.drain === undefined) return undefined;
  try {
    return drainPolicyTemplate(policy, getFieldsAt(object.toJson(), 'spec'));
  } catch (error) {
    addSynthErrors(object, reasonsOf(error));
    return 'refused';
  }
}

const TEMPLATE_POINTER = '/spec/template';

/** Adds the fields of a drain as patches, one by one, since the other fields of a generated class are not in the form of the manifest. */
function writeDrain({ metadata, spec }: DrainedTemplate, object: ApiObject): void {
  const before = getFieldsAt(object.toJson(), 'spec', 'template');
  const add = (pointer: string, value: unknown) => object.addJsonPatch(JsonPatch.add(`${TEMPLATE_POINTER}${pointer}`, value));
  add('/spec/terminationGracePeriodSeconds', spec.terminationGracePeriodSeconds);
  if (metadata) {
    if (getValueAt(before, 'metadata') === undefined) add('/metadata', {});
    add('/metadata/annotations', getFieldsAt(metadata, 'annotations'));
  }
  const old = getListAt(before, 'spec', 'containers');
  getListAt(spec, 'containers').forEach((container, index) => {
    const pointer = `/spec/containers/${index}`;
    for (const field of ['command', 'args'] as const) {
      const value = getValueAt(container, field);
      if (value !== undefined && !isDeepEqual(value, getValueAt(old[index], field))) add(`${pointer}/${field}`, value);
    }
    if (getValueAt(old[index], 'lifecycle', 'preStop') !== undefined) return;
    const hook = getValueAt(container, 'lifecycle', 'preStop');
    if (hook === undefined) return;
    if (getValueAt(old[index], 'lifecycle') === undefined) add(`${pointer}/lifecycle`, {});
    add(`${pointer}/lifecycle/preStop`, hook);
    const written = getListAt(object.toJson(), 'spec', 'template', 'spec', 'containers')[index];
    // Classes generated for Kubernetes before 1.29 do not know the action, and drop it.
    if (getValueAt(written, 'lifecycle', 'preStop', 'sleep') === undefined) {
      add(`${pointer}/lifecycle/preStop`, { exec: { command: ['sleep', toSafeText(getValueAt(hook, 'sleep', 'seconds'))] } });
    }
  });
}

/** Workloads that are validated because a policy was applied to them. */
const validatedWorkloads = new WeakSet<ApiObject>();

/**
 * Makes synth fail if the API server would refuse a workload, including all of its patches.
 * Workloads of generated types are left to the validation plugin, because rendering changes them.
 */
function failSynthOnInvalidWorkload(object: ApiObject): void {
  const kind = workloadKindOf(headOf(object));
  if (!kind || validatedWorkloads.has(object)) return;
  validatedWorkloads.add(object);
  const trace = new Error();
  if (isGenerated(object)) return;
  let lines: string[] | undefined;
  const collectErrors = () => formatErrorLines(validateObjectOfKind(kind, object.toJson() as Manifest, DEFAULT_VERSIONS));
  // cdk8s runs a validation once per chart and once more.
  const validate = () => (lines ??= appendCallSite(collectErrors(), trace));
  object.node.addValidation({ validate });
}

/** Throws if a JavaScript caller passes a value that is not a construct. */
function requireConstruct(method: string, input: unknown): void {
  locateErrors(() => {
    if (!isConstruct(input)) throw new Error(`${method}: got ${describeValue(input)}; pass a construct`);
  });
}

/** A policy with invalid props. It fails the synth when it is applied. */
export interface RejectedPolicy {
  /** Reasons, with the line that created it. */
  readonly refused: readonly string[];
}

/** Returns the result of `create`, or the reasons why it throws. */
export function tryCreatePolicy<Policy extends WorkloadPolicy>(create: () => Policy): Policy | RejectedPolicy {
  try {
    return create();
  } catch (error) {
    return { refused: appendCallSite(getErrorMessage(error).split('\n')) };
  }
}

/** Writes a policy into one workload. Errors fail the synth. */
export function applyPolicy(policy: WorkloadPolicy | RejectedPolicy, workload: IConstruct): ApiObject {
  requireConstruct('applyTo', workload);
  const object = ApiObject.of(workload);
  if ('refused' in policy) {
    addLocatedSynthErrors(workload, policy.refused);
    markPolicyAsRefused(object);
    return object;
  }
  failSynthOnDuplicates(workload);
  recordPolicyCallSite(object);
  const findings = writePolicy(policy, object, 'workload');
  failSynthOnErrors(workload, findings, () => POLICY_PROP_PATHS);
  if (!hasError(findings)) failSynthOnInvalidWorkload(object);
  return object;
}

/**
 * Writes a policy into every workload below a scope that has the kinds and labels.
 *
 * Errors fail the synth. So does a scope without any such workload, because the policy would have no effect,
 * and a selector with unknown props or other kinds.
 */
export function applyPolicyToAll(
  policy: WorkloadPolicy | RejectedPolicy,
  scope: IConstruct,
  input: WorkloadSelector,
  allowedKinds: readonly string[],
): ApiObject[] {
  requireConstruct('applyToAll', scope);
  const selector = parseWorkloadSelector(input, allowedKinds);
  if ('refused' in policy) addLocatedSynthErrors(scope, policy.refused);
  if ('refused' in selector) {
    addSynthErrors(scope, selector.refused);
    return [];
  }
  const kinds: readonly string[] = selector.kinds ?? allowedKinds;
  const matching = scope.node
    .findAll()
    .filter((child) => ApiObject.isApiObject(child))
    .filter((object) => object.apiGroup === 'apps' && kinds.includes(object.kind) && matchesSelector(object, selector));
  if ('refused' in policy) {
    for (const object of matching) markPolicyAsRefused(object);
    return [];
  }
  if (matching.length === 0) {
    addSynthErrors(scope, [formatNoMatch(policy, selector, kinds)]);
  }
  failSynthOnDuplicates(scope);
  const target = { scope, matchLabels: selector.matchLabels ?? {} };
  const findings = matching.map((object) => {
    recordPolicyCallSite(object);
    return writePolicy(policy, object, target);
  });
  failSynthOnErrors(scope, deduplicatePolicyFindings(findings.flat()), () => POLICY_PROP_PATHS);
  const updated = matching.filter((_, index) => !hasError(findings[index]!));
  for (const object of updated) failSynthOnInvalidWorkload(object);
  return updated;
}

function formatNoMatch(policy: WorkloadPolicy, { matchLabels = {} }: WorkloadSelector, kinds: readonly string[]): string {
  const labels = Object.entries(matchLabels).map(([name, value]) => `${name}=${value}`);
  const expected = `${joinWords(kinds, 'or')}${labels.length === 0 ? '' : ` with ${joinWords(labels)}`}`;
  return (
    `applyToAll of a ${policy.kind} policy found no ${expected} in this scope, so the policy has no effect: call it after the workloads are created, ` +
    'or fix the labels'
  );
}

/** Removes repeated findings: an invalid value of the policy is reported once for all workloads. */
function deduplicatePolicyFindings(findings: readonly Finding[]): Finding[] {
  const keyOf = ({ code, messageId, path, data }: Finding) => JSON.stringify([code, messageId, path, data]);
  return [...new Map(findings.map((finding) => [keyOf(finding), finding])).values()];
}

/** Returns an object without its spec, which cdk8s-plus changes each time it is rendered. */
function headOf(object: ApiObject): Manifest {
  return { apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata.toJson() as Manifest['metadata'] };
}

function matchesSelector(object: ApiObject, { matchLabels = {} }: WorkloadSelector): boolean {
  const expected = Object.entries(matchLabels);
  const hasAll = (labels: Fields) => expected.every(([name, value]) => labels[name] === value);
  return hasAll(getFieldsAt(object.metadata.toJson(), 'labels')) || hasAll(getPodLabels(object));
}

function getPodLabels(object: ApiObject): Fields {
  // A cdk8s-plus workload has its pods' metadata outside of its ApiObject.
  const podMetadata = getValueAt(object.node.scope, 'podMetadata') as ApiObject['metadata'] | undefined;
  if (podMetadata) return getFieldsAt(podMetadata.toJson(), 'labels');
  return getFieldsAt(object.toJson(), 'spec', 'template', 'metadata', 'labels');
}

/** Reports whether an object is of a class generated by `cdk8s import`, as in cdk8s-plus. Only those have a static `GVK`. */
function isGenerated(object: ApiObject): boolean {
  return 'GVK' in object.constructor;
}

/** Wraps integers and percentages as generated types expect them: `{ maxSurge: { value: 1 } }`. */
function wrapIntOrString(value: unknown): unknown {
  if (!isFields(value)) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(
    fields.map(([field, inner]) => [field, INT_OR_STRING_FIELDS.includes(field) ? { value: inner } : wrapIntOrString(inner)]),
  );
}
