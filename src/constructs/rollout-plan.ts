import type { App } from 'cdk8s';
import { validateApplyOptions } from '../change/change-options';
import type { ChangeOptions } from '../change/change-options';
import { planChangedInput } from '../change/plan-change';
import type { PlannedChange } from '../core/document/change';
import { OptionError } from '../core/errors/option-error';
import type { PlanDocument, UnplannedKind } from '../core/document/plan-document';
import { describeValue } from '../core/text/display-value';
import { normalizeObjects } from '../input/normalize-objects';
import { wrapAsOptionError, validateOptions, PLAN_OPTIONS } from '../plan/validate-options';
import { planInput } from '../plan/plan';
import type { PlanInput } from '../plan/plan-input';
import type { PlanOptions } from '../plan/plan-options';
import { renderPlanMarkdown } from '../render/markdown/plan';
import { detectOutputTarget } from '../render/layout/output-target';
import { renderPlanText } from '../render/text/plan';
import { withRememberedOptions } from '../props/plan-memory';
import { readAppKnowledge, selectKnownOptions, withAppKnowledge } from './app-memory';
import type { AppKnowledge } from './app-memory';
import { isConstruct } from './is-construct';
import { locateErrors } from '../props/call-site';
import { readPreviousInput } from './read-previous';
import { listRejectedObjects, readAppInput } from './synthesized-objects';

/** Throws for anything that is not an app. Does not compare the class, because the app may be of another copy of cdk8s. */
function requireApp(app: unknown): void {
  if (!isConstruct(app)) throw new OptionError(`RolloutPlan.of: got ${describeValue(app)}; pass an App`);
  const { node, charts } = app as Partial<App>;
  if (!Array.isArray(charts)) throw new OptionError(`RolloutPlan.of: got the construct ${node?.path ?? ''}; pass the App that contains it`);
}

/** Adds what only the constructs know, and the objects whose props are refused. */
function complete<Document extends PlanDocument>(plan: Document, knowledge: AppKnowledge, rejected: readonly UnplannedKind[]): Document {
  const known = withAppKnowledge(plan, knowledge);
  if (rejected.length === 0) return known;
  const notPlanned = [...known.notPlanned, ...rejected];
  return { ...known, notPlanned, summary: { ...known.summary, notPlanned: known.summary.notPlanned + rejected.length } };
}

/** The plan of a change: everything that a plan has, and the effects of the apply. */
export type ChangePlanDocument = PlanDocument & {
  /** Effects of applying the app, by object. */
  readonly change: PlannedChange;
};

/**
 * The plan of everything that an app synthesizes, for a program or a test. It has the app's objects at the time of the call of `of`.
 *
 * Nothing is written or validated, and the app is not changed. Files that a program writes itself, such as those of `FleetBundle.writeTo`, are not included.
 *
 * @example
 * RolloutPlan.of(app).print(); // what each rollout will do
 * RolloutPlan.of(app).from('git:HEAD:dist').print(); // what this synth changes
 * RolloutPlan.of(app).from('git:HEAD:dist').document.change.summary.podsReplaced; // 27
 */
export class RolloutPlan<Document extends PlanDocument = PlanDocument> {
  /**
   * Plans an app in its current state. Objects that are added later are not included.
   *
   * The plan knows what the constructs were given: the platform level of KServe, the inventory, the versions, and the levels that decided each
   * strategy. If constructs were given different ones, because they are for different clusters, pass the option.
   *
   * @param options - versions of the cluster, its capacity, clusters of Fleet, and so on. @default - what the constructs were given
   * @throws OptionError if `app` is not an App; VersionError, InventoryError, CapacityError or RangeError for invalid options
   */
  public static of(app: App, rawOptions: PlanOptions = {}): RolloutPlan {
    const given = locateErrors(() => {
      requireApp(app);
      return validateOptions(rawOptions, PLAN_OPTIONS);
    });
    const input = readAppInput(app);
    const knowledge = readAppKnowledge(app);
    const options = withRememberedOptions(given, selectKnownOptions(knowledge, input.objects));
    const document = locateErrors(() => wrapAsOptionError(() => planInput(input, options)));
    const rejected = listRejectedObjects(app);
    return new RolloutPlan(input, options, knowledge, rejected, complete(document, knowledge, rejected));
  }

  private constructor(
    private readonly input: PlanInput,
    private readonly options: PlanOptions,
    private readonly knowledge: AppKnowledge,
    private readonly rejected: readonly UnplannedKind[],
    /** The plan document, as `rolloutkit plan --format json` prints it. */
    public readonly document: Document,
  ) {}

  /**
   * Plans the change: the effects of applying the app over `old` on each object and its pods.
   *
   * If `old` is the folder that synth writes, call this before `app.synth()`. `cdk8s synth` deletes that folder before it runs the app;
   * pass a revision instead, such as `git:HEAD:dist`.
   *
   * @param old - a file, a folder, the output of `kubectl get -o yaml`, `git:REVISION[:PATH]`, or the objects themselves
   * @param change - how the app is applied, and whether objects that are missing from it are deleted
   * @throws PathError if `old` can't be opened
   * @throws PlanDocumentError if `old` is a plan document
   * @throws GitError if the revision, its path or git is missing
   */
  public from(old: string | readonly unknown[], change: Pick<ChangeOptions, 'apply' | 'prune'> = {}): RolloutPlan<ChangePlanDocument> {
    const document = locateErrors(() => {
      const before = typeof old === 'string' ? readPreviousInput(old) : normalizeObjects(old);
      const options = { ...this.options, ...validateApplyOptions(change) };
      return wrapAsOptionError(() => planChangedInput(before, this.input, options));
    }) as ChangePlanDocument;
    return new RolloutPlan(this.input, this.options, this.knowledge, this.rejected, complete(document, this.knowledge, this.rejected));
  }

  /**
   * Renders the plan as `rolloutkit plan` prints it.
   *
   * @param options - `colour` is for a terminal, and `width` is the number of its columns. @default - no colour, and lines are not wrapped
   */
  public text(options: { readonly colour?: boolean; readonly width?: number } = {}): string {
    return renderPlanText(this.document, options);
  }

  /** Renders the plan as a comment on a change request, as `rolloutkit plan --format markdown` prints it. */
  public markdown(): string {
    return renderPlanMarkdown(this.document);
  }

  /**
   * Prints the plan. On a terminal it has colour and the width of the terminal. `NO_COLOR` and `FORCE_COLOR` work as on the command line.
   *
   * @param stream - the output stream. @default - standard error, because `cdk8s synth` hides what an app prints to standard output
   */
  public print(stream: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number } = process.stderr): void {
    stream.write(this.text(detectOutputTarget(stream, process.env)));
  }
}
