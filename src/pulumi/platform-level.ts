import { findingLine } from '../core/finding';
import type { Finding } from '../core/finding';
import type { Fields, Manifest } from '../core/manifest';
import { isConfigMap, readPlatformConfig } from '../systems/kserve/platform-config';
import { platformConfigMap, platformConfigOf } from '../systems/kserve/platform-manifest';
import type { PlatformConfig, PlatformConfigProps } from '../systems/kserve/types';

/** The platform level as props, or as the ConfigMap `inferenceservice-config` that the cluster has. */
export type PlatformSource = PlatformConfigProps | Manifest;

/** A platform level that services settle their strategies with. */
export interface PlatformLevel {
  /** Null when it is refused. */
  readonly config: PlatformConfig | null;
  /** What a plan takes as `kserveConfig`; undefined where no platform level is given. */
  readonly configMap?: Fields;
  readonly refusals: readonly string[];
}

/** Something that holds a platform level already: the component that writes it. */
interface PlatformHolder {
  readonly level: PlatformLevel;
}

/** The platform level of a service; the one that KServe's documentation assumes where none is given. */
export function platformLevelOf(source: PlatformSource | PlatformHolder | undefined): PlatformLevel {
  if (source === undefined) return { config: { defaultDeploymentMode: 'Standard' }, refusals: [] };
  if (isHolder(source)) return source.level;
  return isManifestSource(source) ? levelOfConfigMap(source) : levelOfProps(source);
}

function isHolder(source: PlatformSource | PlatformHolder): source is PlatformHolder {
  return 'level' in source;
}

function isManifestSource(source: PlatformSource): source is Manifest {
  return isConfigMap(source as Fields);
}

function levelOfConfigMap(configMap: Manifest): PlatformLevel {
  const { config, findings } = readPlatformConfig(configMap);
  return { config, configMap, refusals: refusalsOf(findings) };
}

/** Held as KServe would read it from the ConfigMap. A fixed number of pods has no spelling there: it reaches the services alone. */
function levelOfProps(props: PlatformConfigProps): PlatformLevel {
  const { config, findings } = platformConfigOf(props);
  const refusals = refusalsOf(findings);
  if (config === null || refusals.length > 0) return { config: null, refusals };
  const { manifest } = platformConfigMap(props);
  const asRead = readPlatformConfig(manifest).config;
  if (asRead) return { config: asRead, configMap: manifest, refusals };
  return { config, configMap: platformConfigMap({ defaultDeploymentMode: props.defaultDeploymentMode }).manifest, refusals };
}

function refusalsOf(findings: readonly Finding[]): string[] {
  return findings.filter(({ severity }) => severity === 'error').map((finding) => `platform: ${findingLine(finding)}`);
}
