/** Namespaces to which files around a file, such as a kustomization, may move its objects. */
export interface FileNamespaces {
  /** All of them. */
  readonly all: readonly string[];
  /** Those that replace the namespaces that its objects write. */
  readonly forced: readonly string[];
  /** Those to which it is moved by what builds it: a kustomization that no other includes, or kubectl if there is none. Undefined if that keeps those that its objects write. */
  readonly built: readonly (string | undefined)[];
  /** What identifies the bundles of Fleet that may contain it. @default - none may */
  readonly bundles?: string;
}
