/** Options about the input, which all commands accept. */
export interface InputOptions {
  readonly clusters?: readonly string[];
  readonly kserveConfig?: string;
  readonly versions?: readonly string[];
  readonly neverReady?: readonly string[];
  readonly notReadyNow?: readonly string[];
  readonly startupSeconds?: string;
  readonly capacity?: string;
  readonly policy?: string;
  readonly requirePlanned?: boolean;
  readonly crds?: readonly string[];
  readonly budget?: readonly string[];
  /** Configuration file; false to use none. */
  readonly config?: string | false;
  readonly render?: boolean;
  /** Values files for rendered charts. */
  readonly values?: readonly string[];
  readonly exclude?: readonly string[];
}
