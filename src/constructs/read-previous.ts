import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { PlanDocumentError, detectPlanDocument } from '../change/diff/previous-plan';
import { isGitSource, parseGitSource } from '../input/git-revision';
import { readGitSource } from '../input/git-source';
import { readFiles } from '../input/read';
import { PathError, readPath } from '../input/read-paths';
import type { PlanInput } from '../plan/plan-input';
import { toPlanInput } from '../plan/to-plan-input';
import { PLAN_READING } from '../plan/registry';
import { escapeForTerminal } from '../core/escape-output';

/** Reads files from Git. Git commands are logged to standard error, as on the command line. */
function readGitFiles(old: string) {
  const log = (what: string) => void process.stderr.write(`rolloutkit: ${escapeForTerminal(what)}\n`);
  return readGitSource(parseGitSource(old), [], { cwd: process.cwd(), env: process.env, log });
}

/** Reports whether a path is the output folder of the cdk8s CLI, which deletes it before it runs the app. */
function isCdk8sOutput(old: string): boolean {
  const { CDK8S_OUTDIR: folder } = process.env;
  return folder !== undefined && resolve(folder) === resolve(old) && !existsSync(old);
}

/**
 * Reads what a synth is compared with: a file, a folder, or a revision.
 *
 * @throws PathError if it can't be opened
 * @throws PlanDocumentError if it is a plan document
 * @throws GitError if the revision, its path or git is missing
 */
export function readPreviousInput(old: string): PlanInput {
  if (isCdk8sOutput(old)) {
    throw new PathError(
      `${old} is the output of cdk8s synth, which deletes it before the app runs; name a revision, such as git:HEAD:${old}, or a copy`,
    );
  }
  const opened = detectPlanDocument(isGitSource(old) ? readGitFiles(old) : readPath(old, process.cwd()));
  if (opened.plan) {
    throw new PlanDocumentError(
      `${old} is a plan document, which has no manifests to compare with; compare two plan documents with diffPlans of rolloutkit/plan`,
    );
  }
  return toPlanInput(readFiles(opened.files, PLAN_READING));
}
