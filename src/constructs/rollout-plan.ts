import type { App } from 'cdk8s';
import { validateApplyOptions } from '../change/change-options';
import type { ChangeOptions } from '../change/change-options';
import { planChangedInput } from '../change/plan-change';
import type { PlannedChange } from '../core/change';
import { OptionError } from '../core/option-error';
import type { PlanDocument } from '../core/plan-document';
import { describeValue } from '../core/display-value';
import { normalizeObjects } from '../input/normalize-objects';
import { wrapAsOptionError, validateOptions, PLAN_OPTIONS } from '../plan/validate-options';
import { planInput } from '../plan/plan';
import type { PlanInput } from '../plan/plan';
import type { PlanOptions } from '../plan/plan-options';
import { renderPlanMarkdown } from '../render/change-markdown';
import { detectOutputTarget } from '../render/output-target';
import { renderPlanText } from '../render/text';
import { isConstruct } from './is-construct';
import { readPreviousInput } from './read-previous';
import { renderAppObjects } from './synthesized-objects';

/** The plan of a change: what every plan holds, and what the apply does. */
export type ChangePlanDocument = PlanDocument & {
  /** What applying the app does, object by object. */
  readonly change: PlannedChange;
};

/**
 * The plan of everything that an app synthesizes, for a program or a test: the app's objects as they are when `of` is called.
 *
 * Nothing is written and nothing is validated; the app stays as it is. Files that a program writes itself, such as those of `FleetBundle.writeTo`, are none of it.
 *
 * @example
 * RolloutPlan.of(app).print(); // how each rollout will go
 * RolloutPlan.of(app).from('git:HEAD:dist').print(); // what this synth changes
 * RolloutPlan.of(app).from('git:HEAD:dist').document.change.summary.podsReplaced; // 27
 */
export class RolloutPlan<Document extends PlanDocument = PlanDocument> {
  /**
   * The plan of an app as it is now; what is added to the app later is none of it.
   *
   * @param options - versions of the cluster, its capacity, clusters of Fleet, and so on
   * @throws OptionError for what is no App, and VersionError, InventoryError, CapacityError or RangeError for options that can't be read
   */
  public static of(app: App, rawOptions: PlanOptions = {}): RolloutPlan {
    if (!isConstruct(app)) throw new OptionError(`RolloutPlan.of: ${describeValue(app)} is given; write an App`);
    const options = validateOptions(rawOptions, PLAN_OPTIONS);
    const input = normalizeObjects(renderAppObjects(app));
    return new RolloutPlan(
      input,
      options,
      wrapAsOptionError(() => planInput(input, options)),
    );
  }

  private constructor(
    private readonly input: PlanInput,
    private readonly options: PlanOptions,
    /** The plan document, as `rolloutkit plan --format json` prints it. */
    public readonly document: Document,
  ) {}

  /**
   * The plan of the change: what applying the app over what is there does to each object and its pods.
   *
   * Call it before `app.synth()` where `old` is the folder that synth writes. `cdk8s synth` deletes that folder before it runs the app:
   * name a revision then, such as `git:HEAD:dist`.
   *
   * @param old - a file, a folder, what `kubectl get -o yaml` printed, `git:REVISION[:PATH]`, or the objects themselves
   * @param change - how the app reaches the cluster, and whether what is gone is deleted
   * @throws PathError where `old` can't be opened
   * @throws PlanDocumentError where `old` is a plan document
   * @throws GitError where the revision or its path is not there, or git is not
   */
  public from(old: string | readonly unknown[], change: Pick<ChangeOptions, 'apply' | 'prune'> = {}): RolloutPlan<ChangePlanDocument> {
    const before = typeof old === 'string' ? readPreviousInput(old) : normalizeObjects(old);
    const options = { ...this.options, ...validateApplyOptions(change) };
    const document = wrapAsOptionError(() => planChangedInput(before, this.input, options)) as ChangePlanDocument;
    return new RolloutPlan(this.input, this.options, document);
  }

  /**
   * The plan as `rolloutkit plan` prints it.
   *
   * @param options - `colour` is for a terminal, and `width` is the number of its columns. @default - no colour, and lines as long as what they say
   */
  public text(options: { readonly colour?: boolean; readonly width?: number } = {}): string {
    return renderPlanText(this.document, options);
  }

  /** The plan as a comment on a change request, as `rolloutkit plan --format markdown` prints it. */
  public markdown(): string {
    return renderPlanMarkdown(this.document);
  }

  /**
   * Prints the plan, on a terminal in its width and in colour; `NO_COLOR` and `FORCE_COLOR` count as they do for the command line.
   *
   * @param stream - where to. @default - standard error, since `cdk8s synth` shows nothing of what an app prints on standard output
   */
  public print(stream: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number } = process.stderr): void {
    stream.write(this.text(detectOutputTarget(stream, process.env)));
  }
}
