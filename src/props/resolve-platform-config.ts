import type { Finding } from '../core/findings/finding';
import type { Fields, Manifest } from '../core/manifest/manifest';
import { CONFIG_MAP_NAME, isConfigMap, KSERVE_NAMESPACE, readPlatformConfig } from '../systems/kserve/platform-config';
import { PLATFORM_PROPS } from '../systems/kserve/props-schema';
import { buildPlatformConfigMap, parsePlatformProps } from '../systems/kserve/platform-manifest';
import type { PlatformConfig, PlatformConfigProps } from '../systems/kserve/types';
import { findUnknownProps } from './validate-props';

/** A platform level with which services resolve their strategies. */
export interface ResolvedPlatformConfig {
  readonly config: PlatformConfig;
  /** The cluster's ConfigMap, or the one that would be emitted. A plan takes it as `kserveConfig`. */
  readonly configMap: Manifest;
}

/** Why a platform level can't be used. */
export interface InvalidPlatformConfig {
  readonly config: null;
  readonly findings: readonly Finding[];
}

/** Finds unknown props of a platform level. Returns one line each. */
export function findUnknownPlatformProps(props: unknown): string[] {
  return findUnknownProps(props, PLATFORM_PROPS);
}

/**
 * Resolves the level as KServe would read it from the ConfigMap. The ConfigMap can't express a fixed number of pods, so that only affects
 * the services.
 */
export function resolvePlatformProps(props: PlatformConfigProps): ResolvedPlatformConfig | InvalidPlatformConfig {
  const { config, findings } = parsePlatformProps(props);
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (config === null || errors.length > 0) return { config: null, findings: errors };
  const { manifest } = buildPlatformConfigMap(props);
  const asRead = readPlatformConfig(manifest).config;
  if (asRead) return { config: asRead, configMap: manifest };
  return { config, configMap: buildPlatformConfigMap({ defaultDeploymentMode: props.defaultDeploymentMode }).manifest };
}

/** Resolves the level of the cluster's ConfigMap `inferenceservice-config`, or of the parsed JSON of its `deploy` key. */
export function resolvePlatformConfigMap(source: Fields): ResolvedPlatformConfig | InvalidPlatformConfig {
  const { config, findings } = readPlatformConfig(source);
  if (config === null) return { config, findings };
  return { config, configMap: isConfigMap(source) ? (source as Manifest) : buildConfigMap(source) };
}

function buildConfigMap(deploy: Fields): Manifest {
  const metadata = { name: CONFIG_MAP_NAME, namespace: KSERVE_NAMESPACE };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { deploy: JSON.stringify(deploy, null, 2) } };
}
