import { inputFinding } from '../../core/catalogue';
import type { Finding } from '../../core/finding';
import { isFields, valueAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { describeValue } from '../../core/shape';
import { DEFAULT_VERSIONS, valueSince } from '../../core/versions';
import { kserveFinding } from './catalogue';
import { decodeStruct, JsonSyntaxError, parseJson } from './go-json';
import type { GoStruct, GoTypeError, JsonValue } from './go-json';
import { normalisedMode } from './mode';
import { platformFindings } from './platform-rules';
import type { DeploymentMode, PlatformConfig, PlatformReading } from './types';

/** Name of the ConfigMap that holds KServe's platform level. */
export const CONFIG_MAP_NAME = 'inferenceservice-config';
/** The namespace that KServe is installed in. */
export const KSERVE_NAMESPACE = 'kserve';
/** Where the platform level stands in the ConfigMap. */
export const DEPLOY_PATH = 'data[deploy]';

/** What is taken where no platform level is in view; `kserve/no-platform-config` says so. */
export const ASSUMED_PLATFORM: PlatformConfig = { defaultDeploymentMode: 'Standard' };

const ROLLOUT_PATH = ['deploymentRolloutStrategy', 'defaultRollout'] as const;

/** Where the rollout defaults stand, in the ConfigMap or, with path "", in the JSON of its `deploy` key. */
export function defaultRolloutPath(deployPath: string): string {
  return joined(deployPath, ...ROLLOUT_PATH);
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('.');
}

/** No version has `mode`; it is read along to be able to say so. */
const ROLLOUT_SPEC: GoStruct = { name: 'RolloutSpec', fields: { maxSurge: 'string', maxUnavailable: 'string', mode: 'anything' } };

/** What `defaultDeploymentMode` stands in, by KServe version: the rollout came with 0.16 (kserve/kserve#4623). */
const DEPLOY_CONFIG: readonly (readonly [since: string, struct: GoStruct])[] = [
  ['0', { name: 'DeployConfig', fields: { defaultDeploymentMode: 'string' } }],
  [
    '0.16',
    {
      name: 'DeployConfig',
      fields: {
        defaultDeploymentMode: 'string',
        deploymentRolloutStrategy: { name: 'DeploymentRolloutStrategy', fields: { defaultRollout: ROLLOUT_SPEC } },
      },
    },
  ],
];

/**
 * The platform level as KServe reads it, from the ConfigMap `inferenceservice-config` or from the JSON of its `deploy` key.
 *
 * What KServe's parser refuses gives no config, and a finding with the reason. What it takes, though it does nothing or is refused later,
 * is a finding beside the config. A ConfigMap without the key gives default mode "", as in KServe.
 *
 * Source: KServe 0.16 to 0.20, pkg/apis/serving/v1beta1/configmap.go, `NewDeployConfig`.
 *
 * @param version of KServe; before 0.16 the rollout defaults are not read
 */
export function readPlatformConfig(config: Fields, version: string = DEFAULT_VERSIONS.kserve): PlatformReading {
  if (!isConfigMap(config)) return readDeploy(JSON.stringify(config), '', version);
  const { data } = config;
  if (data !== undefined && data !== null && !isFields(data)) return wrongType('data', 'a map of strings', data);
  const deploy = valueAt(data, 'deploy');
  if (deploy === undefined || deploy === null) return { config: { defaultDeploymentMode: '' }, findings: [] };
  return typeof deploy === 'string' ? readDeploy(deploy, DEPLOY_PATH, version) : wrongType(DEPLOY_PATH, 'text', deploy);
}

/** Is this the ConfigMap, and not the JSON of its `deploy` key? */
export function isConfigMap(config: Fields): boolean {
  return config.kind === 'ConfigMap' || 'data' in config;
}

/** Is this what KServe's platform level is read from: the ConfigMap, by its name or by its `deploy` key, or the JSON of that key? */
export function isPlatformConfig(config: Fields): boolean {
  if (config.kind !== undefined && config.kind !== 'ConfigMap') return false;
  return !isConfigMap(config) || valueAt(config, 'metadata', 'name') === CONFIG_MAP_NAME || valueAt(config, 'data', 'deploy') !== undefined;
}

function readDeploy(text: string, path: string, version: string): PlatformReading {
  let json: JsonValue;
  try {
    json = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const help = 'Repair the JSON. It takes no comments and no comma behind the last entry.';
    return refused(path, `unable to parse deploy config json: ${error.message}`, help);
  }
  if (json === null) return refused(path, 'the JSON is null, and its parser crashes on that (nil pointer dereference)', MODE_HELP);
  const { value, errors } = decodeStruct(json, valueSince(DEPLOY_CONFIG, version));
  if (errors.length > 0) return { config: null, findings: errors.map((error) => typeErrorFinding(error, path)) };
  const mode = readMode(value.defaultDeploymentMode, joined(path, 'defaultDeploymentMode'));
  if (typeof mode !== 'string') return mode;
  const config = configOf(mode, value);
  const notRead = isRolloutUnread(json, version) ? [unreadRollout(path)] : [];
  return { config, findings: [...notRead, ...platformFindings(config, defaultRolloutPath(path))] };
}

function configOf(mode: DeploymentMode, value: Fields): PlatformConfig {
  const defaultRollout = valueAt(value, ...ROLLOUT_PATH);
  return isFields(defaultRollout) ? { defaultDeploymentMode: mode, defaultRollout } : { defaultDeploymentMode: mode };
}

const MODE_HELP = 'Write "defaultDeploymentMode": "Standard", or "Knative", or "ModelMesh".';

function readMode(word: unknown, path: string): DeploymentMode | PlatformReading {
  if (!word) return refused(path, 'invalid deploy config, defaultDeploymentMode is required', MODE_HELP);
  const mode = normalisedMode(word);
  if (mode !== undefined) return mode;
  const reason = 'invalid deployment mode. Supported modes are Knative, Standard and ModelMesh';
  return refused(path, `${reason}; defaultDeploymentMode is ${describeValue(word)}`, MODE_HELP);
}

/** What follows for the cluster when the parser fails, whatever the reason. */
const BLOCKED = 'KServe cannot read its configuration and refuses every InferenceService of the cluster';

function refused(path: string, reason: string, help: string): PlatformReading {
  return { config: null, findings: [kserveFinding('kserve/invalid-config', { path, message: `${BLOCKED}: ${reason}.`, help })] };
}

function typeErrorFinding({ path, value, reason }: GoTypeError, deployPath: string): Finding {
  const detail = { path: joined(deployPath, ...path), message: `${BLOCKED}: unable to parse deploy config json: ${reason}.` };
  const field = path.at(-1);
  if (field !== undefined && field in ROLLOUT_SPEC.fields && typeof value === 'number') {
    const percentage = value === 0 ? '"0%"' : '"25%"';
    const help = `${field} is ${value}: write a percentage in quotes, such as ${percentage}. No fixed number of pods can be written here.`;
    return kserveFinding('kserve/config-bare-number', { ...detail, help });
  }
  const wanted = field === undefined || (path.length < 3 && field !== 'defaultDeploymentMode') ? 'an object' : 'text in quotes';
  const help = `${field ?? 'The value'} is ${describeValue(value)}: write ${wanted}.`;
  return kserveFinding('kserve/invalid-config', { ...detail, help });
}

function wrongType(path: string, expected: string, seen: unknown): PlatformReading {
  const finding = inputFinding('input/wrong-type', {
    path,
    message: `${path} is ${describeValue(seen)}, but a ConfigMap wants ${expected} here and the API server refuses it.`,
    help: path === DEPLOY_PATH ? 'Write the JSON as text: begin with `deploy: |-`.' : `Write ${expected}.`,
  });
  return { config: null, findings: [finding] };
}

/** Does the JSON have rollout defaults that this version does not know? */
function isRolloutUnread(json: JsonValue, version: string): boolean {
  const newest = DEPLOY_CONFIG.at(-1)![1];
  const isRead = valueSince(DEPLOY_CONFIG, version) === newest;
  return !isRead && ROLLOUT_PATH[0] in decodeStruct(json, newest).value;
}

function unreadRollout(path: string): Finding {
  return inputFinding('input/unknown-field', {
    path: joined(path, ROLLOUT_PATH[0]),
    message: 'KServe before 0.16 knows no deploymentRolloutStrategy and drops it: services without a strategy of their own get 25%/25%.',
    help: 'Upgrade to KServe 0.16 or later, or give each service a deploymentStrategy.',
  });
}
