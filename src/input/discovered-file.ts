import type { Finding } from '../core/findings/finding';
import type { PathKind } from '../core/rules/empty';
import type { SkippedEntry } from '../core/rules/skipped';
import type { FileProblem } from '../core/findings/input-problem';
import type { FileContent } from './file-content';
import type { FileContext } from './layout';
import type { OriginFinder } from './origin-finder';

/** PATH as given; `-` for standard input. */
export interface InputPath {
  readonly path: string;
  readonly as: PathKind;
}

/** What excludes a file. */
export interface FileExclusion {
  /** Path of the configuration, or `--exclude`. */
  readonly by: string;
  /** Whether the input itself says so, in a configuration that was found and not named. */
  readonly isFromInput: boolean;
}

/** Content of one file. */
export interface InputFile {
  /** Name of the file in findings; `-` for standard input. */
  readonly file: string;
  readonly content: FileContent;
  /** PATH as which it was given, or in which it was found. @default - none, for a file that a program passes in */
  readonly given?: InputPath;
  /** Role that the files around it give it. @default - unknown */
  readonly place?: FileContext;
  /** File that leaves it out of what a tool applies, such as `apps/.sourceignore`. @default - none */
  readonly ignoredBy?: string;
  /** Path of a file of a revision in the working tree, and below the PATH. @default - derived from `file` and `given` */
  readonly inTree?: { readonly file: string; readonly below: string };
  /** Finds the files of the repository from which a program rendered it. @default - it is a file of the repository */
  readonly origins?: OriginFinder;
  /** Whether its objects are manifests, even if they have fields that only a server writes. @default - the fields decide */
  readonly hasManifests?: true;
}

/** File of a folder that cannot be read. */
export interface UnreadableFile {
  readonly file: string;
  readonly problem: FileProblem;
  readonly given?: InputPath;
}

/** Entry of a folder that is skipped. */
export interface SkippedFile {
  readonly file: string;
  readonly skipped: SkippedEntry;
  readonly given?: InputPath;
}

/** File that determines the role of the files around it but is not a manifest by its name: `.helmignore`. */
export interface MarkerFile {
  readonly file: string;
  readonly isSilent: true;
  readonly place: FileContext;
  readonly given: InputPath;
  /** Its text. @default - it cannot be read */
  readonly text?: string;
  /** Path of a file of a revision in the working tree, and below the PATH. @default - derived from `file` and `given` */
  readonly inTree?: { readonly file: string; readonly below: string };
}

/** Folder that a program failed to render. */
export interface FailedFolder {
  readonly file: string;
  readonly failure: Finding;
  readonly given?: InputPath;
}

/** Entry that was found for a PATH. */
export type DiscoveredFile = (InputFile | UnreadableFile | SkippedFile | MarkerFile | FailedFolder) & {
  /** Whether the programs that render were already run on its folder. @default false */
  readonly isRendered?: true;
  /** Hidden folder or `node_modules` that contains it, so that it is not planned. @default - none */
  readonly unreadFolder?: string;
  /** What excludes it, so that it is not planned. @default - nothing */
  readonly exclusion?: FileExclusion;
};
