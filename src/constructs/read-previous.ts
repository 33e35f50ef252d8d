import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { PlanDocumentError, detectPlanDocument } from '../change/previous-plan';
import { isGitSource, parseGitSource, readGitSource } from '../input/git-source';
import { readFiles } from '../input/read';
import { PathError, readPath } from '../input/read-paths';
import type { PlanInput } from '../plan/plan';
import { toPlanInput } from '../plan/to-plan-input';
import { FILE_KINDS } from '../plan/registry';
import { escapeForTerminal } from '../core/escape-output';

/** Git tells on standard error what it runs, as it does for the command line. */
function readGitFiles(old: string) {
  const log = (what: string) => void process.stderr.write(`rolloutkit: ${escapeForTerminal(what)}\n`);
  return readGitSource(parseGitSource(old), [], { cwd: process.cwd(), env: process.env, log });
}

/** The cdk8s CLI names its output folder so, and deletes it before it runs the app. */
function isCdk8sOutput(old: string): boolean {
  const { CDK8S_OUTDIR: folder } = process.env;
  return folder !== undefined && resolve(folder) === resolve(old) && !existsSync(old);
}

/**
 * What a synth is compared with: a file, a folder, or a revision.
 *
 * @throws PathError where it can't be opened
 * @throws PlanDocumentError where it is a plan document
 * @throws GitError where the revision or its path is not there, or git is not
 */
export function readPreviousInput(old: string): PlanInput {
  if (isCdk8sOutput(old)) {
    throw new PathError(
      `${old} is what cdk8s synth writes, and it deletes that before the app runs; name what is committed, such as git:HEAD:${old}, or a copy`,
    );
  }
  const opened = detectPlanDocument(isGitSource(old) ? readGitFiles(old) : readPath(old, process.cwd()));
  if (opened.plan) {
    throw new PlanDocumentError(
      `${old} is a plan document, of which behaviour alone is known: diffPlans of rolloutkit/plan compares it with another plan`,
    );
  }
  return toPlanInput(readFiles(opened.files, { kinds: FILE_KINDS }));
}
