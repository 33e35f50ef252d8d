/** A set of manifests that one tool renders or applies together. */
export interface ApplyUnit {
  /** Identifier that is unique among units; never shown, since it may be an absolute path. */
  readonly id: string;
  /** Name in a plan: the folder relative to the given PATH, or the PATH itself. */
  readonly name: string;
  /** Whether its folder contains a kustomization.yaml, a Chart.yaml or a fleet.yaml; otherwise it is a given PATH. */
  readonly hasMarkerFile: boolean;
  /** Names of its marker files: `Chart.yaml`. @default - it has none */
  readonly markers?: readonly string[];
  /** Whether it was given by name instead of found below a given folder. */
  readonly isNamedInput: boolean;
  /** Nearest unit that contains it. @default - none */
  readonly parent?: ApplyUnit;
}
