import { findingLine } from '../core/finding';
import type { Fields, Manifest } from '../core/manifest';
import { levelOfConfigMap, levelOfProps, unknownPlatformProps } from '../props/platform-level';
import type { PlatformLevel, RefusedLevel } from '../props/platform-level';
import { isConfigMap } from '../systems/kserve/platform-config';
import type { PlatformConfigProps } from '../systems/kserve/types';

/** The platform level as props, or as the ConfigMap `inferenceservice-config` that the cluster has. */
export type PlatformSource = PlatformConfigProps | Manifest;

/** Something that holds a platform level already: the component that writes it. */
interface PlatformHolder {
  readonly level: PlatformLevel;
}

/** The platform level that a service is given. */
export function platformLevelOf(source: PlatformSource | PlatformHolder): PlatformLevel | RefusedLevel {
  if (isHolder(source)) return source.level;
  return isConfigMap(source as Fields) ? levelOfConfigMap(source as Manifest) : levelOfProps(source as PlatformConfigProps);
}

function isHolder(source: PlatformSource | PlatformHolder): source is PlatformHolder {
  return 'level' in source;
}

/** Props of a platform level that there are not; none of a ConfigMap, which holds what it holds. */
export function unknownLevelProps(source: PlatformSource | PlatformHolder): string[] {
  if (isHolder(source) || isConfigMap(source as Fields)) return [];
  return unknownPlatformProps(source).map((line) => `platform.${line}`);
}

/** Why a service can't use its platform level. */
export function platformRefusals({ findings }: RefusedLevel): string[] {
  return findings.filter(({ severity }) => severity === 'error').map((finding) => `platform: ${findingLine(finding)}`);
}
