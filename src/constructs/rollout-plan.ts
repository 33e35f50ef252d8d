import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { App } from 'cdk8s';
import { PlanDocumentError, openedFiles } from '../change/old-plan';
import { changePlan } from '../change/plan-change';
import type { ChangeOptions } from '../change/plan-change';
import type { PlannedChange } from '../core/change';
import type { PlanDocument } from '../core/plan-document';
import { isGitSource, parseGitSource, readGitSource } from '../input/git-source';
import { readObjects } from '../input/plain-data';
import { readFiles } from '../input/read';
import { PathError, readPath } from '../input/read-paths';
import { planInput } from '../plan/plan';
import type { PlanInput, PlanOptions } from '../plan/plan';
import { FILE_KINDS } from '../plan/registry';
import { renderPlanMarkdown } from '../render/change-markdown';
import { renderPlanText } from '../render/text';
import { visible } from '../render/visible';
import { renderedObjects } from './rendered';

/** The plan of a change: what every plan holds, and what the apply does. */
export type ChangePlanDocument = PlanDocument & {
  /** What applying the app does, object by object. */
  readonly change: PlannedChange;
};

/** Git tells on standard error what it runs, as it does for the command line. */
function gitFiles(old: string) {
  const say = (what: string) => void process.stderr.write(`rolloutkit: ${visible(what)}\n`);
  return readGitSource(parseGitSource(old), [], { cwd: process.cwd(), env: process.env, say });
}

/** The cdk8s CLI names its output folder so, and deletes it before it runs the app. */
function isOutputOfCli(old: string): boolean {
  const { CDK8S_OUTDIR: folder } = process.env;
  return folder !== undefined && resolve(folder) === resolve(old) && !existsSync(old);
}

function readOld(old: string): PlanInput {
  if (isOutputOfCli(old)) {
    throw new PathError(
      `${old} is what cdk8s synth writes, and it deletes that before the app runs; name what is committed, such as git:HEAD:${old}, or a copy`,
    );
  }
  const files = isGitSource(old) ? gitFiles(old) : readPath(old, process.cwd());
  const opened = openedFiles(files);
  if (opened.plan) {
    throw new PlanDocumentError(
      `${old} is a plan document, of which behaviour alone is known: diffPlans of rolloutkit/plan compares it with the app's`,
    );
  }
  const { objects, findings, files: names, locations } = readFiles(opened.files, { kinds: FILE_KINDS });
  return { objects, findings, files: names, locate: locations.locate, textOf: locations.textOf };
}

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
   * @throws VersionError, InventoryError, CapacityError or RangeError for options that can't be read
   */
  public static of(app: App, options: PlanOptions = {}): RolloutPlan {
    const input = readObjects(renderedObjects(app));
    return new RolloutPlan(input, options, planInput(input, options));
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
    const before = typeof old === 'string' ? readOld(old) : readObjects(old);
    const document = changePlan(before, this.input, { ...this.options, ...change }) as ChangePlanDocument;
    return new RolloutPlan(this.input, this.options, document);
  }

  /**
   * The plan as `rolloutkit plan` prints it.
   *
   * @param options - `colour` is for a terminal. @default - no colour
   */
  public text(options: { readonly colour?: boolean } = {}): string {
    return renderPlanText(this.document, options);
  }

  /** The plan as a comment on a change request, as `rolloutkit plan --format markdown` prints it. */
  public markdown(): string {
    return renderPlanMarkdown(this.document);
  }

  /**
   * Prints the plan, in colour on a terminal unless `NO_COLOR` is set.
   *
   * @param stream - where to. @default - standard error, since `cdk8s synth` shows nothing of what an app prints on standard output
   */
  public print(stream: { write(text: string): unknown; readonly isTTY?: boolean } = process.stderr): void {
    stream.write(this.text({ colour: stream.isTTY === true && !process.env.NO_COLOR }));
  }
}
