import { toFieldPath, appendToPath, ROOT_PATH } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt, isFields, getValueAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { DEFAULT_VERSIONS } from '../../core/values/versions';
import { buildTypeFinding } from '../../cluster/rules/type-errors';
import { checkPlatformConfig } from './checks';
import { decodeStruct, JsonSyntaxError, parseJson } from './go-json';
import type { GoStruct, GoTypeError, JsonValue } from './go-json';
import { normalizeMode } from './mode';
import { checkConfigBareNumber } from './rules/config-bare-number';
import { checkDefaultMode, invalidConfig, reportGoTypeError } from './rules/invalid-config';
import { reportUnreadRollout } from './rules/unknown-field';
import { reportNonTextEntry } from './rules/wrong-type';
import type { DeploymentMode, PlatformConfig, PlatformConfigResult } from './types';
import { kserveBehaviourOf } from './versions';

/** The name of the ConfigMap with KServe's platform level. */
export const CONFIG_MAP_NAME = 'inferenceservice-config';
/** The namespace that KServe is installed in. */
export const KSERVE_NAMESPACE = 'kserve';
/** The path of the platform level in the ConfigMap. */
export const DEPLOY_PATH = toFieldPath`data[deploy]`;

/** The platform level that is assumed for services in mode Standard if none is in the input: no rollout defaults. */
export const ASSUMED_PLATFORM: PlatformConfig = { defaultDeploymentMode: 'Standard' };

/** The default mode of a cluster with an unmodified ConfigMap. Source: KServe 0.15 to 0.20, config/configmap/inferenceservice.yaml. */
export const KSERVE_DEFAULT_MODE: DeploymentMode = 'Knative';

const ROLLOUT_PATH = ['deploymentRolloutStrategy', 'defaultRollout'] as const;

/** Returns the path of the rollout defaults in the ConfigMap or, with an empty path, in the JSON of its `deploy` key. */
export function buildDefaultRolloutPath(deployPath: FieldPath): FieldPath {
  return appendToPath(deployPath, ...ROLLOUT_PATH);
}

/** The struct also reads `mode`, which no version has, so that it can be reported. */
const ROLLOUT_SPEC: GoStruct = { name: 'RolloutSpec', fields: { maxSurge: 'string', maxUnavailable: 'string', mode: 'anything' } };

/** The struct with `defaultDeploymentMode` from before there were rollout defaults. */
const DEPLOY_CONFIG: GoStruct = { name: 'DeployConfig', fields: { defaultDeploymentMode: 'string' } };

const ROLLOUT_DEPLOY_CONFIG: GoStruct = {
  name: 'DeployConfig',
  fields: {
    ...DEPLOY_CONFIG.fields,
    deploymentRolloutStrategy: { name: 'DeploymentRolloutStrategy', fields: { defaultRollout: ROLLOUT_SPEC } },
  },
};

/**
 * Reads the platform level like KServe, from the ConfigMap `inferenceservice-config` or from the JSON of its `deploy` key.
 *
 * If KServe's parser refuses the input, the result has no config and a finding with the reason. Input that the parser accepts but that has
 * no effect or is refused later is reported in addition to the config. A ConfigMap without the key gives default mode "", like in KServe.
 *
 * Source: KServe 0.16 to 0.20, pkg/apis/serving/v1beta1/configmap.go, `NewDeployConfig`.
 *
 * @param version - of KServe; before 0.16 the rollout defaults are not read
 */
export function readPlatformConfig(config: Fields, version: string = DEFAULT_VERSIONS.kserve): PlatformConfigResult {
  if (!isConfigMap(config)) return readDeploy(JSON.stringify(config), ROOT_PATH, version);
  const { data } = config;
  if (data !== undefined && data !== null && !isFields(data)) {
    return rejectConfig(buildTypeFinding({ kind: 'wrong-type', path: toFieldPath`data`, value: data, expected: 'string-map' }));
  }
  const deploy = getValueAt(data, 'deploy');
  if (deploy === undefined || deploy === null) return { config: { defaultDeploymentMode: '' }, findings: [] };
  if (typeof deploy === 'string') return readDeploy(deploy, DEPLOY_PATH, version);
  return rejectConfig(reportNonTextEntry(DEPLOY_PATH, 'deploy', deploy));
}

function rejectConfig(...findings: readonly Finding[]): PlatformConfigResult {
  return { config: null, findings };
}

/** Reports whether the config is the ConfigMap, and not the JSON of its `deploy` key. */
export function isConfigMap(config: Fields): boolean {
  return config.kind === 'ConfigMap' || 'data' in config;
}

/**
 * Reports whether KServe's platform level can be read from the object: the ConfigMap, by its name or `deploy` key, or the JSON of that key.
 */
export function isPlatformConfig(config: Fields): boolean {
  if (config.kind !== undefined && config.kind !== 'ConfigMap') return false;
  return (
    !isConfigMap(config) || getValueAt(config, 'metadata', 'name') === CONFIG_MAP_NAME || getValueAt(config, 'data', 'deploy') !== undefined
  );
}

function readDeploy(text: string, path: FieldPath, version: string): PlatformConfigResult {
  let json: JsonValue;
  try {
    json = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return rejectConfig(invalidConfig.createFinding('syntax', { path, data: { error: error.message } }));
  }
  if (json === null) return rejectConfig(invalidConfig.createFinding('jsonNull', { path, data: {} }));
  const { readsRolloutDefaults } = kserveBehaviourOf(version);
  const { value, errors } = decodeStruct(json, readsRolloutDefaults ? ROLLOUT_DEPLOY_CONFIG : DEPLOY_CONFIG);
  if (errors.length > 0) {
    const limits = {
      ...getFieldsAt(value, ...ROLLOUT_PATH),
      ...Object.fromEntries(errors.map((error) => [error.path.at(-1), error.value])),
    };
    return rejectConfig(...errors.flatMap((error) => checkTypeError(error, path, limits)));
  }
  const modeName = value.defaultDeploymentMode;
  const mode = normalizeMode(modeName);
  if (mode === undefined) return rejectConfig(...checkDefaultMode(modeName, appendToPath(path, 'defaultDeploymentMode')));
  const defaultRollout = getValueAt(value, ...ROLLOUT_PATH);
  const config = { defaultDeploymentMode: mode, ...(isFields(defaultRollout) && { defaultRollout }) };
  const unreadFindings = readsRolloutDefaults ? [] : checkUnreadRollout(json, path);
  return { config, findings: [...unreadFindings, ...checkPlatformConfig(config, buildDefaultRolloutPath(path))] };
}

function checkTypeError(error: GoTypeError, deployPath: FieldPath, limits: Fields): Finding[] {
  const path = appendToPath(deployPath, ...error.path);
  const numberFindings = checkConfigBareNumber(error, path, limits);
  return numberFindings.length > 0 ? numberFindings : [reportGoTypeError(error, path)];
}

/** Reports rollout defaults in the JSON for a version that does not support them. */
function checkUnreadRollout(json: JsonValue, path: FieldPath): Finding[] {
  const [field] = ROLLOUT_PATH;
  return field in decodeStruct(json, ROLLOUT_DEPLOY_CONFIG).value ? [reportUnreadRollout(path, field)] : [];
}
