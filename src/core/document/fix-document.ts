import type { Edit, Prerequisite } from '../findings/suggested-fix';
import type { Finding } from '../findings/finding';
import type { FORMAT_VERSION } from './plan-document';
import type { ResourceRef } from './rollout';

/** A finding with the edits that its help describes. */
export interface FixableFinding extends Finding {
  /** Resource that it is about; absent if it is about no rollout. */
  readonly resource?: ResourceRef;
  /** Edits that must be made together. */
  readonly edits: readonly Edit[];
  /** Steps to take in the cluster first. */
  readonly first?: readonly Prerequisite[];
}

/** Reasons why a fix that needs no decision was not written. */
export const FIX_OBSTACLES = ['new-finding', 'stays', 'fewer-pods', 'not-in-the-text', 'read-only', 'refused'] as const;

/**
 * `new-finding`: the fixed input has a new finding that is as bad. `stays`: the finding is still there. `fewer-pods`: the rollout,
 * or an intermediate state, would have fewer pods. `not-in-the-text`: the value is also used elsewhere, comes from an alias,
 * or is not a scalar, or the document has more than 200 levels. `read-only`: the file is standard input, or a link that leads out of
 * the PATH. `refused`: with OLD given, the change would be refused or would delete and recreate the object.
 */
export type FixObstacle = (typeof FIX_OBSTACLES)[number];

/** A fix that was tried and not written. */
export interface UnsafeFix extends FixableFinding {
  readonly obstacle: FixObstacle;
  /** Codes of the new findings, for `new-finding`. */
  readonly codes?: readonly string[];
}

/** Changes of one file. */
export interface FixedFile {
  /** File, relative to the given PATH. */
  readonly file: string;
  /** Difference in the format of `diff -u`. */
  readonly diff: string;
}

/** Result of `rolloutkit fix`, also with `--dry-run`. */
export interface FixDocument {
  readonly formatVersion: typeof FORMAT_VERSION;
  readonly dryRun: boolean;
  readonly fixed: readonly FixableFinding[];
  /** Findings with a fix that a user must decide on. */
  readonly undecided: readonly FixableFinding[];
  readonly unsafe: readonly UnsafeFix[];
  /** Findings that appear only after the fixes and are less severe than what was fixed; without those listed above. */
  readonly uncovered: readonly Finding[];
  readonly files: readonly FixedFile[];
  readonly summary: {
    readonly fixed: number;
    readonly undecided: number;
    readonly unsafe: number;
    /** Remaining findings without a fix. */
    readonly withoutFix: number;
    readonly files: number;
  };
}

/** Text that replaces some lines of a file. */
export interface LineReplacement {
  /** First replaced line, from 1. */
  readonly line: number;
  /** Number of replaced lines; 0 if the text is inserted before the line. */
  readonly lines: number;
  readonly text: string;
}

/** A fix for a finding, by file. */
export interface ProposedFix {
  readonly files: readonly { readonly file: string; readonly replacements: readonly LineReplacement[] }[];
}
