import { getListAt, getValueAt, isFields } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { compareVersions } from '../../core/values/versions';
import type { RequestTermination } from '../../core/document/request-termination';
import { getGraceSeconds, getRequestTermination } from '../../cluster/services/termination';
import type { LlmComponent } from './components';
import { getPresetTermination } from './versions';

/** Name of the container that serves the model. */
export const LLM_CONTAINER = 'main';

/** Most seconds that a preset leaves between the drain and the end of the grace period. Source: config_merge.go, `shutdownTimeout`. */
const MAX_RESERVE_SECONDS = 5;

/**
 * Returns the value of `--shutdown-timeout` that a preset writes: `max(0, grace - preStop - min(5, grace))`.
 *
 * With 60 s and a hook of 15 s: 60 - 15 - 5 = 40. With 20 s: 0, so that every request is aborted.
 * Source: KServe 0.19, pkg/controller/v1alpha2/llmisvc/config_merge.go, `shutdownTimeout`.
 */
export function computePresetDrain(graceSeconds: number, preStopSeconds: number): number {
  return Math.max(0, graceSeconds - preStopSeconds - Math.min(MAX_RESERVE_SECONDS, graceSeconds));
}

/** Seconds to add to a drain for the grace period of a preset: its hook, and its reserve. */
export function getPresetReserve(preStopSeconds: number): number {
  return preStopSeconds + MAX_RESERVE_SECONDS;
}

/** Why a server that a preset starts aborts requests: its grace period leaves no time, or its image is older than the flag. */
export type LlmAbort = { readonly graceSeconds: number; readonly preStopSeconds: number } | 'old-image';

/** What decides how the requests of a component end. */
export interface LlmTermination {
  /** The pod with the grace period and the hook of the preset. */
  readonly podSpec: Fields;
  /** Whether the preset starts the server, or others that are not in the object may. */
  readonly controlsTermination: boolean;
  /** How long a request lives, if a preset decides it and nothing overrides the preset. */
  readonly termination?: RequestTermination;
  /** Why the server aborts requests although a preset starts it. @default - it does not */
  readonly abort?: LlmAbort;
}

/** The image of vLLM with its version in the tag. */
const VLLM_IMAGE = /^(?:docker\.io\/)?vllm\/vllm-openai:v?(\d+\.\d+\.\d+)(?:@.*)?$/;

/** The version of vLLM that added `--shutdown-timeout`. The preset writes the flag only for it and later ones. */
export const FLAG_SINCE = '0.18.0';

/** Reports whether the vLLM of an image knows the flag of the preset; undefined if the image does not show its version. The preset names one that does. */
function knowsFlag(main: unknown): boolean | undefined {
  const image = getValueAt(main, 'image');
  if (image === undefined) return true;
  const version = typeof image === 'string' ? VLLM_IMAGE.exec(image)?.[1] : undefined;
  return version === undefined ? undefined : compareVersions(version, FLAG_SINCE) >= 0;
}

function findMain({ template }: LlmComponent): unknown {
  return getListAt(template, 'containers').find((container) => getValueAt(container, 'name') === LLM_CONTAINER);
}

function hasFlagInVariables(container: unknown): boolean {
  return getListAt(container, 'env').some((entry) => /shutdown[-_]timeout/.test(JSON.stringify(getValueAt(entry, 'value') ?? '')));
}

/**
 * Resolves how the requests of a component end when a pod is deleted. From 0.19 on, the presets of KServe set the grace period, a preStop hook and,
 * if the version of vLLM knows it, the flag that follows from both. Other configurations of `baseRefs` may change all of it.
 */
export function resolveLlmTermination(component: LlmComponent, object: Manifest, kserveVersion: string): LlmTermination {
  const { template, name } = component;
  const preset = getPresetTermination(kserveVersion);
  const isOpen = name === 'scheduler' || getListAt(object, 'spec', 'baseRefs').length > 0 || !preset;
  const main = findMain(component);
  const isStartedByPreset = getListAt(main, 'command').length === 0;
  if (isOpen) return { podSpec: template, controlsTermination: preset !== undefined || isStartedByPreset };
  const { graceSeconds, preStopSeconds } = preset;
  const lifecycle = { preStop: { sleep: { seconds: preStopSeconds } } };
  const withHook = (container: unknown) =>
    isFields(container) && container.name === LLM_CONTAINER && container.lifecycle === undefined ? { ...container, lifecycle } : container;
  const podSpec: Fields = {
    terminationGracePeriodSeconds: graceSeconds,
    ...template,
    ...(main !== undefined && { containers: getListAt(template, 'containers').map(withHook) }),
  };
  if (!isStartedByPreset) return { podSpec, controlsTermination: false };
  const isOverridden = getListAt(main, 'args').length > 0 || getListAt(main, 'envFrom').length > 0 || hasFlagInVariables(main);
  if (isOverridden || getValueAt(main, 'lifecycle') !== undefined) return { podSpec, controlsTermination: true };
  const isFlagKnown = knowsFlag(main);
  if (isFlagKnown === undefined) return { podSpec, controlsTermination: true };
  const drainSeconds = isFlagKnown ? computePresetDrain(getGraceSeconds(podSpec), preStopSeconds) : 0;
  const server = { name: LLM_CONTAINER, lifecycle, command: ['vllm', 'serve'], args: ['--shutdown-timeout', String(drainSeconds)] };
  // Presets add no other container, and one that the user adds may end requests first.
  const others = getListAt(template, 'containers').filter((container) => container !== main);
  const metadata = { labels: component.spec.labels, annotations: component.spec.annotations };
  const termination = getRequestTermination({ metadata, spec: { ...podSpec, containers: [server, ...others] } });
  const reason: LlmAbort = isFlagKnown ? { graceSeconds: getGraceSeconds(podSpec), preStopSeconds } : 'old-image';
  const abort = drainSeconds === 0 && termination !== undefined ? { abort: reason } : {};
  return { podSpec, controlsTermination: true, ...(termination && { termination }), ...abort };
}
