import { memoizePerPlan } from '../../cluster/context/context';
import type { ChangedObject } from '../../cluster/context/context';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { getFieldsAt, getValueAt, groupOf, isFields, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { parseLimitedJson } from '../../core/values/levels';
import { CONFIG_MAP_NAME } from './platform-config';
import { readPodConfig } from './pod-config';

const GROUP = 'serving.kserve.io';

function isLlmService(object: Manifest): boolean {
  return object.kind === 'LLMInferenceService' && groupOf(object) === GROUP;
}

function parse(text: unknown): unknown {
  try {
    return typeof text === 'string' ? parseLimitedJson(text) : text;
  } catch {
    return text;
  }
}

/** Keys of the ConfigMap from which KServe builds the Deployments of LLMInferenceServices. */
const LLM_KEYS: readonly string[] = ['storageInitializer', 'credentials', 'autoscaling-wva-controller-config'];

/** Returns the settings that KServe copies into the pods of LLMInferenceServices. It keeps the image of a storage initializer. */
function llmSettingsOf(config: Manifest | undefined): unknown {
  return (
    config &&
    LLM_KEYS.map((key) => {
      const value = parse(getValueAt(config, 'data', key));
      return key === 'storageInitializer' && isFields(value) ? { ...value, image: undefined } : value;
    })
  );
}

function podSettingsOf(config: Manifest | undefined): unknown {
  const settings = config && readPodConfig({ ...config });
  return settings && [[...settings.disallowedAnnotations], [...settings.disallowedLabels], settings.artImage];
}

/** Annotations of a Secret that say where its storage is. */
function storageAnnotationsOf(secret: Manifest): unknown[] {
  return Object.entries(getFieldsAt(secret, 'metadata', 'annotations')).filter(([key]) => key.startsWith(`${GROUP}/`));
}

/** Returns what KServe copies from an object to the pods of an LLMInferenceService of its namespace, as credentials. */
function credentialsOf(object: Manifest | undefined): unknown {
  if (!object || groupOf(object) !== '') return undefined;
  const { kind } = object;
  if (kind === 'ServiceAccount') return [object.secrets, storageAnnotationsOf(object)];
  return kind === 'Secret' ? storageAnnotationsOf(object) : undefined;
}

/** Reports whether the scheduler of an LLMInferenceService gets the text of a ConfigMap as an argument. */
function isSchedulerConfig(config: Manifest, service: Manifest): boolean {
  return getValueAt(service, 'spec', 'router', 'scheduler', 'config', 'ref', 'name') === nameOf(config);
}

const llmServicesOf = memoizePerPlan((context): readonly Manifest[] => context.objects.filter(isLlmService));

const hasInferenceServices = memoizePerPlan((context) => context.objects.some(isInferenceService));

function isInferenceService(object: Manifest): boolean {
  return object.kind === 'InferenceService' && groupOf(object) === GROUP;
}

/**
 * Reports whether KServe may replace pods that the plan does not count, because its ConfigMap, or the credentials of a storage, change. It
 * writes both into the Deployments of LLMInferenceServices, and the ConfigMap decides about InferenceServices that are not in view.
 *
 * Source: KServe 0.20, llmisvc/config_loader.go, `toConfig`, and workload_storage.go; pkg/credentials, `CreateSecretVolumeAndEnv`.
 */
export function mayReplacePodsOfServices({ old, next }: ChangedObject): boolean {
  const { object } = (old ?? next)!;
  const isInNamespace = (one: Manifest) => namespaceOf(one) === namespaceOf(object);
  const sides = [old, next].filter((side) => side !== undefined);
  const hasLlmService = (matches: (service: Manifest) => boolean) => sides.some(({ context }) => llmServicesOf(context).some(matches));
  const differs = (read: (side: Manifest | undefined) => unknown) => !isDeepEqual(read(old?.object), read(next?.object));
  const isConfigMap = object.kind === 'ConfigMap' && groupOf(object) === '';
  if (isConfigMap && nameOf(object) === CONFIG_MAP_NAME) {
    const hasServices = sides.some(({ context }) => hasInferenceServices(context));
    if (!hasServices && differs(podSettingsOf)) return true;
    return differs(llmSettingsOf) && (!hasServices || hasLlmService(() => true));
  }
  if (!old) return false;
  const isOfScheduler = isConfigMap && differs((side) => side?.data);
  if (isOfScheduler && hasLlmService((one) => isInNamespace(one) && isSchedulerConfig(object, one))) return true;
  return next !== undefined && differs(credentialsOf) && hasLlmService(isInNamespace);
}
