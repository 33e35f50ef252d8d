import { posix } from 'node:path';
import { CHART_FILE, FLEET_FILES } from './marker-files';

/** The only name of a kustomization that Fleet knows, in the root of a bundle. Source: fleet v0.16 internal/bundlereader/style.go, `kustomizePath`. */
const FLEET_KUSTOMIZATION = 'kustomization.yaml';

/** What Fleet makes of a file because of its place. */
export interface FleetPlace {
  /** Whether Fleet may render it with Helm, although no chart is there. @default false */
  readonly isFleetTemplate?: boolean;
  /** Whether it may be an overlay of Fleet, which applies only to the targets that name it. @default false */
  readonly isFleetOverlay?: boolean;
}

/** Names of the marker files by folder. */
type MarkedFolders = ReadonlyMap<string, readonly string[]>;

/** Lists the positions of the folders of a name. The next position is that of the folder around it. */
function findFolders(folders: readonly string[], name: string): readonly number[] {
  return folders.flatMap((folder, index) => (posix.basename(folder) === name ? [index] : []));
}

/**
 * Describes what Fleet makes of a file because of the folders around it. Any folder may be a bundle. Without a Chart.yaml and a kustomization,
 * it is one of raw YAML: its folder `templates` becomes a chart, and its folder `overlays` is dropped, but not a bundle in there.
 *
 * A folder `overlays` often contains kustomizations that the GitRepo names. So the folder around it is a bundle only if it has a fleet.yaml, or if
 * no kustomization is in there.
 *
 * Source: fleet v0.16 internal/helmdeployer/render/helm.go, `manifests`, and internal/helmdeployer/render/patch/patch.go, `Process`.
 *
 * @param folders - the folders from that of the file up to the root of the layout
 */
export function describeFleetPlace(folders: readonly string[], marked: MarkedFolders): FleetPlace {
  const hasMarker = (folder: string, ...names: readonly string[]) => marked.get(folder)?.some((name) => names.includes(name)) === true;
  const isRaw = (index: number) => !hasMarker(folders[index]!, FLEET_KUSTOMIZATION, CHART_FILE);
  const isBundle = (index: number) => hasMarker(folders[index]!, ...FLEET_FILES);
  const isOverlay = (index: number) => {
    const below = folders.slice(0, index + 1);
    const mayBeNamed = isBundle(index + 1) || !below.some((folder) => hasMarker(folder, FLEET_KUSTOMIZATION));
    return isRaw(index + 1) && mayBeNamed && !below.some((folder) => hasMarker(folder, ...FLEET_FILES));
  };
  return {
    ...(findFolders(folders, 'templates').some((index) => isRaw(index + 1)) && { isFleetTemplate: true }),
    ...(findFolders(folders, 'overlays').some(isOverlay) && { isFleetOverlay: true }),
  };
}
