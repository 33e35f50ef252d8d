/** The options that every command takes about its input. */
export interface InputOptions {
  readonly clusters?: readonly string[];
  readonly kserveConfig?: string;
  readonly versions?: readonly string[];
  readonly neverReady?: readonly string[];
  readonly notReadyNow?: readonly string[];
  readonly startupSeconds?: string;
  readonly capacity?: string;
  readonly policy?: string;
  readonly crds?: readonly string[];
  readonly budget?: readonly string[];
  /** A file; false where none is to be looked for. */
  readonly config?: string | false;
  readonly render?: boolean;
  /** Files with values for the charts that are rendered. */
  readonly values?: readonly string[];
  readonly exclude?: readonly string[];
}
