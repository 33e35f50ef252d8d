import type { Finding } from '../core/finding';
import type { PathKind } from '../core/rules/empty';
import type { SkippedEntry } from '../core/rules/skipped';
import type { FileProblem } from '../core/input-problem';
import type { FileContent } from './file-content';
import type { FileContext } from './layout';

/** A PATH as given, `-` for standard input. */
export interface InputPath {
  readonly path: string;
  readonly as: PathKind;
}

/** The content of one file, under the name that findings give it. */
export interface InputFile {
  /** `-` for standard input. */
  readonly file: string;
  readonly content: FileContent;
  /** The PATH that it was given as or found in. @default - it is one of several that a program gives */
  readonly given?: InputPath;
  /** What the files around it make of it. @default - nothing is known of them */
  readonly place?: FileContext;
  /** Of a file in a revision: its path in the working tree, and below the PATH. @default - as `file` and `given` say */
  readonly inTree?: { readonly file: string; readonly below: string };
}

/** A file of a folder whose content cannot be had. */
export interface UnreadableFile {
  readonly file: string;
  readonly problem: FileProblem;
  readonly given?: InputPath;
}

/** What stands in a folder and is not opened. */
export interface SkippedFile {
  readonly file: string;
  readonly skipped: SkippedEntry;
  readonly given?: InputPath;
}

/** A file that says what the files around it are, and is no manifest by its name: `Kustomization`. */
export interface MarkerFile {
  readonly file: string;
  readonly isSilent: true;
  readonly place: FileContext;
  readonly given: InputPath;
}

/** A folder of which a program should have made manifests, and did not. */
export interface FailedFolder {
  readonly file: string;
  readonly failure: Finding;
  readonly given?: InputPath;
}

/** Whatever a PATH stands for. */
export type DiscoveredFile = InputFile | UnreadableFile | SkippedFile | MarkerFile | FailedFolder;
