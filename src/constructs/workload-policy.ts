import { ApiObject, JsonPatch } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Finding } from '../core/finding';
import { getFieldsAt, isFields, getValueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { DEFAULT_VERSIONS } from '../core/versions';
import { getErrorMessage } from '../core/error-message';
import { describeValue } from '../core/display-value';
import { joinWords } from '../core/text-format';
import { parseWorkloadSelector, POLICY_PROP_PATHS } from '../props/policy';
import { formatErrorLines, hasError } from '../props/error-lines';
import { workloadKindOf } from '../workloads/kinds';
import { validateObjectOfKind } from '../workloads/plan-workload';
import { validateWorkloadPolicy } from '../workloads/policies';
import type { WorkloadPolicy } from '../workloads/policies';
import { isConstruct } from './is-construct';
import { failSynthOnDuplicates } from './name-conflicts';
import { appendCallSite, addSynthErrors, failSynthOnErrors, addLocatedSynthErrors } from './synth-errors';

/** Which workloads of a scope a policy applies to. */
export interface WorkloadSelector {
  /**
   * Labels that a workload must have, all of them, on itself or on its pod template.
   *
   * @default - every workload
   */
  readonly matchLabels?: Readonly<Record<string, string>>;
  /**
   * The kinds to look at; workloads of other kinds are passed over.
   *
   * @default - every kind that the class of the policy is for
   */
  readonly kinds?: readonly ('Deployment' | 'StatefulSet' | 'DaemonSet')[];
}

/** Fields that cdk8s' generated types unwrap: they take `{ value: 1 }` and drop a plain `1`. */
const INT_OR_STRING_FIELDS: readonly string[] = ['maxSurge', 'maxUnavailable'];

/** Writes a policy into an object, unless an error speaks against it. */
function writePolicy(policy: WorkloadPolicy, object: ApiObject): readonly Finding[] {
  const findings = validateWorkloadPolicy(policy, headOf(object));
  if (hasError(findings)) return findings;
  const renderValue = isGenerated(object) ? wrapIntOrString : (value: unknown) => value;
  object.addJsonPatch(...Object.entries(policy.spec).map(([field, value]) => JsonPatch.add(`/spec/${field}`, renderValue(value))));
  return findings;
}

/** Where a policy was applied to a workload first. */
const policyCallSites = new WeakMap<ApiObject, Error>();

/** Where the user's code applied a policy to a workload; undefined for one that has none. */
export function policyCallSiteOf(object: ApiObject): Error | undefined {
  return policyCallSites.get(object);
}

/**
 * Lets synth fail with what the API server would refuse in a workload as it is written, with every patch that was added to it.
 * One that generated types render is left to the validation plugin: rendering it changes it.
 */
function failSynthOnInvalidWorkload(object: ApiObject): void {
  const kind = workloadKindOf(headOf(object));
  if (!kind || policyCallSites.has(object)) return;
  const trace = new Error();
  policyCallSites.set(object, trace);
  if (isGenerated(object)) return;
  let lines: string[] | undefined;
  const collectErrors = () => formatErrorLines(validateObjectOfKind(kind, object.toJson() as Manifest, DEFAULT_VERSIONS));
  // cdk8s runs a validation once for every chart and once more.
  const validate = () => (lines ??= appendCallSite(collectErrors(), trace));
  object.node.addValidation({ validate });
}

/** Throws for what is no construct, which JavaScript can give. */
function requireConstruct(method: string, input: unknown): void {
  if (!isConstruct(input)) throw new Error(`${method}: ${describeValue(input)} is given; write a construct`);
}

/** A policy that nothing can be made of: it fails the synth wherever it is applied. */
export interface RejectedPolicy {
  /** Why, with the line that made it. */
  readonly refused: readonly string[];
}

/** What `make` gives, or why it gives nothing. */
export function tryCreatePolicy<Policy extends WorkloadPolicy>(create: () => Policy): Policy | RejectedPolicy {
  try {
    return create();
  } catch (error) {
    return { refused: appendCallSite(getErrorMessage(error).split('\n')) };
  }
}

/** Writes a policy into one workload; what speaks against it fails the synth. */
export function applyPolicy(policy: WorkloadPolicy | RejectedPolicy, workload: IConstruct): ApiObject {
  requireConstruct('applyTo', workload);
  const object = ApiObject.of(workload);
  if ('refused' in policy) {
    addLocatedSynthErrors(workload, policy.refused);
    return object;
  }
  failSynthOnDuplicates(workload);
  const findings = writePolicy(policy, object);
  failSynthOnErrors(workload, findings, () => POLICY_PROP_PATHS);
  if (!hasError(findings)) failSynthOnInvalidWorkload(object);
  return object;
}

/**
 * Writes a policy into every workload of the kinds below a scope that has the labels;
 * what speaks against it fails the synth, and so does a scope without any such workload, for then the policy holds for nothing,
 * and a selector that has other props, or names other kinds.
 */
export function applyPolicyToAll(
  policy: WorkloadPolicy | RejectedPolicy,
  scope: IConstruct,
  input: WorkloadSelector,
  allowedKinds: readonly string[],
): ApiObject[] {
  requireConstruct('applyToAll', scope);
  const selector = parseWorkloadSelector(input, allowedKinds);
  if ('refused' in policy || 'refused' in selector) {
    addLocatedSynthErrors(scope, 'refused' in policy ? policy.refused : []);
    addSynthErrors(scope, 'refused' in selector ? selector.refused : []);
    return [];
  }
  const kinds: readonly string[] = selector.kinds ?? allowedKinds;
  const matching = scope.node
    .findAll()
    .filter((child) => ApiObject.isApiObject(child))
    .filter((object) => object.apiGroup === 'apps' && kinds.includes(object.kind) && matchesSelector(object, selector));
  if (matching.length === 0) {
    addSynthErrors(scope, [formatNoMatch(policy, selector, kinds)]);
  }
  failSynthOnDuplicates(scope);
  const findings = matching.map((object) => writePolicy(policy, object));
  failSynthOnErrors(scope, deduplicatePolicyFindings(findings.flat()), () => POLICY_PROP_PATHS);
  const updated = matching.filter((_, index) => !hasError(findings[index]!));
  for (const object of updated) failSynthOnInvalidWorkload(object);
  return updated;
}

function formatNoMatch(policy: WorkloadPolicy, { matchLabels = {} }: WorkloadSelector, kinds: readonly string[]): string {
  const labels = Object.entries(matchLabels).map(([name, value]) => `${name}=${value}`);
  const expected = `${joinWords(kinds, 'or')}${labels.length === 0 ? '' : ` with ${joinWords(labels)}`}`;
  return (
    `applyToAll of a ${policy.kind} policy found no ${expected} here, so the policy holds for nothing: call it after the workloads are made, ` +
    'or mend the labels'
  );
}

/** A wrong value of the policy is one finding, however many workloads it is applied to. */
function deduplicatePolicyFindings(findings: readonly Finding[]): Finding[] {
  const keyOf = ({ code, messageId, path, data }: Finding) => JSON.stringify([code, messageId, path, data]);
  return [...new Map(findings.map((finding) => [keyOf(finding), finding])).values()];
}

/** What is known of an object without rendering its spec, which cdk8s-plus changes each time that it renders it. */
function headOf(object: ApiObject): Manifest {
  return { apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata.toJson() as Manifest['metadata'] };
}

function matchesSelector(object: ApiObject, { matchLabels = {} }: WorkloadSelector): boolean {
  const expected = Object.entries(matchLabels);
  const hasAll = (labels: Fields) => expected.every(([name, value]) => labels[name] === value);
  return hasAll(getFieldsAt(object.metadata.toJson(), 'labels')) || hasAll(getPodLabels(object));
}

function getPodLabels(object: ApiObject): Fields {
  // A cdk8s-plus workload keeps its pods' metadata beside its ApiObject.
  const podMetadata = getValueAt(object.node.scope, 'podMetadata') as ApiObject['metadata'] | undefined;
  if (podMetadata) return getFieldsAt(podMetadata.toJson(), 'labels');
  return getFieldsAt(object.toJson(), 'spec', 'template', 'metadata', 'labels');
}

/** Does this object render through types that `cdk8s import` made, as those of cdk8s-plus do? They alone name their group, version and kind. */
function isGenerated(object: ApiObject): boolean {
  return 'GVK' in object.constructor;
}

/** A value with ints and percents as generated types expect them: `{ maxSurge: { value: 1 } }`. */
function wrapIntOrString(value: unknown): unknown {
  if (!isFields(value)) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(
    fields.map(([field, inner]) => [field, INT_OR_STRING_FIELDS.includes(field) ? { value: inner } : wrapIntOrString(inner)]),
  );
}
