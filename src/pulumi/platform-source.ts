import { formatFindingLine } from '../core/finding';
import type { Fields, Manifest } from '../core/manifest';
import { resolvePlatformConfigMap, resolvePlatformProps, findUnknownPlatformProps } from '../props/resolve-platform-config';
import type { ResolvedPlatformConfig, InvalidPlatformConfig } from '../props/resolve-platform-config';
import { isConfigMap } from '../systems/kserve/platform-config';
import type { PlatformConfigProps } from '../systems/kserve/types';

/** The platform level as props, or as the ConfigMap `inferenceservice-config` that the cluster has. */
export type PlatformSource = PlatformConfigProps | Manifest;

/** Something that holds a platform level already: the component that writes it. */
interface PlatformHolder {
  readonly level: ResolvedPlatformConfig;
}

/** The platform level that a service is given. */
export function resolvePlatformSource(source: PlatformSource | PlatformHolder): ResolvedPlatformConfig | InvalidPlatformConfig {
  if (isPlatformHolder(source)) return source.level;
  return isConfigMap(source as Fields) ? resolvePlatformConfigMap(source as Manifest) : resolvePlatformProps(source as PlatformConfigProps);
}

function isPlatformHolder(source: PlatformSource | PlatformHolder): source is PlatformHolder {
  return 'level' in source;
}

/** Props of a platform level that there are not; none of a ConfigMap, which holds what it holds. */
export function findUnknownSourceProps(source: PlatformSource | PlatformHolder): string[] {
  if (isPlatformHolder(source) || isConfigMap(source as Fields)) return [];
  return findUnknownPlatformProps(source).map((line) => `platform.${line}`);
}

/** Why a service can't use its platform level. */
export function formatPlatformErrors({ findings }: InvalidPlatformConfig): string[] {
  return findings.filter(({ severity }) => severity === 'error').map((finding) => `platform: ${formatFindingLine(finding)}`);
}
