import { toFieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { getValueAt } from '../../core/manifest';
import type { Fields, Manifest, ObjectMeta } from '../../core/manifest';
import { toDisplayValue } from '../../core/display-value';
import { normalizeMode } from './mode';
import { CONFIG_MAP_NAME, DEPLOY_PATH, buildDefaultRolloutPath, KSERVE_NAMESPACE, readPlatformConfig } from './platform-config';
import { computeDocumentedLimits, checkPlatformLimits, pickQuotedLimits, pickUnquotedLimits, getConfiguredLimits } from './platform-limits';
import { invalidConfig, checkRolloutMode } from './rules/invalid-config';
import type { PlatformConfigProps, PlatformConfigResult, PlatformRolloutProps } from './types';

/**
 * The platform level given as props, with what is wrong in them: words that are no mode, limits that the API server refuses.
 *
 * Fixed numbers of pods are fine here, for the constructs write them into each service; into a ConfigMap they cannot go.
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
  // The documented limits take a number in quotes for that number, so it is told of before.
  const quoted = pickQuotedLimits(getConfiguredLimits(rollout));
  const limits = Object.keys(quoted).length > 0 ? quoted : computeDocumentedLimits(rollout);
  return checkPlatformLimits(limits, toFieldPath`defaultRollout`);
}

/** A ConfigMap to apply, and what is wrong with it. */
export interface PlatformManifest {
  readonly manifest: Manifest;
  /** An error among them means that it must not be applied. */
  readonly findings: readonly Finding[];
}

/**
 * The ConfigMap `inferenceservice-config` with these props merged over `base`: the whole object, for a part of it would remove the rest.
 *
 * Written in the only spelling that KServe parses: percentages in quotes, 0 as "0%", a mode as the two values that it means.
 * A fixed number of pods has no spelling there and is an error. Props that are left out leave the base as it is;
 * what the API server wrote into its metadata is left out.
 *
 * @param base the cluster's own ConfigMap; without it a new one in namespace kserve is made, with nothing but the `deploy` key
 * @param version of KServe
 */
export function buildPlatformConfigMap(props: PlatformConfigProps, base?: Manifest, version?: string): PlatformManifest {
  const unusable = [...parsePlatformProps(props).findings, ...(base ? checkReadable(base, version) : [])];
  const deploy = unusable.length > 0 ? {} : mergeDeploy(props, base);
  const manifest: Manifest = {
    ...base,
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: stripServerMetadata(base?.metadata ?? { name: CONFIG_MAP_NAME, namespace: KSERVE_NAMESPACE }),
    data: { ...(base?.data as Fields | undefined), deploy: JSON.stringify(deploy, null, 2) },
  };
  if (unusable.length > 0) return { manifest, findings: unusable };
  const { config, findings } = readPlatformConfig(manifest, version);
  // Numbers in quotes are findings of the reading already.
  const limits = pickUnquotedLimits(getConfiguredLimits(config?.defaultRollout));
  return { manifest, findings: [...findings, ...checkPlatformLimits(limits, buildDefaultRolloutPath(DEPLOY_PATH))] };
}

/** Metadata that the API server writes; an apply that carries a resourceVersion fails as soon as the cluster's has moved on. */
const SERVER_METADATA: readonly string[] = ['creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'selfLink', 'uid'];
const LAST_APPLIED_ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/** The metadata of an object read from a cluster, as far as one applies it. */
function stripServerMetadata(metadata: ObjectMeta): ObjectMeta {
  const stripped = Object.fromEntries(Object.entries(metadata).filter(([field]) => !SERVER_METADATA.includes(field)));
  if (!metadata.annotations) return stripped;
  const annotations = Object.fromEntries(Object.entries(metadata.annotations).filter(([name]) => name !== LAST_APPLIED_ANNOTATION));
  return { ...stripped, annotations };
}

/** Why a base cannot be merged into: KServe cannot read it either. */
function checkReadable(base: Manifest, version?: string): readonly Finding[] {
  const { config, findings } = readPlatformConfig(base, version);
  return config === null ? findings : [];
}

function mergeDeploy({ defaultDeploymentMode, defaultRollout }: PlatformConfigProps, base?: Manifest): Fields {
  const text = getValueAt(base, 'data', 'deploy');
  const deploy = (typeof text === 'string' ? JSON.parse(text) : {}) as Fields;
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

/** The limits in KServe's spelling; a fixed number stays as it is, for the parser's own error says what is wrong with it. */
function formatLimits(rollout: PlatformRolloutProps): Fields {
  return Object.fromEntries(Object.entries(computeDocumentedLimits(rollout)).map(([limit, value]) => [limit, value === 0 ? '0%' : value]));
}
