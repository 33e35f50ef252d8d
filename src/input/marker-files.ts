/** File names of a kustomization. */
export const KUSTOMIZATION_FILES: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
export const CHART_FILE = 'Chart.yaml';
export const FLEET_FILES: readonly string[] = ['fleet.yaml', 'fleet.yml'];

/** Files that override the source of an Application. Source: Argo CD reposerver/repository/repository.go, `mergeSourceParameters`. */
const ARGO_CD_SOURCE = /(?:^|\/)\.argocd-source(?:-[^/]+)?\.yaml$/;

/** Reports whether a file overrides the source of an Application. */
export function isArgoCdSource(file: string): boolean {
  return ARGO_CD_SOURCE.test(file);
}

/** Files that make their folder an apply unit. */
export const MARKER_FILES: ReadonlySet<string> = new Set([...KUSTOMIZATION_FILES, CHART_FILE, ...FLEET_FILES]);

/** Reports whether a file makes its folder an apply unit. */
export function isMarker(name: string): boolean {
  return MARKER_FILES.has(name);
}
