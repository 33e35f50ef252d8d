import { resolve, sep } from 'node:path';
import { raiseServiceLosses } from '../change/result/new-outages';
import { planChangedInput } from '../change/plan-change';
import { addRefusedObjects, withRefusals } from '../change/compare/refused-objects';
import { applyConfiguration } from '../config/apply-configuration';
import { Deadline } from '../core/budget/deadline';
import { matchesPattern } from '../core/sources/path-pattern';
import type { Finding } from '../core/findings/finding';
import { escapeForTerminal } from '../core/text/escape-output';
import type { PlanDocument } from '../core/document/plan-document';
import type { ResourceRef } from '../core/document/rollout';
import { shouldFailAt } from '../core/findings/severity';
import { createCrdAdmission } from '../crds/admission';
import type { CrdRegistry } from '../crds/crd-registry';
import { DEFAULT_BUDGET } from '../input/read-budget';
import type { RunBudget } from '../input/read-budget';
import { readPropsOf } from '../input/read-props';
import { readFiles } from '../input/read';
import { readPath } from '../input/read-paths';
import { applyGuardrailPolicy } from '../change/compare/apply-guardrails';
import { planInput } from '../plan/plan';
import type { PlanInput } from '../plan/plan-input';
import { validateWithCrds } from '../plan/custom-resource-definitions';
import { toPlanInput } from '../plan/to-plan-input';
import { PLAN_READING } from '../plan/registry';
import { renderPlanText } from '../render/text/plan';
import { formatResourceLabel } from '../render/findings/text-findings';
import { withRememberedOptions } from '../props/plan-memory';
import { readKnowledgeFile, selectKnownOptions, withAppKnowledge } from './app-memory';
import { readPreviousInput } from './read-previous';
import { findUnserializableValues } from './validate-props';
import {
  readValidationCrds,
  readValidationGuardrails,
  readSettingsScopes,
  buildValidationPlanOptions,
  resolveValidationVersions,
  applyValidationBaseline,
} from './validation-files';
import type { SettingsScope } from './validation-files';
import { parseOptions, createOptionError } from './validation-options';
import type { RolloutValidationProps, ValidationOptions } from './validation-options';

export type { Product } from '../core/values/versions';
export type { ApplyMode } from '../core/document/change';
export type { OperatorResourceMap, RollsLike } from '../core/sources/operator-resource-map';
export type { Severity } from '../core/findings/finding';
export type { IgnoreSetting, RuleSetting } from '../config/configuration';
export type { PlanBudget, RunBudget } from '../input/read-budget';
export type { RolloutValidationProps, RuleSettingProps } from './validation-options';

/** The part of cdk8s-cli's `ValidationContext` that this plugin uses. */
export interface RolloutValidationContext {
  /** Paths of the synthesized files, which the plugin reads. */
  readonly manifests: readonly string[];
  /** Report of the CLI. */
  readonly report: {
    /** Adds one violation. */
    addViolation(violation: RolloutViolation): void;
    /** Ends the report with the status and the counts that it shows. */
    submit(status: 'success' | 'failure', metadata?: Readonly<Record<string, string>>): void;
  };
  /** Where the plan is printed. @default - standard error */
  readonly logger?: {
    /** Logs a text of several lines. */
    log(message: string): void;
  };
}

/** One finding as a `ValidationViolation` of the cdk8s CLI. */
export interface RolloutViolation {
  /** Code of the finding, such as `kubernetes/quoted-integer`. `docs/rules/` has a page for each. */
  readonly ruleName: string;
  /** What was seen and why it matters. */
  readonly recommendation: string;
  /** What to write instead. Empty if there is nothing to write. */
  readonly fix: string;
  /** Location: one object. */
  readonly violatingResources: readonly {
    /** Name of the object, by which the CLI finds the path of its construct. Empty if the finding is about no rollout. */
    readonly resourceName: string;
    /** Kind, field path and line: `Deployment shop/web, spec.replicas, line 6`. */
    readonly locations: readonly string[];
    /** The synthesized file. Empty if unknown. */
    readonly manifestPath: string;
  }[];
}

/**
 * A validation plugin for `cdk8s synth`. It plans all synthesized manifests, including those of other constructs,
 * and fails if a cluster would refuse something or a rollout never finishes. On request it prints the plan, or the plan of the change.
 *
 * It needs neither a network nor cdk8s-cli at run time.
 *
 * @see docs/cdk8s-validation.md
 *
 * @example
 * # cdk8s.yaml validations:
 *   - package: ./node_modules/rolloutkit
 *     version: 0.1.0
 *     class: RolloutValidation
 *     properties:
 *       failOn: warning
 */
export class RolloutValidation {
  private readonly options: ValidationOptions;

  /**
   * Called by the cdk8s CLI with the `properties` of cdk8s.yaml.
   *
   * @throws Error for an unknown property, with the closest name, and for a value of another type
   */
  public constructor(props: RolloutValidationProps = {}) {
    const read = readPropsOf('rolloutkit', props);
    const [error] = findUnserializableValues(read);
    if (error !== undefined) throw createOptionError(error);
    this.options = parseOptions(read);
  }

  /**
   * Plans the manifests and reports each finding at or above the threshold as a violation.
   *
   * @throws PlatformConfigError, InventoryError or Error for a file that can't be read or used, an unknown product or an invalid version
   * @throws PathError or GitError if `from` can't be read
   */
  public async validate({ manifests, report, logger }: RolloutValidationContext): Promise<void> {
    const { failOn, requirePlanned, print, from } = this.options;
    if (from !== undefined) rejectOwnOutput(from, manifests);
    const plan = this.plan(manifests);
    if (print) printPlan(plan, logger);

    const violations = listViolatingFindings(plan).filter(({ finding }) => shouldFailAt(failOn, finding.severity));
    for (const { finding, resource } of violations) report.addViolation(toViolation(finding, resource));
    const { rollouts, notPlanned, errors, warnings, suppressed } = plan.summary;
    const counts = {
      Rollouts: String(rollouts),
      'Not planned': String(notPlanned),
      Errors: String(errors),
      Warnings: String(warnings),
      ...(suppressed > 0 && { Suppressed: String(suppressed) }),
    };
    report.submit(violations.length > 0 || (requirePlanned && notPlanned > 0) ? 'failure' : 'success', counts);
  }

  private plan(manifests: readonly string[]): PlanDocument {
    const { from, policy, baseline, crds, budget, requirePlanned } = this.options;
    const scopes = readSettingsScopes(this.options);
    const given = buildValidationPlanOptions(this.options, scopes);
    const knowledge = readKnowledgeFile(manifests);
    const { kubernetes } = resolveValidationVersions(withRememberedOptions(given, knowledge.options));
    const definitions = readValidationCrds(crds, kubernetes);
    const limits = { ...DEFAULT_BUDGET, ...budget };
    const next = readSynthesizedManifests(manifests, scopes, { definitions, hasPrevious: from !== undefined, budget: limits });
    const admission = definitions && createCrdAdmission(definitions, limits.seconds);
    const options = withRememberedOptions(given, selectKnownOptions(knowledge, next.objects));
    const created = withRefusals(next);
    const planned =
      from === undefined
        ? addRefusedObjects(planInput(created, options), created, { budget: limits, deadline: new Deadline(limits.seconds) })
        : raiseServiceLosses(planChangedInput(readPreviousInput(from, limits), next, { ...options, admission }));
    const configured = scopes.reduce(
      (current, { settings, relativePathOf }) => applyConfiguration(current, settings, relativePathOf),
      withAppKnowledge(planned, knowledge),
    );
    const guarded = applyGuardrailPolicy(configured, next, policy === undefined ? undefined : readValidationGuardrails(policy), limits);
    return baseline === undefined ? guarded : applyValidationBaseline(guarded, baseline, policy === undefined && !requirePlanned);
  }
}

/** Throws if `from` is the output folder, because the plugin runs after the synth has written it. */
function rejectOwnOutput(from: string, manifests: readonly string[]): void {
  const folder = resolve(from) + sep;
  if (!manifests.some((manifest) => resolve(manifest).startsWith(folder))) return;
  throw createOptionError(`from is ${from}, which this synth has just written; name a revision, such as git:HEAD:${from}, or a copy.`);
}

function isExcluded(manifest: string, scopes: readonly SettingsScope[]): boolean {
  return scopes.some(({ settings: { exclude = [] }, relativePathOf }) => {
    const path = relativePathOf(manifest);
    return path !== undefined && exclude.some((pattern) => matchesPattern(pattern.includes('/') ? pattern : `**/${pattern}`, path));
  });
}

function readSynthesizedManifests(
  manifests: readonly string[],
  scopes: readonly SettingsScope[],
  {
    definitions,
    hasPrevious,
    budget,
  }: { readonly budget: RunBudget; readonly definitions: CrdRegistry | undefined; readonly hasPrevious: boolean },
): PlanInput {
  const read = manifests.filter((manifest) => !isExcluded(manifest, scopes));
  const input = toPlanInput(
    readFiles(
      read.flatMap((manifest) => [...readPath(manifest, process.cwd(), { budget })]),
      { ...PLAN_READING, budget },
    ),
  );
  return validateWithCrds(input, definitions, hasPrevious, budget.seconds);
}

function printPlan(plan: PlanDocument, logger: RolloutValidationContext['logger']): void {
  const text = renderPlanText(plan);
  if (logger) logger.log(text);
  else process.stderr.write(text);
}

interface ViolatingFinding {
  readonly finding: Finding;
  /** Unset if the finding is about no rollout. */
  readonly resource?: ResourceRef;
}

function listViolatingFindings({ findings, rollouts }: PlanDocument): ViolatingFinding[] {
  const all: ViolatingFinding[] = [
    ...findings.map((finding) => ({ finding })),
    ...rollouts.flatMap((rollout) => rollout.findings.map((finding) => ({ finding, resource: rollout.resource }))),
  ];
  return all.filter(({ finding }) => !finding.suppressed);
}

/** Creates the violation of a finding. The CLI prints its texts as they are. */
function toViolation({ code, message, help = '', path, source }: Finding, resource: ResourceRef | undefined): RolloutViolation {
  const where = [resource && formatResourceLabel(resource), path, source && `line ${source.line}`];
  return {
    ruleName: code,
    recommendation: escapeForTerminal(message),
    fix: escapeForTerminal(help),
    violatingResources: [
      {
        resourceName: escapeForTerminal(resource?.name ?? ''),
        locations: [escapeForTerminal(where.filter((part) => part !== undefined && part !== '').join(', '))],
        manifestPath: escapeForTerminal(source?.file ?? ''),
      },
    ],
  };
}
