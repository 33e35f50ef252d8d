/** What one tool renders or applies together. */
export interface ApplyUnit {
  /** Tells it from every other unit; never shown, for it may be an absolute path. */
  readonly id: string;
  /** As a plan names it: the folder as reached from the PATH given, or the PATH itself. */
  readonly name: string;
  /** Does its folder hold a kustomization.yaml, a Chart.yaml or a fleet.yaml? Otherwise it is a PATH given. */
  readonly hasMarkerFile: boolean;
  /** Was it given by name, instead of found below a folder that was? */
  readonly isNamedInput: boolean;
  /** The nearest unit around it. @default - it lies in none */
  readonly parent?: ApplyUnit;
}
