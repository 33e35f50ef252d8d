import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { isManifest } from '../core/manifest';
import { admissionManifests } from '../guardrails/admission';
import { guardrailProblems, parseGuardrails } from '../guardrails/policy';
import type { GuardrailPolicy } from '../guardrails/policy';
import { violationsOf } from '../guardrails/verdict';
import { violationPath, violationText } from '../guardrails/violation';
import { resolveVersions } from '../core/versions';
import type { PlanOptions } from '../plan/plan-options';
import { keepsStatefulSetMaxUnavailable } from '../workloads/statefulset/strategy';
import { ANY, STRING, STRING_MAP } from '../core/schema';
import type { FieldSchemas } from '../core/schema';
import { describeValue } from '../core/seen';
import { unknownProps, wrongVersions } from '../props/usable-props';
import { madeOr, plainProps, refuseUnusable } from './props-check';
import { placedLines } from './synth-errors';
import { policyCallOf } from './workload-policy';

/** A platform team's policy, and how the cluster enforces it. */
export interface RolloutGuardrailsProps extends GuardrailPolicy {
  /**
   * Who refuses besides the synth: the API server, by a ValidatingAdmissionPolicy with its binding and parameters (Kubernetes 1.30 and later).
   *
   * @default - the synth alone
   */
  readonly enforce?: 'ValidatingAdmissionPolicy';
  /** The name of the admission policy, its binding and the ConfigMap with its parameters. @default - the id */
  readonly name?: string;
  /** The namespace of that ConfigMap. @default default */
  readonly namespace?: string;
  /** The version of the cluster, which decides what a StatefulSet's maxUnavailable does. @default - kubernetes 1.34 */
  readonly versions?: PlanOptions['versions'];
}

/** The props beside the policy's. `enforce` has one value, which is checked as such. */
const OWN_PROPS: FieldSchemas = { enforce: ANY, name: STRING, namespace: STRING, versions: STRING_MAP };

/**
 * What a platform team asks of every rollout of a Deployment, a StatefulSet and a DaemonSet: checked at synth for the whole app, and enforced by the cluster with the same words.
 *
 * @see docs/guardrails.md
 *
 * @example
 * new RolloutGuardrails(chart, 'guard', { neverBelow: { available: '75%' }, enforce: 'ValidatingAdmissionPolicy' });
 */
export class RolloutGuardrails extends Construct {
  /** What the cluster gets: the admission policy, the ConfigMap with its parameters, the binding; none where it is not enforced. */
  public readonly apiObjects: readonly ApiObject[];

  /**
   * Guardrails for the whole app.
   *
   */
  public constructor(scope: Construct, id: string, given: RolloutGuardrailsProps) {
    super(scope, id);
    const settled = madeOr(
      this,
      () => undefined,
      () => settledGuardrails(id, given),
    );
    this.apiObjects = (settled?.manifests ?? []).map((manifest) => new ApiObject(this, manifest.kind.toLowerCase(), manifest));
    if (!settled) return;
    const { policy, keepsMaxUnavailable } = settled;
    let lines: string[] | undefined;
    // cdk8s runs a validation once for every chart and once more.
    this.node.addValidation({ validate: () => (lines ??= this.refusals(policy, keepsMaxUnavailable)) });
  }

  private refusals(policy: GuardrailPolicy, keepsMaxUnavailable: boolean): string[] {
    const placed = this.node.root.node.findAll().flatMap((construct) => {
      if (!ApiObject.isApiObject(construct)) return [];
      const object: unknown = construct.toJson();
      return isManifest(object) ? [{ path: construct.node.path, object, call: policyCallOf(construct) }] : [];
    });
    const objects = placed.map(({ object }) => object);
    return placed.flatMap(({ path, object, call }) => {
      const refused = violationsOf(object, policy, { objects, keepsMaxUnavailable }).map(
        (violation) => `${path}: ${violationPath(violation)}: ${violationText(violation)}`,
      );
      // cdk8s keeps no line of what others made.
      return call ? placedLines(refused, call) : refused;
    });
  }
}

/** What the props make of guardrails. */
function settledGuardrails(id: string, given: RolloutGuardrailsProps) {
  const { enforce, name = id, namespace = 'default', versions, ...props } = plainProps(given);
  const wrong = unknownProps({ enforce, name, namespace, versions }, OWN_PROPS);
  if (enforce !== undefined && enforce !== 'ValidatingAdmissionPolicy')
    wrong.push(`enforce is ${describeValue(enforce)}; write ValidatingAdmissionPolicy, or leave it out`);
  refuseUnusable([...wrong, ...wrongVersions({ versions }), ...guardrailProblems(props).map(({ reason }) => reason)]);
  const policy = parseGuardrails(props);
  const { kubernetes } = resolveVersions(versions);
  return {
    policy,
    manifests: enforce === undefined ? [] : admissionManifests(policy, { name, namespace }),
    keepsMaxUnavailable: keepsStatefulSetMaxUnavailable(kubernetes),
  };
}
