import type { Edit, Prerequisite } from './suggested-fix';
import type { Finding } from './finding';
import type { FORMAT_VERSION } from './plan-document';
import type { ResourceRef } from './rollout';

/** A finding, and what its advice says to write. */
export interface FixableFinding extends Finding {
  /** Absent where it is about no rollout. */
  readonly resource?: ResourceRef;
  /** All of them together. */
  readonly edits: readonly Edit[];
  /** What has to be done to the cluster before. */
  readonly first?: readonly Prerequisite[];
}

/** Why a fix was not written, though nobody has to decide about it. */
export const FIX_OBSTACLES = ['new-finding', 'stays', 'fewer-pods', 'not-in-the-text', 'read-only', 'refused'] as const;

/**
 * `new-finding`: planned again, something as bad comes up. `stays`: the finding is still there. `fewer-pods`: the rollout,
 * or the way to it, would have fewer pods. `not-in-the-text`: its value stands for others too, comes through an alias,
 * or is more than a scalar. `read-only`: the file is standard input, or a link that leads out of the PATH. `refused`: with OLD given,
 * the change would be refused or would delete and make anew.
 */
export type FixObstacle = (typeof FIX_OBSTACLES)[number];

/** A fix that was tried and not written. */
export interface UnsafeFix extends FixableFinding {
  readonly obstacle: FixObstacle;
  /** The codes that come up, for `new-finding`. */
  readonly codes?: readonly string[];
}

/** One file, before and after. */
export interface FixedFile {
  /** As reached from the PATH given. */
  readonly file: string;
  /** What differs, as `diff -u` writes it. */
  readonly diff: string;
}

/** What `rolloutkit fix` did, or with `--dry-run` would do. */
export interface FixDocument {
  readonly formatVersion: typeof FORMAT_VERSION;
  readonly dryRun: boolean;
  readonly fixed: readonly FixableFinding[];
  /** Findings whose advice somebody has to choose. */
  readonly undecided: readonly FixableFinding[];
  readonly unsafe: readonly UnsafeFix[];
  /** What was found only once the fixes were written, less bad than what they mended; without what stands above. */
  readonly uncovered: readonly Finding[];
  readonly files: readonly FixedFile[];
  readonly summary: {
    readonly fixed: number;
    readonly undecided: number;
    readonly unsafe: number;
    /** Findings left for which there is no fix to write. */
    readonly withoutFix: number;
    readonly files: number;
  };
}

/** Text of a file that takes the place of some of its lines. */
export interface LineReplacement {
  /** The first line that goes, from 1. */
  readonly line: number;
  /** How many go: 0 where text is put before the line. */
  readonly lines: number;
  readonly text: string;
}

/** What would mend a finding, file by file. */
export interface ProposedFix {
  readonly files: readonly { readonly file: string; readonly replacements: readonly LineReplacement[] }[];
}
