import { toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest, ObjectMeta } from '../../core/manifest/manifest';
import { toDisplayValue } from '../../core/text/display-value';
import { parseLimitedJson } from '../../core/values/levels';
import { normalizeMode } from './mode';
import { CONFIG_MAP_NAME, DEPLOY_PATH, buildDefaultRolloutPath, KSERVE_NAMESPACE, readPlatformConfig } from './platform-config';
import { computeDocumentedLimits, checkPlatformLimits, pickQuotedLimits, pickUnquotedLimits, getConfiguredLimits } from './platform-limits';
import { invalidConfig, checkRolloutMode } from './rules/invalid-config';
import type { PlatformConfigProps, PlatformConfigResult, PlatformRolloutProps } from './types';

/**
 * Parses a platform level given as props, and reports what is wrong with it: unknown modes, and limits that the API server refuses.
 *
 * Fixed numbers of pods are valid here, because the constructs write them into each service. They cannot be written into a ConfigMap.
 */
export function parsePlatformProps({ defaultDeploymentMode = 'Standard', defaultRollout }: PlatformConfigProps): PlatformConfigResult {
  const mode = normalizeMode(defaultDeploymentMode);
  if (mode === undefined) {
    const data = { value: toDisplayValue(defaultDeploymentMode) };
    return { config: null, findings: [invalidConfig.createFinding('unknownProp', { path: toFieldPath`defaultDeploymentMode`, data })] };
  }
  if (defaultRollout === undefined) return { config: { defaultDeploymentMode: mode }, findings: [] };
  return { config: { defaultDeploymentMode: mode, defaultRollout }, findings: checkDefaultRollout(defaultRollout) };
}

function checkDefaultRollout(rollout: PlatformRolloutProps): Finding[] {
  const unknownMode = checkRolloutMode(rollout, toFieldPath`defaultRollout.mode`);
  if (unknownMode.length > 0) return unknownMode;
  // The documented limits treat a quoted number as that number, so it is reported first.
  const quoted = pickQuotedLimits(getConfiguredLimits(rollout));
  const limits = Object.keys(quoted).length > 0 ? quoted : computeDocumentedLimits(rollout);
  return checkPlatformLimits(limits, toFieldPath`defaultRollout`);
}

/** A ConfigMap to apply, and the findings about it. */
export interface PlatformManifest {
  readonly manifest: Manifest;
  /** The findings. If one is an error, the ConfigMap must not be applied. */
  readonly findings: readonly Finding[];
}

/**
 * Builds the ConfigMap `inferenceservice-config` with these props merged over `base`. The result is the entire object, because applying
 * only a part would remove the rest.
 *
 * It uses the only format that KServe parses: percentages in quotes, 0 as "0%", a mode as the two values that it means. A fixed number of
 * pods cannot be expressed and is an error. Omitted props keep the base unchanged. Metadata written by the API server is dropped.
 *
 * @param base - the cluster's own ConfigMap; without it, a new one in namespace kserve with only the `deploy` key
 * @param version - of KServe
 */
export function buildPlatformConfigMap(props: PlatformConfigProps, base?: Manifest, version?: string): PlatformManifest {
  const inputFindings = [...parsePlatformProps(props).findings, ...(base ? checkReadable(base, version) : [])];
  const deploy = inputFindings.length > 0 ? {} : mergeDeploy(props, base);
  const manifest: Manifest = {
    ...base,
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: stripServerMetadata(base?.metadata ?? { name: CONFIG_MAP_NAME, namespace: KSERVE_NAMESPACE }),
    data: { ...(base?.data as Fields | undefined), deploy: JSON.stringify(deploy, null, 2) },
  };
  if (inputFindings.length > 0) return { manifest, findings: inputFindings };
  const { config, findings } = readPlatformConfig(manifest, version);
  // Quoted numbers were already reported when the config was read.
  const limits = pickUnquotedLimits(getConfiguredLimits(config?.defaultRollout));
  return { manifest, findings: [...findings, ...checkPlatformLimits(limits, buildDefaultRolloutPath(DEPLOY_PATH))] };
}

/** Metadata that the API server writes. An apply with a resourceVersion fails once the object in the cluster has changed. */
const SERVER_METADATA: readonly string[] = ['creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'selfLink', 'uid'];
const LAST_APPLIED_ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns the metadata of an object from a cluster without the fields that must not be applied. */
function stripServerMetadata(metadata: ObjectMeta): ObjectMeta {
  const stripped = Object.fromEntries(Object.entries(metadata).filter(([field]) => !SERVER_METADATA.includes(field)));
  if (!metadata.annotations) return stripped;
  const annotations = Object.fromEntries(Object.entries(metadata.annotations).filter(([name]) => name !== LAST_APPLIED_ANNOTATION));
  return { ...stripped, annotations };
}

/** Reports why a base cannot be merged: KServe cannot read it either. */
function checkReadable(base: Manifest, version?: string): readonly Finding[] {
  const { config, findings } = readPlatformConfig(base, version);
  return config === null ? findings : [];
}

function mergeDeploy({ defaultDeploymentMode, defaultRollout }: PlatformConfigProps, base?: Manifest): Fields {
  const text = getValueAt(base, 'data', 'deploy');
  const deploy = (typeof text === 'string' ? parseLimitedJson(text) : {}) as Fields;
  const mode = defaultDeploymentMode ?? deploy.defaultDeploymentMode ?? 'Standard';
  if (defaultRollout === undefined) return { ...deploy, defaultDeploymentMode: mode };
  const strategy = deploy.deploymentRolloutStrategy as Fields | undefined;
  const { mode: writtenMode, ...limits } = (strategy?.defaultRollout ?? {}) as Fields;
  const rollout = {
    ...(writtenMode !== undefined && defaultRollout.mode === undefined && { mode: writtenMode }),
    ...limits,
    ...formatLimits(defaultRollout),
  };
  return { ...deploy, defaultDeploymentMode: mode, deploymentRolloutStrategy: { ...strategy, defaultRollout: rollout } };
}

/** Formats the limits for KServe. A fixed number stays unchanged, so the parser's own error reports it. */
function formatLimits(rollout: PlatformRolloutProps): Fields {
  return Object.fromEntries(Object.entries(computeDocumentedLimits(rollout)).map(([limit, value]) => [limit, value === 0 ? '0%' : value]));
}
