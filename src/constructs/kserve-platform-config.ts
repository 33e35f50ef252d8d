import { readFileSync } from 'node:fs';
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { findingLine } from '../core/finding';
import type { Finding } from '../core/finding';
import { nameOf } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { Locations } from '../input/locations';
import { readMaps } from '../input/read';
import { reasonOf } from '../input/read-paths';
import { CONFIG_MAP_NAME, isConfigMap, KSERVE_NAMESPACE, readPlatformConfig } from '../systems/kserve/platform-config';
import { platformConfigMap, platformConfigOf } from '../systems/kserve/platform-manifest';
import type { PlatformConfig, PlatformConfigProps } from '../systems/kserve/types';
import { refuseErrors } from './synth-errors';

/** How `KServePlatformConfig.emit` writes the ConfigMap. */
export interface EmitPlatformConfigOptions {
  /** The id of the ConfigMap's construct. @default inferenceservice-config */
  readonly id?: string;
  /**
   * The ConfigMap `inferenceservice-config` as the cluster has it: everything in it that the platform level does not set is kept.
   *
   * @default - the ConfigMap that the platform level was read from; a new one with nothing but the `deploy` key if it was given as props
   */
  readonly base?: Manifest;
}

/** Thrown for a platform level that can't be read or that KServe would refuse; the message holds every reason, one a line. */
export class PlatformConfigError extends Error {
  public override readonly name = 'PlatformConfigError';
}

/**
 * KServe's platform level: the default deployment mode and the rollout defaults that hold for services without a strategy of their own.
 *
 * It is a value and no construct: it is given to services, which settle their strategies with it, and is written to the cluster only by
 * `emit`. The ConfigMap that KServe reads it from belongs to the KServe installation.
 *
 * @see KServe rollout guide, "ConfigMap Default Configuration"
 *
 * @example
 * const platform = KServePlatformConfig.of({ defaultRollout: { mode: 'Availability', maxSurge: '25%' } });
 * new InferenceServiceRollout(chart, 'iris', { platform, predictor: { … } });
 */
export class KServePlatformConfig implements PlatformConfig {
  /**
   * The platform level, typed. The defaults are Standard mode, and 25% for a limit that is left out.
   *
   * @throws PlatformConfigError for an unknown mode, or limits that are no whole number or percentage
   */
  public static of(props: PlatformConfigProps): KServePlatformConfig {
    const { config, findings } = platformConfigOf(props);
    const errors = findings.filter(({ severity }) => severity === 'error');
    if (config === null || errors.length > 0)
      throw new PlatformConfigError(errors.map((finding) => `platform config: ${findingLine(finding)}`).join('\n'));

    // Held as KServe would read it from the ConfigMap. A fixed number of pods has no spelling there: it reaches the services alone.
    const { manifest } = platformConfigMap(props);
    const asRead = readPlatformConfig(manifest).config;
    if (asRead) return new KServePlatformConfig(asRead, manifest, props);
    return new KServePlatformConfig(config, platformConfigMap({ defaultDeploymentMode: props.defaultDeploymentMode }).manifest, props);
  }

  /**
   * The platform level of the cluster, from the ConfigMap `inferenceservice-config` as an object, or the parsed JSON of its `deploy` key.
   *
   * @throws PlatformConfigError for what KServe's own parser refuses
   */
  public static fromConfigMap(configMap: Fields): KServePlatformConfig {
    return KServePlatformConfig.read(configMap, (finding) => `${CONFIG_MAP_NAME}: ${findingLine(finding)}`);
  }

  /**
   * The platform level of the cluster, from a YAML or JSON file: the ConfigMap `inferenceservice-config`, alone or among other objects, or
   * the JSON of its `deploy` key.
   *
   * @param path of the file, e.g. of `kubectl get configmap inferenceservice-config -n kserve -o yaml`
   * @throws PlatformConfigError if the file can't be read, holds no such ConfigMap, or KServe's own parser refuses it; with file and line
   */
  public static fromFile(path: string): KServePlatformConfig {
    const locations = new Locations();
    const configMap = configMapIn(path, locations);
    return KServePlatformConfig.read(configMap, (finding) => {
      const line = locations.locate(configMap, finding.path)?.line;
      return `${path}:${line ?? 1}: ${findingLine(finding)}`;
    });
  }

  private static read(source: Fields, describe: (finding: Finding) => string): KServePlatformConfig {
    const { config, findings } = readPlatformConfig(source);
    if (config === null) throw new PlatformConfigError(findings.map(describe).join('\n'));
    return new KServePlatformConfig(config, isConfigMap(source) ? (source as Manifest) : configMapOf(source));
  }

  public readonly defaultDeploymentMode: PlatformConfig['defaultDeploymentMode'];
  public readonly defaultRollout?: PlatformConfig['defaultRollout'];

  private constructor(
    config: PlatformConfig,
    /** The ConfigMap as the cluster has it, or would have it if this were emitted: what a plan takes as `kserveConfig`. */
    public readonly configMap: Manifest,
    /** What `emit` merges over its base. */
    private readonly props?: PlatformConfigProps,
  ) {
    this.defaultDeploymentMode = config.defaultDeploymentMode;
    this.defaultRollout = config.defaultRollout;
  }

  /**
   * Writes the ConfigMap `inferenceservice-config` into a chart. Only a platform team's app should: the ConfigMap belongs to the KServe
   * installation, and its key `deploy` is one string, so that an apply replaces all that is in it. Give the cluster's own as `base`.
   *
   * Limits are written as percentages in quotes, zero as "0%" and a mode as the two limits that it means: KServe reads nothing else.
   * A fixed number of pods can't be written there and fails the synth.
   *
   * @returns the ConfigMap's ApiObject
   */
  public emit(scope: Construct, options: EmitPlatformConfigOptions = {}): ApiObject {
    const { manifest, findings } = platformConfigMap(this.props ?? {}, options.base ?? (this.props ? undefined : this.configMap));
    const object = new ApiObject(scope, options.id ?? CONFIG_MAP_NAME, manifest);
    refuseErrors(object, findings);
    return object;
  }
}

function configMapOf(deploy: Fields): Manifest {
  const metadata = { name: CONFIG_MAP_NAME, namespace: KSERVE_NAMESPACE };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { deploy: JSON.stringify(deploy, null, 2) } };
}

function contentOf(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new PlatformConfigError(`${path}: ${reasonOf(error)}; name a file with the ConfigMap ${CONFIG_MAP_NAME}`);
  }
}

/** The ConfigMap of a file: by its name among others, by being alone otherwise. */
function configMapIn(path: string, locations: Locations): Fields {
  const { maps, findings } = readMaps({ file: path, content: contentOf(path) }, locations);
  if (findings.length > 0)
    throw new PlatformConfigError(findings.map(({ message, source }) => `${path}:${source?.line ?? 1}: ${message}`).join('\n'));
  const named = maps.find((map) => map.kind === 'ConfigMap' && nameOf(map as Manifest) === CONFIG_MAP_NAME);
  const alone = maps.length === 1 && (maps[0]!.kind === undefined || maps[0]!.kind === 'ConfigMap') ? maps[0] : undefined;
  const found = named ?? alone;
  if (found) return found;
  throw new PlatformConfigError(
    `${path}: holds no ConfigMap ${CONFIG_MAP_NAME}; write the output of kubectl get configmap ${CONFIG_MAP_NAME} -n kserve -o yaml`,
  );
}
