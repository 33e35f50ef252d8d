import { resolve, sep } from 'node:path';
import { changePlan } from '../change/plan-change';
import { judged } from '../config/judge';
import { matchesPattern } from '../core/path-pattern';
import type { Finding } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import type { ResourceRef } from '../core/rollout';
import { failsAt } from '../core/severity';
import { crdAdmission } from '../crds/admission';
import type { Definitions } from '../crds/definition';
import { crdFindings } from '../crds/findings';
import { DEFAULT_BUDGET } from '../input/budget';
import { readBy } from '../input/given-value';
import { readFiles } from '../input/read';
import { readPath } from '../input/read-paths';
import { guardedPlan } from '../plan/guarded';
import { planInput } from '../plan/plan';
import type { PlanInput } from '../plan/plan';
import { inputOf } from '../plan/read-input';
import { FILE_KINDS } from '../plan/registry';
import { renderPlanText } from '../render/text';
import { resourceText } from '../render/text-findings';
import { readOld } from './old-side';
import { unwritableIn } from './props-check';
import { definitionsOf, guardrailsOf, placedSettings, planOptions, versionsOf, withoutBaseline } from './validation-files';
import type { PlacedSettings } from './validation-files';
import { parseOptions, refused } from './validation-options';
import type { RolloutValidationProps, ValidationOptions } from './validation-options';

export type { Product } from '../core/versions';
export type { ApplyMode } from '../core/change';
export type { Severity } from '../core/finding';
export type { IgnoreSetting, RuleSetting } from '../config/configuration';
export type { PlanBudget, RunBudget } from '../input/budget';
export type { RolloutValidationProps, RuleSettingProps } from './validation-options';

/** What the cdk8s CLI hands to a validation plugin, as far as this one uses it (cdk8s-cli `ValidationContext`). */
export interface RolloutValidationContext {
  /** Paths of the files that cdk8s has synthesized, which the plugin reads. */
  readonly manifests: readonly string[];
  /** The CLI's report: violations first, and the verdict at the end. */
  readonly report: {
    /** Takes one violation. */
    addViolation(violation: RolloutViolation): void;
    /** Takes the verdict, with the counts that the report shows. */
    submit(status: 'success' | 'failure', metadata?: Readonly<Record<string, string>>): void;
  };
  /** Where the plan is printed. @default - standard error */
  readonly logger?: {
    /** Takes a text of several lines. */
    log(message: string): void;
  };
}

/** One finding in the words of the cdk8s CLI (`ValidationViolation`). */
export interface RolloutViolation {
  /** Code of the finding, such as `kubernetes/quoted-integer`, by which its page in `docs/rules/` is found. */
  readonly ruleName: string;
  /** What was seen and why it matters. */
  readonly recommendation: string;
  /** What to write instead; empty where there is nothing to write. */
  readonly fix: string;
  /** Where it stands: one object. */
  readonly violatingResources: readonly {
    /** Name of the object, by which the CLI finds the path of its construct; empty for what is about no rollout. */
    readonly resourceName: string;
    /** Kind, field path and line: `Deployment shop/web, spec.replicas, line 6`. */
    readonly locations: readonly string[];
    /** The synthesized file; empty where that is not known. */
    readonly manifestPath: string;
  }[];
}

/**
 * A validation plugin for `cdk8s synth`: plans every synthesized manifest, whatever made it,
 * and fails on what a cluster would refuse or what can't finish. It prints the plan, or the plan of the change, where that is asked for.
 *
 * It needs no network, and no cdk8s-cli at run time.
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
   * The cdk8s CLI calls this with the `properties` of cdk8s.yaml.
   *
   * @throws Error for a property that there is not, with the nearest name, and for a value that is not of its type
   */
  public constructor(props: RolloutValidationProps = {}) {
    const read = readBy('rolloutkit', props);
    const [unwritable] = unwritableIn(read);
    if (unwritable !== undefined) throw refused(unwritable);
    this.options = parseOptions(read);
  }

  /**
   * Plans the manifests and reports each finding at or above the bar as a violation.
   *
   * @throws PlatformConfigError, InventoryError or Error for a file that can't be read or used, an unknown product and a version that is none
   * @throws PathError or GitError where `from` can't be read
   */
  public async validate({ manifests, report, logger }: RolloutValidationContext): Promise<void> {
    const { failOn, requirePlanned, print, from } = this.options;
    if (from !== undefined) refuseOwnOutput(from, manifests);
    const plan = this.plan(manifests);
    if (print) printed(plan, logger);

    const violations = violatingFindings(plan).filter(({ finding }) => failsAt(failOn, finding.severity));
    for (const { finding, resource } of violations) report.addViolation(violationOf(finding, resource));
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
    const { from, policy, baseline, crds, budget } = this.options;
    const placed = placedSettings(this.options);
    const options = planOptions(this.options, placed);
    const definitions = definitionsOf(crds, versionsOf(options).kubernetes);
    const next = synthesized(manifests, placed, { definitions, isOldKnown: from !== undefined, budget });
    const admission = definitions && crdAdmission(definitions);
    const planned = from === undefined ? planInput(next, options) : changePlan(readOld(from), next, { ...options, admission });
    const settled = placed.reduce((so, { settings, seen }) => judged(so, settings, seen), planned);
    const guarded = guardedPlan(settled, next, policy === undefined ? undefined : guardrailsOf(policy));
    return baseline === undefined ? guarded : withoutBaseline(guarded, baseline);
  }
}

/** The plugin runs once the synth has written its folder. */
function refuseOwnOutput(from: string, manifests: readonly string[]): void {
  const folder = resolve(from) + sep;
  if (!manifests.some((manifest) => resolve(manifest).startsWith(folder))) return;
  throw refused(`from is ${from}, which this synth has just written; name what is committed, such as git:HEAD:${from}, or a copy.`);
}

function isExcluded(manifest: string, placed: readonly PlacedSettings[]): boolean {
  return placed.some(({ settings: { exclude = [] }, seen }) => {
    const path = seen(manifest);
    return path !== undefined && exclude.some((pattern) => matchesPattern(pattern.includes('/') ? pattern : `**/${pattern}`, path));
  });
}

function synthesized(
  manifests: readonly string[],
  placed: readonly PlacedSettings[],
  {
    definitions,
    isOldKnown,
    budget,
  }: Pick<ValidationOptions, 'budget'> & { readonly definitions: Definitions | undefined; readonly isOldKnown: boolean },
): PlanInput {
  const read = manifests.filter((manifest) => !isExcluded(manifest, placed));
  const input = inputOf(
    readFiles(
      read.flatMap((manifest) => [...readPath(manifest, process.cwd())]),
      { kinds: FILE_KINDS, budget: { ...DEFAULT_BUDGET, ...budget } },
    ),
  );
  const { objects, findings = [], locate = () => undefined } = input;
  return definitions ? { ...input, findings: [...findings, ...crdFindings(objects, definitions, locate, isOldKnown)] } : input;
}

function printed(plan: PlanDocument, logger: RolloutValidationContext['logger']): void {
  const text = renderPlanText(plan);
  if (logger) logger.log(text);
  else process.stderr.write(text);
}

interface PlacedFinding {
  readonly finding: Finding;
  /** Undefined for what is about no rollout. */
  readonly resource?: ResourceRef;
}

function violatingFindings({ findings, rollouts }: PlanDocument): PlacedFinding[] {
  const all: PlacedFinding[] = [
    ...findings.map((finding) => ({ finding })),
    ...rollouts.flatMap((rollout) => rollout.findings.map((finding) => ({ finding, resource: rollout.resource }))),
  ];
  return all.filter(({ finding }) => !finding.suppressed);
}

function violationOf({ code, message, help = '', path, source }: Finding, resource: ResourceRef | undefined): RolloutViolation {
  const where = [resource && resourceText(resource), path, source && `line ${source.line}`];
  return {
    ruleName: code,
    recommendation: message,
    fix: help,
    violatingResources: [
      {
        resourceName: resource?.name ?? '',
        locations: [where.filter((part) => part !== undefined && part !== '').join(', ')],
        manifestPath: source?.file ?? '',
      },
    ],
  };
}
