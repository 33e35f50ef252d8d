import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { formatFindingLine } from '../core/findings/finding';
import type { Finding } from '../core/findings/finding';
import type { IntOrPercent } from '../core/values/int-or-percent';
import { isFields, isClassInstance } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import { describeValue } from '../core/text/display-value';
import { planManifests } from '../plan/plan';
import { PlatformConfigError, readPlatformConfigFile } from '../props/platform-config-file';
import { resolvePlatformConfigMap, resolvePlatformProps } from '../props/resolve-platform-config';
import type { ResolvedPlatformConfig, InvalidPlatformConfig } from '../props/resolve-platform-config';
import { readPropsOf } from '../input/read-props';
import { formatTokenRefusal, listTokenPaths } from '../props/tokens';
import { findStructuralErrors, collectPropErrors } from '../props/validate-props';
import { CONFIG_MAP_NAME } from '../systems/kserve/platform-config';
import { buildPlatformConfigMap } from '../systems/kserve/platform-manifest';
import { PLATFORM_PROPS } from '../systems/kserve/props-schema';
import type { PlatformConfig, PlatformConfigProps, PlatformRollout, PlatformRolloutProps } from '../systems/kserve/types';
import type { NotBothZero } from '../workloads/deployment/intent';
import { locateErrors } from '../props/call-site';
import type { PropPaths } from '../props/prop-paths';
import { failSynthOnDuplicates } from './name-conflicts';
import { recordCallSite } from './call-sites';
import { failSynthOnPatchErrors, failSynthOnErrors } from './synth-errors';
import type { Patchable } from './synth-errors';

/** The ConfigMap that `emit` writes, which users may patch. */
const CONFIG_MAP_PATCHABLE: Patchable<ApiObject> = {
  objects: (object) => [object],
  plan: (object) => planManifests([object.toJson()]),
};

/** Options of `KServePlatformConfig.emit`. */
export interface EmitPlatformConfigOptions {
  /** The id of the ConfigMap's construct. @default inferenceservice-config */
  readonly id?: string;
  /**
   * The cluster's ConfigMap `inferenceservice-config`. Everything in it that the platform level does not set is kept.
   *
   * @default - the ConfigMap that the platform level was read from; a new one with only the `deploy` key if the platform level was declared by props
   */
  readonly base?: Manifest;
}

/**
 * KServe's platform level: the default deployment mode and the rollout defaults for services without a strategy of their own.
 *
 * It is a value, not a construct. Services resolve their strategies with it, and only `emit` writes it to the cluster.
 * The ConfigMap that KServe reads it from belongs to the KServe installation.
 *
 * @see KServe rollout guide, "ConfigMap Default Configuration"
 *
 * @example
 * const platform = KServePlatformConfig.of({ defaultRollout: { mode: 'Availability', maxSurge: '25%' } });
 * new InferenceServiceRollout(chart, 'iris', { platform, predictor: { … } });
 */
export class KServePlatformConfig implements PlatformConfig {
  /**
   * Creates the platform level from props. The defaults are Standard mode, and 25% for a limit that is left out.
   *
   * @throws PlatformConfigError for an unknown prop or mode, or for limits that are neither a whole number nor a percentage
   */
  public static of<const Surge extends IntOrPercent, const Unavailable extends IntOrPercent>(
    input: Omit<PlatformConfigProps, 'defaultRollout'> & {
      /** Rollout of services without a strategy of their own, while the default mode is Standard. @default - 25% and 25% */
      readonly defaultRollout?: Omit<PlatformRolloutProps, 'maxSurge' | 'maxUnavailable'> & {
        /** Pods above the replicas, as a number or a percentage of them, which is rounded up. @default 25% */
        readonly maxSurge?: Surge;
        /** Pods of the replicas that may be unavailable, as a number or a percentage of them, which is rounded down. @default 25% */
        readonly maxUnavailable?: Unavailable;
      } & NotBothZero<Surge, Unavailable>;
    },
  ): KServePlatformConfig {
    return locateErrors(() => {
      const props = readPropsOf('platform config', input);
      const tokens = listTokenPaths(props).map(formatTokenRefusal);
      if (tokens.length > 0) throw new PlatformConfigError(tokens.map((line) => `platform config: ${line}`).join('\n'));
      const propErrors = collectPropErrors(props, { maps: { defaultRollout: 'optional' }, props: PLATFORM_PROPS });
      if (propErrors.length > 0) throw new PlatformConfigError(propErrors.map((line) => `platform config: ${line}`).join('\n'));
      return new KServePlatformConfig(
        requirePlatformConfig(resolvePlatformProps(props), (finding) => `platform config: ${formatFindingLine(finding)}`),
        props,
      );
    });
  }

  /**
   * Creates the platform level of the cluster from the ConfigMap `inferenceservice-config` or from the parsed JSON of its `deploy` key.
   *
   * @throws PlatformConfigError for a ConfigMap that KServe's own parser refuses
   */
  public static fromConfigMap(input: Fields): KServePlatformConfig {
    return locateErrors(() => {
      const configMap = readPropsOf(CONFIG_MAP_NAME, input);
      if (!isFields(configMap) || isClassInstance(configMap))
        throw new PlatformConfigError(`${CONFIG_MAP_NAME}: ${describeValue(configMap)} is given; write the ConfigMap as a map`);
      return new KServePlatformConfig(
        requirePlatformConfig(resolvePlatformConfigMap(configMap), (finding) => `${CONFIG_MAP_NAME}: ${formatFindingLine(finding)}`),
      );
    });
  }

  /**
   * Creates the platform level of the cluster from a YAML or JSON file with the ConfigMap `inferenceservice-config`, alone or with other
   * objects, or with the JSON of its `deploy` key.
   *
   * @param path of the file, e.g. of `kubectl get configmap inferenceservice-config -n kserve -o yaml`
   * @throws PlatformConfigError if the file can't be read, has no such ConfigMap, or KServe's own parser refuses it; with file and line
   */
  public static fromFile(path: string): KServePlatformConfig {
    return locateErrors(() => {
      if (typeof path !== 'string')
        throw new PlatformConfigError(`platform config: the path is ${describeValue(path)}; write the path of a file`);
      const { configMap, describe } = readPlatformConfigFile(path);
      return new KServePlatformConfig(requirePlatformConfig(resolvePlatformConfigMap(configMap), describe));
    });
  }

  /** Mode of services without a mode of their own. Empty if the ConfigMap has no `deploy` key, which KServe treats like Knative. */
  public readonly defaultDeploymentMode: PlatformConfig['defaultDeploymentMode'];
  /** Limits of services without a strategy of their own. Undefined if the platform sets none. */
  public readonly defaultRollout?: PlatformRollout;
  /** The cluster's ConfigMap, or the one that `emit` would write. A plan takes it as `kserveConfig`. */
  public readonly configMap: Manifest;

  private constructor(
    { config, configMap }: ResolvedPlatformConfig,
    /** Props that `emit` merges over its base. */
    private readonly props?: PlatformConfigProps,
  ) {
    this.defaultDeploymentMode = config.defaultDeploymentMode;
    this.defaultRollout = config.defaultRollout;
    this.configMap = configMap;
  }

  /**
   * Writes the ConfigMap `inferenceservice-config` into a chart. Only the app of a platform team should do so,
   * because the ConfigMap belongs to the KServe installation. Its key `deploy` is one string, so an apply replaces everything in it.
   * Pass the cluster's ConfigMap as `base`.
   *
   * Limits are written as percentages in quotes, zero as "0%", and a mode as the two limits that it means: KServe reads nothing else.
   * A fixed number of pods can't be written there and fails the synth.
   *
   * @returns the ConfigMap's ApiObject
   */
  public emit(scope: Construct, options: EmitPlatformConfigOptions = {}): ApiObject {
    const { id = CONFIG_MAP_NAME, base } = locateErrors(() => validateEmitOptions(options));
    const { manifest, findings } = buildPlatformConfigMap(this.props ?? {}, base ?? (this.props ? undefined : this.configMap));
    const object = new ApiObject(scope, id, manifest);
    recordCallSite(object);
    failSynthOnDuplicates(object);
    failSynthOnErrors(object, findings, () => (base ? BASE_PROP_PATHS : []));
    failSynthOnPatchErrors(object, findings, CONFIG_MAP_PATCHABLE);
    return object;
  }
}

/** Prop paths of an emitted ConfigMap: its errors are in the base. */
const BASE_PROP_PATHS: PropPaths = [
  ['data', 'base.data'],
  ['metadata', 'base.metadata'],
];

/** Validates the options of `emit`. */
function validateEmitOptions(input: EmitPlatformConfigOptions): EmitPlatformConfigOptions {
  const options = readPropsOf('platform config', input);
  const misshapen = findStructuralErrors(options, { base: 'optional' });
  const { id = CONFIG_MAP_NAME }: { readonly id?: unknown } = isFields(options) ? options : {};
  if (typeof id !== 'string') misshapen.push(`id is ${describeValue(id)}; write a string`);
  if (misshapen.length > 0) throw new PlatformConfigError(misshapen.map((line) => `platform config: ${line}`).join('\n'));
  return options;
}

/** Returns the level, or throws if it is invalid. */
function requirePlatformConfig(
  level: ResolvedPlatformConfig | InvalidPlatformConfig,
  describe: (finding: Finding) => string,
): ResolvedPlatformConfig {
  if (level.config === null) throw new PlatformConfigError(level.findings.map(describe).join('\n'));
  return level;
}
