import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { findingLine } from '../core/finding';
import type { Finding } from '../core/finding';
import type { Fields, Manifest } from '../core/manifest';
import { PlatformConfigError, readPlatformConfigFile } from '../props/platform-config-file';
import { levelOfConfigMap, levelOfProps, unknownPlatformProps } from '../props/platform-level';
import type { PlatformLevel, RefusedLevel } from '../props/platform-level';
import { CONFIG_MAP_NAME } from '../systems/kserve/platform-config';
import { platformConfigMap } from '../systems/kserve/platform-manifest';
import type { PlatformConfig, PlatformConfigProps, PlatformRollout } from '../systems/kserve/types';
import { refuseDuplicates } from './owned-names';
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

/**
 * KServe's platform level: the default deployment mode and the rollout defaults that hold for services without a strategy of their own.
 *
 * It is a value and no construct: it is given to services, which settle their strategies with it,
 * and is written to the cluster only by `emit`. The ConfigMap that KServe reads it from belongs to the KServe installation.
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
   * @throws PlatformConfigError for an unknown prop or mode, or limits that are no whole number or percentage
   */
  public static of(props: PlatformConfigProps): KServePlatformConfig {
    const unknown = unknownPlatformProps(props);
    if (unknown.length > 0) throw new PlatformConfigError(unknown.map((line) => `platform config: ${line}`).join('\n'));
    return new KServePlatformConfig(
      usable(levelOfProps(props), (finding) => `platform config: ${findingLine(finding)}`),
      props,
    );
  }

  /**
   * The platform level of the cluster, from the ConfigMap `inferenceservice-config` as an object, or the parsed JSON of its `deploy` key.
   *
   * @throws PlatformConfigError for what KServe's own parser refuses
   */
  public static fromConfigMap(configMap: Fields): KServePlatformConfig {
    return new KServePlatformConfig(usable(levelOfConfigMap(configMap), (finding) => `${CONFIG_MAP_NAME}: ${findingLine(finding)}`));
  }

  /**
   * The platform level of the cluster, from a YAML or JSON file: the ConfigMap `inferenceservice-config`, alone or among other objects,
   * or the JSON of its `deploy` key.
   *
   * @param path of the file, e.g. of `kubectl get configmap inferenceservice-config -n kserve -o yaml`
   * @throws PlatformConfigError if the file can't be read, holds no such ConfigMap, or KServe's own parser refuses it; with file and line
   */
  public static fromFile(path: string): KServePlatformConfig {
    const { configMap, describe } = readPlatformConfigFile(path);
    return new KServePlatformConfig(usable(levelOfConfigMap(configMap), describe));
  }

  /** The mode of services that have none of their own; empty when the ConfigMap has no `deploy` key, which KServe treats like Knative. */
  public readonly defaultDeploymentMode: PlatformConfig['defaultDeploymentMode'];
  /** The limits of services without a strategy of their own; undefined where the platform sets none. */
  public readonly defaultRollout?: PlatformRollout;
  /** The ConfigMap as the cluster has it, or would have it if this were emitted: what a plan takes as `kserveConfig`. */
  public readonly configMap: Manifest;

  private constructor(
    { config, configMap }: PlatformLevel,
    /** What `emit` merges over its base. */
    private readonly props?: PlatformConfigProps,
  ) {
    this.defaultDeploymentMode = config.defaultDeploymentMode;
    this.defaultRollout = config.defaultRollout;
    this.configMap = configMap;
  }

  /**
   * Writes the ConfigMap `inferenceservice-config` into a chart. Only a platform team's app should:
   * the ConfigMap belongs to the KServe installation, and its key `deploy` is one string, so that an apply replaces all that is in it.
   * Give the cluster's own as `base`.
   *
   * Limits are written as percentages in quotes, zero as "0%" and a mode as the two limits that it means: KServe reads nothing else.
   * A fixed number of pods can't be written there and fails the synth.
   *
   * @returns the ConfigMap's ApiObject
   */
  public emit(scope: Construct, options: EmitPlatformConfigOptions = {}): ApiObject {
    const { manifest, findings } = platformConfigMap(this.props ?? {}, options.base ?? (this.props ? undefined : this.configMap));
    const object = new ApiObject(scope, options.id ?? CONFIG_MAP_NAME, manifest);
    refuseDuplicates(object);
    refuseErrors(object, findings);
    return object;
  }
}

/** The level, unless it is refused. */
function usable(level: PlatformLevel | RefusedLevel, describe: (finding: Finding) => string): PlatformLevel {
  if (level.config === null) throw new PlatformConfigError(level.findings.map(describe).join('\n'));
  return level;
}
