import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { isManifest } from '../core/manifest/manifest';
import { buildAdmissionManifests } from '../guardrails/admission';
import { validateGuardrails, parseGuardrails } from '../guardrails/policy';
import type { GuardrailPolicy } from '../guardrails/policy';
import { findViolations } from '../guardrails/evaluate';
import { getViolationPath, formatViolation } from '../guardrails/violation';
import { resolveVersions } from '../core/values/versions';
import type { PlanOptions } from '../plan/plan-options';
import { supportsStatefulSetMaxUnavailable } from '../workloads/statefulset/strategy';
import { ANY, STRING, STRING_MAP } from '../core/values/schema';
import type { FieldSchemas } from '../core/values/schema';
import { describeValue } from '../core/text/display-value';
import { findUnknownProps, findInvalidVersions } from '../props/validate-props';
import { recordContext } from './app-memory';
import { failSynthOnInvalidMetadata, tryCreate, readPlainProps, throwIfInvalid } from './validate-props';
import { appendCallSite } from './synth-errors';
import { policyTraceOf, traceOf } from './call-sites';

/** A policy of a platform team, and how the cluster enforces it. */
export interface RolloutGuardrailsProps extends GuardrailPolicy {
  /**
   * Enforcement in addition to the synth: by the API server, with a ValidatingAdmissionPolicy, its binding and parameters (Kubernetes 1.30 and later).
   *
   * @default - only the synth
   */
  readonly enforce?: 'ValidatingAdmissionPolicy';
  /** Name of the admission policy, its binding and the ConfigMap with its parameters. @default - the id */
  readonly name?: string;
  /** Namespace of that ConfigMap, which only the platform team should be able to change. @default - that of the chart, which must have one then */
  readonly namespace?: string;
  /** Version of the cluster, which decides the effect of a StatefulSet's maxUnavailable. @default - kubernetes 1.36 */
  readonly versions?: PlanOptions['versions'];
}

/** Props in addition to those of the policy. `enforce` has one valid value, which is checked separately. */
const OWN_PROPS: FieldSchemas = { enforce: ANY, name: STRING, namespace: STRING, versions: STRING_MAP };

/**
 * What a platform team requires of every rollout of a Deployment, StatefulSet or DaemonSet. It is checked at synth for the entire app, and the cluster enforces it with the same messages.
 *
 * @see docs/guardrails.md
 *
 * @example
 * new RolloutGuardrails(chart, 'guard', { neverBelow: { available: '75%' }, enforce: 'ValidatingAdmissionPolicy' });
 */
export class RolloutGuardrails extends Construct {
  /** Emitted objects: the admission policy, the ConfigMap with its parameters and the binding. Empty without `enforce`. */
  public readonly apiObjects: readonly ApiObject[];

  /** Adds guardrails for the entire app. */
  public constructor(scope: Construct, id: string, input: RolloutGuardrailsProps) {
    super(scope, id);
    const resolved = tryCreate(
      this,
      () => undefined,
      () => resolveGuardrails(id, input, Chart.of(this).namespace),
    );
    this.apiObjects = (resolved?.manifests ?? []).map((manifest) => new ApiObject(this, manifest.kind.toLowerCase(), manifest));
    if (!resolved) return;
    failSynthOnInvalidMetadata(
      this,
      this.apiObjects,
      [],
      [
        ['metadata.name', 'name'],
        ['metadata.namespace', 'namespace'],
      ],
    );
    recordContext(this, { versions: input.versions });
    const { policy, keepsMaxUnavailable } = resolved;
    let lines: string[] | undefined;
    // cdk8s runs a validation once per chart and once more.
    this.node.addValidation({ validate: () => (lines ??= this.collectViolations(policy, keepsMaxUnavailable)) });
  }

  private collectViolations(policy: GuardrailPolicy, keepsMaxUnavailable: boolean): string[] {
    const objectsWithPath = this.node.root.node.findAll().flatMap((construct) => {
      if (!ApiObject.isApiObject(construct)) return [];
      const object: unknown = construct.toJson();
      return isManifest(object) ? [{ path: construct.node.path, object, trace: policyTraceOf(construct) ?? traceOf(construct) }] : [];
    });
    const objects = objectsWithPath.map(({ object }) => object);
    return objectsWithPath.flatMap(({ path, object, trace }) => {
      const violationLines = findViolations(object, policy, { objects, keepsMaxUnavailable }).map(
        (violation) => `${path}: ${getViolationPath(violation)}: ${formatViolation(violation)}`,
      );
      // Objects of other packages have no known call site.
      return trace ? appendCallSite(violationLines, trace) : violationLines;
    });
  }
}

const MISSING_NAMESPACE =
  'namespace is missing, and neither has the chart one: the ConfigMap with the parameters of the admission policy would be in the namespace ' +
  'of the user who applies it; write the namespace of the platform team';

const NO_REQUIREMENT =
  "the guardrails require nothing; write neverBelow: { available: '75%' }, atMost, strategies, requireReadinessProbe, requireBudget or requireEviction";

/** Reports whether an object can violate a policy. A file for `check --policy` may require nothing, because the option has other effects. */
function requiresSomething({ neverBelow, atMost, strategies, ...policy }: GuardrailPolicy): boolean {
  const limits = [neverBelow?.available, atMost?.extraPods, atMost?.extraGpus, strategies];
  const hasLimit = limits.some((limit) => limit !== undefined && limit !== null);
  return hasLimit || [policy.requireReadinessProbe, policy.requireBudget, policy.requireEviction].includes(true);
}

/** Resolves the policy and the manifests of guardrails. */
function resolveGuardrails(id: string, input: RolloutGuardrailsProps, chartNamespace: string | undefined) {
  const { enforce, name = id, namespace = chartNamespace, versions, ...props } = readPlainProps(input);
  const errors = findUnknownProps({ enforce, name, namespace, versions }, OWN_PROPS);
  if (enforce !== undefined && enforce !== 'ValidatingAdmissionPolicy')
    errors.push(`enforce is ${describeValue(enforce)}; write ValidatingAdmissionPolicy, or leave it out`);
  if (enforce !== undefined && namespace === undefined) errors.push(MISSING_NAMESPACE);
  throwIfInvalid([...errors, ...findInvalidVersions({ versions }), ...validateGuardrails(props).map(({ reason }) => reason)]);
  const policy = parseGuardrails(props);
  throwIfInvalid(requiresSomething(policy) ? [] : [NO_REQUIREMENT]);
  const { kubernetes } = resolveVersions(versions);
  return {
    policy,
    manifests: enforce === undefined || namespace === undefined ? [] : buildAdmissionManifests(policy, { name, namespace }),
    keepsMaxUnavailable: supportsStatefulSetMaxUnavailable(kubernetes),
  };
}
