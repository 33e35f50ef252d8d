import type { Finding } from '../core/finding';
import type { Fields, Manifest } from '../core/manifest';
import { CONFIG_MAP_NAME, isConfigMap, KSERVE_NAMESPACE, readPlatformConfig } from '../systems/kserve/platform-config';
import { PLATFORM_PROPS } from '../systems/kserve/props-schema';
import { buildPlatformConfigMap, parsePlatformProps } from '../systems/kserve/platform-manifest';
import type { PlatformConfig, PlatformConfigProps } from '../systems/kserve/types';
import { findUnknownProps } from './validate-props';

/** A platform level that services settle their strategies with. */
export interface ResolvedPlatformConfig {
  readonly config: PlatformConfig;
  /** The ConfigMap as the cluster has it, or would have it: what a plan takes as `kserveConfig`. */
  readonly configMap: Manifest;
}

/** A platform level that can't be used, and every reason. */
export interface InvalidPlatformConfig {
  readonly config: null;
  readonly findings: readonly Finding[];
}

/** Props of a platform level that there are not, one line each. */
export function findUnknownPlatformProps(props: unknown): string[] {
  return findUnknownProps(props, PLATFORM_PROPS);
}

/**
 * The level as KServe would read it from the ConfigMap. A fixed number of pods has no spelling there: it reaches the services alone.
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

/** The level of the cluster's own ConfigMap `inferenceservice-config`, or of the parsed JSON of its `deploy` key. */
export function resolvePlatformConfigMap(source: Fields): ResolvedPlatformConfig | InvalidPlatformConfig {
  const { config, findings } = readPlatformConfig(source);
  if (config === null) return { config, findings };
  return { config, configMap: isConfigMap(source) ? (source as Manifest) : buildConfigMap(source) };
}

function buildConfigMap(deploy: Fields): Manifest {
  const metadata = { name: CONFIG_MAP_NAME, namespace: KSERVE_NAMESPACE };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { deploy: JSON.stringify(deploy, null, 2) } };
}
