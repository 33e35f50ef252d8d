import { appendToPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { getGraceSeconds, listTerminatingServers } from '../../services/termination';
import type { LocatedTemplate } from '../../rollout/located-template';
import { renderServer } from './examples';

interface AbortData {
  /** Name of the server: `vLLM`. */
  readonly server: string;
  /** Flag with which it waits. @default - it has none */
  readonly option?: string;
  /** Version that added the flag. @default - all known versions have it */
  readonly optionSince?: string;
  /** Service that sends requests to the pods. */
  readonly service: string;
}

/** Seconds that a preset of KServe keeps between the drain and the end of the grace period. */
const PRESET_RESERVE_SECONDS = 5;

interface PresetData {
  /** Grace period of the pods. */
  readonly graceSeconds: number;
  /** Seconds of the preStop hook of the preset. */
  readonly preStopSeconds: number;
}

/** Reports servers that abort running requests at SIGTERM. */
export const requestsAborted = defineRule({
  code: 'kubernetes/requests-aborted',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A Service sends requests to a server that aborts running requests at SIGTERM.',
  why:
    'vLLM ends at SIGTERM by default and aborts every request that runs, in all versions. From 0.18.0 on it waits if `--shutdown-timeout` is set. ' +
    'Each replaced pod then costs its running requests, which take minutes for long generations. ' +
    'The presets of KServe 0.19 and later derive the flag from the grace period, and a short one leaves 0. ' +
    'The rule is silent if the manifest does not show the server or its flags. Source: vLLM pull requests 34730 and 36666.',
  fix: 'Set `--shutdown-timeout` (vLLM 0.18.0 or later) to the seconds of the longest request, below the grace period less the preStop hook.',
  example: renderServer(`image: vllm/vllm-openai:v0.18.0
          args: [--model, m]`),
  fixedExample: renderServer(
    `image: vllm/vllm-openai:v0.18.0
          args: [--model, m, --shutdown-timeout, "600"]
          lifecycle: { preStop: { sleep: { seconds: 15 } } }`,
    620,
  ),
  messages: {
    aborts: defineMessage<AbortData>({
      text: ({ server, service }) =>
        `${server} aborts running requests at SIGTERM: each replaced pod cuts the requests that Service "${service}" sent to it.`,
      help: ({ server, option, optionSince }) =>
        option === undefined
          ? 'Unset the variable that forces the shutdown.'
          : `Set ${option}${optionSince === undefined ? '' : ` (${server} ${optionSince} or later)`} below terminationGracePeriodSeconds less the seconds of the preStop hook.`,
      sample: { server: 'vLLM', option: '--shutdown-timeout', optionSince: '0.18.0', service: 'model' },
      variants: [
        { server: 'gunicorn', option: '--graceful-timeout', service: 'model' },
        { server: 'SGLang', service: 'model' },
      ],
    }),
    preset: defineMessage<PresetData>({
      text: ({ graceSeconds, preStopSeconds }) =>
        `A grace period of ${graceSeconds} s leaves vLLM no time after the ${preStopSeconds} s of the preStop hook and the reserve of the preset: ` +
        'KServe sets --shutdown-timeout to 0, so each replaced pod aborts its running requests.',
      help: ({ preStopSeconds }) =>
        `Remove terminationGracePeriodSeconds, or set it to ${preStopSeconds + PRESET_RESERVE_SECONDS} plus the seconds of the longest request.`,
      sample: { graceSeconds: 20, preStopSeconds: 15 },
    }),
  },
});

/** Reports the containers of a template that abort the requests of a Service. */
export function checkRequestsAborted({ template, containers, service, controlsTermination }: LocatedTemplate): Finding[] {
  if (service === undefined || controlsTermination) return [];
  const servers = listTerminatingServers(
    getGraceSeconds(template.spec),
    containers.map(({ value }) => value),
  );
  return servers.flatMap(({ index, drain: { seconds, server, option, optionSince } }) =>
    seconds === 0
      ? [
          requestsAborted.createFinding('aborts', {
            path: appendToPath(containers[index]!.path, 'args'),
            data: { server, service, ...(option !== undefined && { option }), ...(optionSince !== undefined && { optionSince }) },
          }),
        ]
      : [],
  );
}

/** Reports an LLMInferenceService whose grace period makes its preset abort requests. */
export function reportPresetAborts(path: FieldPath, data: PresetData): Finding {
  return requestsAborted.createFinding('preset', { path, data });
}

/** Reports a server that a controller starts without time to finish requests. */
export function reportServerAborts(path: FieldPath, data: AbortData): Finding {
  return requestsAborted.createFinding('aborts', { path, data });
}
