/** File names of a kustomization. */
export const KUSTOMIZATION_FILES: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
export const CHART_FILE = 'Chart.yaml';
export const FLEET_FILES: readonly string[] = ['fleet.yaml', 'fleet.yml'];

/** Files that make their folder an apply unit. */
export const MARKER_FILES: ReadonlySet<string> = new Set([...KUSTOMIZATION_FILES, CHART_FILE, ...FLEET_FILES]);

/** Reports whether a file makes its folder an apply unit. */
export function isMarker(name: string): boolean {
  return MARKER_FILES.has(name);
}
