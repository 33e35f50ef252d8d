import { PolicyPack } from '@pulumi/policy';
import type { EnforcementLevel, PolicyConfigSchema, ReportViolation, StackValidationArgs, StackValidationPolicy } from '@pulumi/policy';
import { ConfigurationError, parseConfiguration, RULE_SEVERITIES } from '../config/configuration';
import type { Configuration } from '../config/configuration';
import { applyConfiguration } from '../config/apply-configuration';
import { formatFindingLine } from '../core/findings/finding';
import type { Finding, Severity } from '../core/findings/finding';
import { parseGuardrails } from '../guardrails/policy';
import type { GuardrailPolicy } from '../guardrails/policy';
import { createViolationFinding } from '../guardrails/rules/refused';
import { findViolations } from '../guardrails/evaluate';
import type { PlanDocument } from '../core/document/plan-document';
import { resolveVersions } from '../core/values/versions';
import { planManifests } from '../plan/plan';
import type { PlanOptions } from '../plan/plan-options';
import { RULE_CODES } from '../plan/rules';
import { supportsStatefulSetMaxUnavailable } from '../workloads/statefulset/strategy';
import { hpaOwnsReplicas } from '../workloads/rules/hpa-owns-replicas';
import { createCoveragePolicy } from './coverage-policy';
import { groupObjectsByCluster, isResourceOfPlan } from './stack-objects';
import type { StackObject } from './stack-objects';

export { IntentError } from '../core/errors/intent-error';
export { GuardrailPolicyError } from '../guardrails/policy';
export type { GuardrailException, GuardrailPolicy, GuardrailScope } from '../guardrails/policy';
export type { GuardedKind } from '../guardrails/effective-limits';
export type { Fields, OperatorResourceMap, PlanBudget, PlanOptions, Product, RollsLike } from '../plan/public';

/** Options of the policies: those of a plan, and what is required of the stack. */
export interface RolloutPolicyOptions extends PlanOptions {
  /** Whether a workload that is not evaluated fails the preview, as for `rolloutkit check --require-planned`. @default false */
  readonly requirePlanned?: boolean;
}

/** Options of a pack: those of its policies, and a policy of a platform team. */
export interface PolicyPackOptions extends RolloutPolicyOptions {
  /** Guardrails that every rollout must respect, as for `rolloutkit check --policy`. @default - none */
  readonly guardrails?: GuardrailPolicy;
}

/** Configuration of each policy of a pack: `pulumi preview --policy-pack-config FILE`. */
const CONFIG_SCHEMA: PolicyConfigSchema = {
  properties: {
    rules: {
      description: 'Severities by code, such as {"kubernetes/no-readiness-probe": "error"}; off suppresses.',
      type: 'object',
      additionalProperties: { enum: [...RULE_SEVERITIES] },
    },
    ignore: {
      description: 'Known findings to suppress: a code, a reason, and KIND/[NAMESPACE/]NAME to suppress it for one object only.',
      type: 'array',
      items: {
        type: 'object',
        required: ['rule', 'reason'],
        additionalProperties: false,
        properties: { rule: { type: 'string' }, resource: { type: 'string' }, reason: { type: 'string', minLength: 1 } },
      },
    },
    versions: {
      description: 'Versions by product, such as {"kubernetes": "1.35"}; they override those of the program.',
      type: 'object',
      additionalProperties: { type: 'string' },
    },
  },
};

/**
 * Returns the checks of `rolloutkit check` as stack policies. They cover every Kubernetes resource of a stack, however it is created,
 * together with the other objects of the stack in the same cluster (autoscalers, budgets, quotas, ConfigMaps).
 *
 * `rolloutkit-errors` is mandatory: a cluster would refuse the object, or the rollout never finishes. `rolloutkit-warnings` is advisory.
 * `rolloutkit-not-evaluated` names what the others do not see. It is advisory, and mandatory with `requirePlanned`.
 * Fields that are not known at preview are treated as missing. The config of each policy can set severities, ignore findings with a reason,
 * and set versions.
 *
 * @param options of the plan: versions of the cluster, clusters of Fleet, and so on
 * @throws VersionError while the policies run, for an unknown product or an invalid version
 */
export function rolloutPolicies({ requirePlanned = false, ...options }: RolloutPolicyOptions = {}): StackValidationPolicy[] {
  return [
    createSeverityPolicy('error', 'mandatory', 'Rollouts that a cluster would refuse, or that never finish.', options),
    createSeverityPolicy('warning', 'advisory', 'Rollouts that work but are probably not intended.', options),
    createCoveragePolicy(requirePlanned ? 'mandatory' : 'advisory', options),
  ];
}

/**
 * Returns the guardrails of a platform team as a mandatory policy. It refuses what `RolloutGuardrails` refuses at synth and its admission policy in the cluster.
 * Exceptions are part of the policy. The user of the pack can set its `enforcementLevel`. Fields that are not known at preview are treated as missing.
 *
 * @param options - versions of the cluster. @default - kubernetes 1.36
 * @throws GuardrailPolicyError for a policy that can't be used
 */
export function guardrailPolicy(guardrails: GuardrailPolicy, { versions }: Pick<PlanOptions, 'versions'> = {}): StackValidationPolicy {
  const policy = parseGuardrails(guardrails);
  const keepsMaxUnavailable = supportsStatefulSetMaxUnavailable(resolveVersions(versions).kubernetes);
  return {
    name: 'rolloutkit-guardrails',
    description: 'Rollouts that violate the guardrails of the platform.',
    enforcementLevel: 'mandatory',
    validateStack: ({ resources }, reportViolation) => {
      for (const stackObjects of groupObjectsByCluster(resources)) {
        const objects = stackObjects.map(({ object }) => object);
        for (const { urn, object } of stackObjects)
          for (const violation of findViolations(object, policy, { objects, keepsMaxUnavailable }))
            reportViolation(formatFindingLine(createViolationFinding(violation)), urn);
      }
    },
  };
}

/**
 * Creates a policy pack of `rolloutPolicies` and, if there are guardrails, `guardrailPolicy`, for the program of a pack.
 *
 * @param name of the pack
 * @throws GuardrailPolicyError for guardrails that can't be used
 *
 * @example
 * // index.ts next to a PulumiPolicy.yaml; pulumi preview --policy-pack <folder>
 * rolloutPolicyPack('rolloutkit', { versions: { kubernetes: '1.35' }, guardrails: { neverBelow: { available: '75%' } } });
 */
export function rolloutPolicyPack(name = 'rolloutkit', { guardrails, ...options }: PolicyPackOptions = {}): PolicyPack {
  const policies = [...rolloutPolicies(options), ...(guardrails === undefined ? [] : [guardrailPolicy(guardrails, options)])];
  return new PolicyPack(name, { policies });
}

function createSeverityPolicy(
  severity: Exclude<Severity, 'info'>,
  enforcementLevel: EnforcementLevel,
  description: string,
  options: PlanOptions,
): StackValidationPolicy {
  return {
    name: `rolloutkit-${severity}s`,
    description,
    enforcementLevel,
    configSchema: CONFIG_SCHEMA,
    validateStack: (args, reportViolation) => reportFindings(args, severity, options, reportViolation),
  };
}

/** Reads the config of a policy, without the entries that Pulumi adds. */
function readConfig(args: StackValidationArgs): Configuration {
  const { rules, ignore, versions } = args.getConfig<Pick<Configuration, 'rules' | 'ignore' | 'versions'>>();
  try {
    return parseConfiguration({ ...(rules && { rules }), ...(ignore && { ignore }), ...(versions && { versions }) }, () => RULE_CODES);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new Error(`rolloutkit: config of the policy pack: ${error.path}: ${error.message}`, { cause: error });
  }
}

function reportFindings(args: StackValidationArgs, severity: Severity, options: PlanOptions, reportViolation: ReportViolation): void {
  const config = readConfig(args);
  const planOptions = { ...options, versions: { ...options.versions, ...config.versions } };
  for (const objects of groupObjectsByCluster(args.resources)) {
    const planned = planManifests(
      objects.map(({ object }) => object),
      planOptions,
    );
    reportPlan(
      applyConfiguration(planned, config, () => undefined),
      objects,
      severity,
      reportViolation,
    );
  }
}

/** Reports the findings of a severity in the plan of one cluster. */
function reportPlan(plan: PlanDocument, objects: readonly StackObject[], severity: Severity, reportViolation: ReportViolation): void {
  const reportAll = (findings: readonly Finding[], stackObject?: StackObject) => {
    for (const finding of findings)
      if (finding.severity === severity && !finding.suppressed && !isAboutIgnoredReplicas(finding, stackObject))
        reportViolation(formatFindingLine(finding), stackObject?.urn);
  };
  reportAll(plan.findings);
  for (const { resource, findings } of plan.rollouts)
    reportAll(
      findings,
      objects.find(({ object }) => isResourceOfPlan(object, resource)),
    );
}

/** Reports whether a finding is about replicas that an autoscaler changes and Pulumi does not update. */
function isAboutIgnoredReplicas({ code }: Finding, stackObject: StackObject | undefined): boolean {
  return code === hpaOwnsReplicas.code && stackObject?.ignored.includes('spec.replicas') === true;
}
