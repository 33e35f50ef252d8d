import { formatFindingLine } from '../core/findings/finding';
import type { Fields, Manifest } from '../core/manifest/manifest';
import { resolvePlatformConfigMap, resolvePlatformProps, findUnknownPlatformProps } from '../props/resolve-platform-config';
import type { ResolvedPlatformConfig, InvalidPlatformConfig } from '../props/resolve-platform-config';
import { isConfigMap } from '../systems/kserve/platform-config';
import type { PlatformConfigProps } from '../systems/kserve/types';

/** The platform level as props, or as the cluster's ConfigMap `inferenceservice-config`. */
export type PlatformSource = PlatformConfigProps | Manifest;

/** The component that writes a platform level. */
interface PlatformHolder {
  readonly level: ResolvedPlatformConfig;
}

/** Resolves the platform level of a service. */
export function resolvePlatformSource(source: PlatformSource | PlatformHolder): ResolvedPlatformConfig | InvalidPlatformConfig {
  if (isPlatformHolder(source)) return source.level;
  return isConfigMap(source as Fields) ? resolvePlatformConfigMap(source as Manifest) : resolvePlatformProps(source as PlatformConfigProps);
}

function isPlatformHolder(source: PlatformSource | PlatformHolder): source is PlatformHolder {
  return 'level' in source;
}

/** Finds unknown props of a platform level. A ConfigMap may have any keys. */
export function findUnknownSourceProps(source: PlatformSource | PlatformHolder): string[] {
  if (isPlatformHolder(source) || isConfigMap(source as Fields)) return [];
  return findUnknownPlatformProps(source).map((line) => `platform.${line}`);
}

/** Formats why a service can't use its platform level. */
export function formatPlatformErrors({ findings }: InvalidPlatformConfig): string[] {
  return findings.filter(({ severity }) => severity === 'error').map((finding) => `platform: ${formatFindingLine(finding)}`);
}
