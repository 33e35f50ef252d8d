import { ApiObject, JsonPatch } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Finding } from '../core/finding';
import { fieldsAt, isFields, valueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { DEFAULT_VERSIONS } from '../core/versions';
import { errorText } from '../core/error-text';
import { describeValue } from '../core/seen';
import { listed } from '../core/words';
import { checkedSelector, POLICY_PLACES } from '../props/policy';
import { errorLines, hasError } from '../props/refusals';
import { workloadKindOf } from '../workloads/kinds';
import { validationFindings } from '../workloads/plan-workload';
import { policyFindings } from '../workloads/policies';
import type { WorkloadPolicy } from '../workloads/policies';
import { isConstruct } from './any-construct';
import { refuseDuplicates } from './owned-names';
import { placedLines, refuse, refuseErrors, refusePlaced } from './synth-errors';

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
function write(policy: WorkloadPolicy, object: ApiObject): readonly Finding[] {
  const findings = policyFindings(policy, headOf(object));
  if (hasError(findings)) return findings;
  const asRendered = isGenerated(object) ? wrapped : (value: unknown) => value;
  object.addJsonPatch(...Object.entries(policy.spec).map(([field, value]) => JsonPatch.add(`/spec/${field}`, asRendered(value))));
  return findings;
}

/** Where a policy was applied to a workload first. */
const applied = new WeakMap<ApiObject, Error>();

/** Where the user's code applied a policy to a workload; undefined for one that has none. */
export function policyCallOf(object: ApiObject): Error | undefined {
  return applied.get(object);
}

/**
 * Lets synth fail with what the API server would refuse in a workload as it is written, with every patch that was added to it.
 * One that generated types render is left to the validation plugin: rendering it changes it.
 */
function refuseInvalidWorkload(object: ApiObject): void {
  const kind = workloadKindOf(headOf(object));
  if (!kind || applied.has(object)) return;
  const trace = new Error();
  applied.set(object, trace);
  if (isGenerated(object)) return;
  let lines: string[] | undefined;
  const found = () => errorLines(validationFindings(kind, object.toJson() as Manifest, DEFAULT_VERSIONS));
  // cdk8s runs a validation once for every chart and once more.
  const validate = () => (lines ??= placedLines(found(), trace));
  object.node.addValidation({ validate });
}

/** Throws for what is no construct, which JavaScript can give. */
function refuseOther(method: string, given: unknown): void {
  if (!isConstruct(given)) throw new Error(`${method}: ${describeValue(given)} is given; write a construct`);
}

/** A policy that nothing can be made of: it fails the synth wherever it is applied. */
export interface RefusedPolicy {
  /** Why, with the line that made it. */
  readonly refused: readonly string[];
}

/** What `make` gives, or why it gives nothing. */
export function policyOrRefusal<Policy extends WorkloadPolicy>(make: () => Policy): Policy | RefusedPolicy {
  try {
    return make();
  } catch (error) {
    return { refused: placedLines(errorText(error).split('\n')) };
  }
}

/** Writes a policy into one workload; what speaks against it fails the synth. */
export function applyPolicy(policy: WorkloadPolicy | RefusedPolicy, workload: IConstruct): ApiObject {
  refuseOther('applyTo', workload);
  const object = ApiObject.of(workload);
  if ('refused' in policy) {
    refusePlaced(workload, policy.refused);
    return object;
  }
  refuseDuplicates(workload);
  const findings = write(policy, object);
  refuseErrors(workload, findings, () => POLICY_PLACES);
  if (!hasError(findings)) refuseInvalidWorkload(object);
  return object;
}

/**
 * Writes a policy into every workload of the kinds below a scope that has the labels;
 * what speaks against it fails the synth, and so does a scope without any such workload, for then the policy holds for nothing,
 * and a selector that has other props, or names other kinds.
 */
export function applyPolicyToAll(
  policy: WorkloadPolicy | RefusedPolicy,
  scope: IConstruct,
  given: WorkloadSelector,
  known: readonly string[],
): ApiObject[] {
  refuseOther('applyToAll', scope);
  const selector = checkedSelector(given, known);
  if ('refused' in policy || 'refused' in selector) {
    refusePlaced(scope, 'refused' in policy ? policy.refused : []);
    refuse(scope, 'refused' in selector ? selector.refused : []);
    return [];
  }
  const kinds: readonly string[] = selector.kinds ?? known;
  const matching = scope.node
    .findAll()
    .filter((child) => ApiObject.isApiObject(child))
    .filter((object) => object.apiGroup === 'apps' && kinds.includes(object.kind) && matches(object, selector));
  if (matching.length === 0) {
    refuse(scope, [noMatchLine(policy, selector, kinds)]);
  }
  refuseDuplicates(scope);
  const findings = matching.map((object) => write(policy, object));
  refuseErrors(scope, withoutRepeats(findings.flat()), () => POLICY_PLACES);
  const written = matching.filter((_, index) => !hasError(findings[index]!));
  for (const object of written) refuseInvalidWorkload(object);
  return written;
}

function noMatchLine(policy: WorkloadPolicy, { matchLabels = {} }: WorkloadSelector, kinds: readonly string[]): string {
  const labels = Object.entries(matchLabels).map(([name, value]) => `${name}=${value}`);
  const wanted = `${listed(kinds, 'or')}${labels.length === 0 ? '' : ` with ${listed(labels)}`}`;
  return (
    `applyToAll of a ${policy.kind} policy found no ${wanted} here, so the policy holds for nothing: call it after the workloads are made, ` +
    'or mend the labels'
  );
}

/** A wrong value of the policy is one finding, however many workloads it is applied to. */
function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const keyOf = ({ code, messageId, path, data }: Finding) => JSON.stringify([code, messageId, path, data]);
  return [...new Map(findings.map((finding) => [keyOf(finding), finding])).values()];
}

/** What is known of an object without rendering its spec, which cdk8s-plus changes each time that it renders it. */
function headOf(object: ApiObject): Manifest {
  return { apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata.toJson() as Manifest['metadata'] };
}

function matches(object: ApiObject, { matchLabels = {} }: WorkloadSelector): boolean {
  const wanted = Object.entries(matchLabels);
  const hasAll = (labels: Fields) => wanted.every(([name, value]) => labels[name] === value);
  return hasAll(fieldsAt(object.metadata.toJson(), 'labels')) || hasAll(podLabels(object));
}

function podLabels(object: ApiObject): Fields {
  // A cdk8s-plus workload keeps its pods' metadata beside its ApiObject.
  const podMetadata = valueAt(object.node.scope, 'podMetadata') as ApiObject['metadata'] | undefined;
  if (podMetadata) return fieldsAt(podMetadata.toJson(), 'labels');
  return fieldsAt(object.toJson(), 'spec', 'template', 'metadata', 'labels');
}

/** Does this object render through types that `cdk8s import` made, as those of cdk8s-plus do? They alone name their group, version and kind. */
function isGenerated(object: ApiObject): boolean {
  return 'GVK' in object.constructor;
}

/** A value with ints and percents as generated types expect them: `{ maxSurge: { value: 1 } }`. */
function wrapped(value: unknown): unknown {
  if (!isFields(value)) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(
    fields.map(([field, inner]) => [field, INT_OR_STRING_FIELDS.includes(field) ? { value: inner } : wrapped(inner)]),
  );
}
