import type { IntOrPercent } from '../../core/values/int-or-percent';
import { IntentError } from '../../core/errors/intent-error';
import { getListAt, getValueAt, isFields } from '../../core/manifest/manifest';
import type { Fields, Manifest, ObjectMeta } from '../../core/manifest/manifest';
import type { Provenance } from '../../core/document/provenance';
import { describeValue } from '../../core/text/display-value';
import type { GoalIntent } from '../../workloads/deployment/intent';
import type { FieldPath } from '../../core/manifest/field-path';
import { getServerDrain } from '../../cluster/services/servers';
import { drainTemplate, resolveDrainSeconds } from '../../workloads/drain';
import type { DrainIntent } from '../../workloads/drain';
import { getPresetReserve, LLM_CONTAINER } from './preset-termination';
import { getPresetTermination, llmBehaviourOf } from './versions';
import type { PresetTermination } from './versions';

/** The apiVersion and kind of the generated object. */
export const LLM_INFERENCE_SERVICE = { apiVersion: 'serving.kserve.io/v1alpha1', kind: 'LLMInferenceService' } as const;

/**
 * The limits by which the pods of one workload are replaced, supported after KServe 0.20. A workload on several nodes is replaced in
 * groups.
 */
export interface LlmRollout {
  /** Pods or groups beyond the replicas, rounded up. @default - 25% of pods, 0 groups */
  readonly maxSurge?: IntOrPercent;
  /**
   * Pods or groups that may be unavailable, rounded down. The webhook resolves the value at one replica, so there a percentage below 100%
   * is 0. @default - 25% of pods, 1 group
   */
  readonly maxUnavailable?: IntOrPercent;
}

/** A workload of an LLMInferenceService, with fields as in KServe. */
export interface LlmWorkloadProps {
  /** The number of pods, or of groups if there are workers. @default - the default of KServe: 1 */
  readonly replicas?: number;
  /** The autoscaling configuration, instead of replicas. @default - none */
  readonly scaling?: Fields;
  /** Data, tensor and pipeline parallelism. With workers they determine the size of a group. @default - none */
  readonly parallelism?: Fields;
  /** The pod. @default - from a preset */
  readonly template?: Fields;
  /** The worker pods of a group. With workers, the workload runs on several nodes. @default - none */
  readonly worker?: Fields;
  /** The labels of the pods. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** The annotations of the pods. @default - none */
  readonly annotations?: Readonly<Record<string, string>>;
  /** The limits by which the pods are replaced. Refused up to KServe 0.20, which has no such field. @default - the default of KServe */
  readonly rollout?: LlmRollout | GoalIntent;
  /**
   * How long requests may run while their pod is replaced. Without a command of its own, the workload needs KServe 0.19 or later, whose presets
   * derive the hook and the flag of vLLM from the grace period.
   *
   * @default - the presets of KServe decide
   */
  readonly drain?: DrainIntent;
}

/** The model of an LLMInferenceService. Fields of a later KServe are passed through. */
export interface LlmModel {
  /** The location of the model: `hf://…`, `s3://…`, `pvc://…`, `oci://…`. */
  readonly uri: string;
  /** The name by which requests name the model. @default - the name of the service */
  readonly name?: string;
  readonly [field: string]: unknown;
}

/** Properties of an `LLMInferenceServiceRollout`. */
export interface LLMInferenceServiceRolloutProps extends LlmWorkloadProps {
  /** The metadata. @default - the adapter's id or name as the name */
  readonly metadata?: ObjectMeta;
  /** The version of KServe to write for. `next` is the version after 0.20, which is not released yet. @default 0.17 */
  readonly kserve?: string;
  /** The model, as in KServe. */
  readonly model: LlmModel;
  /** A separate workload for prompts. The main workload then decodes. @default - none */
  readonly prefill?: LlmWorkloadProps;
  /** The route, gateway and scheduler. @default - none */
  readonly router?: Fields;
  /** The presets that the service is based on. @default - KServe's own */
  readonly baseRefs?: readonly {
    /** The name of an LLMInferenceServiceConfig in the namespace of the service or of KServe. */
    readonly name: string;
  }[];
}

/** The version that `next` maps to until it is released. */
const NEXT_VERSION = '0.21';

/** Returns the KServe version that a service is planned for. */
export function resolveLlmVersion({ kserve }: Pick<LLMInferenceServiceRolloutProps, 'kserve'>): string | undefined {
  return kserve === 'next' ? NEXT_VERSION : kserve;
}

function dropUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function buildWorkloadFields({ drain, ...props }: LlmWorkloadProps, prefix: string, version: string): Fields {
  const { rollout, ...written } = props;
  const prop = `${prefix}rollout`;
  const fields = drain === undefined ? written : { ...written, ...drainLlmWorkload(written, drain, prefix, version).fields };
  if (rollout === undefined) return dropUndefined(fields);
  if (!isFields(rollout) || 'mode' in rollout || 'type' in rollout || 'goal' in rollout) {
    throw new IntentError(`${prop} is ${describeValue(rollout)}: write only maxSurge and maxUnavailable, there is no other type`);
  }
  const unknown = Object.keys(rollout).find((field) => field !== 'maxSurge' && field !== 'maxUnavailable');
  if (unknown !== undefined) throw new IntentError(`${prop}.${unknown} is not a limit: write maxSurge and maxUnavailable`);
  if (!llmBehaviourOf(version).hasStrategy) {
    throw new IntentError(
      `${prop} is set, but KServe ${version} has no field for it: a Deployment rolls with maxSurge and maxUnavailable 25%, a LeaderWorkerSet one ` +
        "group at a time, whatever the platform's rollout defaults are; delete it, or write kserve: 'next'",
    );
  }
  return dropUndefined({ ...fields, rolloutStrategy: rollout });
}

/** The pods of a workload with a drain, and the level that decided each field. */
export interface DrainedLlmWorkload {
  readonly fields: { readonly template: Fields; readonly annotations?: LlmWorkloadProps['annotations'] };
  readonly provenance: readonly Provenance[];
}

/**
 * Returns how the pods of the preset end requests.
 *
 * @throws IntentError if they do not finish one of so many seconds
 */
function requirePresetWithDrain(
  container: unknown,
  version: string,
  { seconds, prop, path }: { readonly seconds: number; readonly prop: string; readonly path: string },
): PresetTermination {
  const preset = getPresetTermination(version);
  if (!preset) {
    throw new IntentError(
      `${prop}.longestRequest needs ${seconds} s, but the presets of KServe ${version} start vLLM without --shutdown-timeout, so that it aborts requests: ` +
        "write kserve: '0.19' or later, or the command of container main",
    );
  }
  for (const field of ['args', 'lifecycle'] as const) {
    if (getValueAt(container, field) === undefined) continue;
    throw new IntentError(`${prop} is set, but ${path}.${field} replaces what the preset derives from it: delete one of them`);
  }
  const image = getServerDrain({ image: getValueAt(container, 'image') });
  if (image?.isTooOld) {
    throw new IntentError(
      `${prop}.longestRequest needs ${seconds} s, but ${path}.image has a version of vLLM that aborts requests at SIGTERM: use ` +
        `${image.optionSince} or later`,
    );
  }
  return preset;
}

/**
 * Writes a drain into the pods of a workload. The presets of KServe derive the flag of vLLM from the grace period, so that without a command only
 * the grace period is written.
 *
 * @throws IntentError if the server, or this version of KServe, cannot finish such a request
 */
function drainLlmWorkload(
  { template = {}, labels, annotations, worker }: LlmWorkloadProps,
  drain: DrainIntent,
  prefix: string,
  version: string,
): DrainedLlmWorkload {
  const prop = `${prefix}drain`;
  if (worker !== undefined)
    throw new IntentError(`${prop} is set, but the workload has workers, whose presets end requests with their pods: delete it`);
  const podPath = `${prefix}template` as FieldPath;
  const containers = getListAt(template, 'containers');
  const main = containers.findIndex((container) => getValueAt(container, 'name') === LLM_CONTAINER);
  if (getListAt(containers[main], 'command').length > 0) {
    const pods = { metadata: { labels, annotations }, spec: template };
    const { metadata, spec, provenance } = drainTemplate(pods, drain, { prop, podPath, serving: main });
    const own = metadata && { annotations: metadata.annotations as LlmWorkloadProps['annotations'] };
    return { fields: { template: spec, ...own }, provenance };
  }
  const seconds = resolveDrainSeconds(drain, prop);
  const preset = requirePresetWithDrain(containers[main], version, { seconds, prop, path: `${podPath}.containers[${main}]` });
  const needed = seconds + getPresetReserve(preset.preStopSeconds);
  const { terminationGracePeriodSeconds: written } = template;
  if (typeof written === 'number' && written < needed) {
    throw new IntentError(
      `${prop}.longestRequest needs ${seconds} s, but ${podPath}.terminationGracePeriodSeconds is ${written}: delete it, or set it to at least ${needed}`,
    );
  }
  const terminationGracePeriodSeconds = written ?? needed;
  const reason =
    written === undefined
      ? `drain: the preset derives a hook of ${preset.preStopSeconds} s and --shutdown-timeout ${seconds} from it`
      : `${podPath}.terminationGracePeriodSeconds is set.`;
  const overridden = [{ layer: 'kserve-preset', value: preset.graceSeconds, reason: 'The drain sets it.' }];
  const field = 'terminationGracePeriodSeconds';
  return {
    fields: { template: { ...template, terminationGracePeriodSeconds } },
    provenance: [
      { field, value: terminationGracePeriodSeconds, layer: 'user', reason, overridden: written === undefined ? overridden : [] },
    ],
  };
}

/** Returns the level that decided each field that drains write, by the component in the plan. */
export function listLlmDrains(
  props: LLMInferenceServiceRolloutProps,
  version: string,
): { readonly component: string; readonly provenance: readonly Provenance[] }[] {
  const { drain, prefill } = props;
  return [
    ...(drain ? [{ component: prefill ? 'decode' : 'workload', provenance: drainLlmWorkload(props, drain, '', version).provenance }] : []),
    ...(prefill?.drain
      ? [{ component: 'prefill', provenance: drainLlmWorkload(prefill, prefill.drain, 'prefill.', version).provenance }]
      : []),
  ];
}

/**
 * Builds the LLMInferenceService from its props.
 *
 * @param version - of KServe
 * @throws IntentError if the version has no field for a rollout, or the rollout has a mode or type
 */
export function buildLlmInferenceService(name: string, props: LLMInferenceServiceRolloutProps, version: string): Manifest {
  const { metadata, kserve: _, model, prefill, router, baseRefs, ...workload } = props;
  return {
    ...LLM_INFERENCE_SERVICE,
    metadata: { name, ...metadata },
    spec: dropUndefined({
      model,
      ...buildWorkloadFields(workload, '', version),
      prefill: prefill && buildWorkloadFields(prefill, 'prefill.', version),
      router,
      baseRefs,
    }),
  };
}
