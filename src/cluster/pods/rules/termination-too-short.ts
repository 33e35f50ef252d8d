import { toFieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { setField, suggestManualFix } from '../../../core/findings/suggested-fix';
import { formatDisplayValue, toDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { getValueAt } from '../../../core/manifest/manifest';
import { hasSidecarBypass, findMeshSidecar, MESH_SIDECAR } from '../../services/mesh-sidecar';
import { getGraceSeconds, listTerminatingServers } from '../../services/termination';
import type { TerminatingServer } from '../../services/termination';
import { getLeastPreStopSeconds } from '../../services/pre-stop';
import { getServerDrain } from '../../services/servers';
import type { LocatedTemplate } from '../../rollout/located-template';
import { listSidecars } from '../../rollout/sidecars';
import { renderServer } from './examples';

interface DrainData {
  /** What lets requests run: a flag, or the default of a server. */
  readonly limit: string;
  /** Seconds for which it lets them run after SIGTERM. */
  readonly drainSeconds: number;
  readonly graceSeconds: number;
  /** Seconds of the preStop hook; 0 if it is not known. */
  readonly preStopSeconds: number;
  /** Seconds that are left after SIGTERM, at least the 2 that the kubelet leaves. */
  readonly leftSeconds: number;
}

interface HookData {
  readonly container: DisplayValue;
  readonly graceSeconds: number;
  readonly preStopSeconds: number;
}

interface SidecarData {
  /** Flag that lets requests run: `--shutdown-timeout`. */
  readonly limit: string;
  /** Seconds for which it lets them run after SIGTERM. */
  readonly drainSeconds: number;
  /** Seconds after the deletion of the pod at which the sidecar exits. */
  readonly sidecarSeconds: number;
  /** Seconds of the preStop hook of the server. */
  readonly preStopSeconds: number;
}

const SAMPLE: DrainData = { limit: '--exit-timeout-secs', drainSeconds: 60, graceSeconds: 30, preStopSeconds: 5, leftSeconds: 25 };

/** Reports servers that are killed while they finish requests. */
export const terminationTooShort = defineRule({
  code: 'kubernetes/termination-too-short',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires:
    'A preStop hook takes the entire terminationGracePeriodSeconds or longer, or the drain of a server takes longer than it, or than the sidecar of Istio runs.',
  why:
    'The grace period counts from the deletion of the pod and includes the preStop hook. The kubelet sends SIGTERM after the hook, and SIGKILL once the grace period is over: ' +
    'every request that still runs is cut. If the hook takes the entire grace period, 2 s are left after SIGTERM. The rule reads the hook and the flags of servers that it knows; it is silent if the manifest does not show them. ' +
    'It is an info if the limit is the default of the server, since no user asked for it. ' +
    'Source: k/k 1.34 pkg/kubelet/kuberuntime, `killContainer`.',
  fix: 'Set `terminationGracePeriodSeconds` to the seconds of the preStop hook and of the drain together, or lower the flag.',
  example: renderServer(`image: vllm/vllm-openai:v0.18.0
          args: [--model, m, --shutdown-timeout, "600"]
          lifecycle: { preStop: { sleep: { seconds: 15 } } }`),
  fixedExample: renderServer(
    `image: vllm/vllm-openai:v0.18.0
          args: [--model, m, --shutdown-timeout, "600"]
          lifecycle: { preStop: { sleep: { seconds: 15 } } }`,
    615,
  ),
  messages: {
    drain: defineMessage<DrainData>({
      text: ({ limit, drainSeconds, graceSeconds, preStopSeconds, leftSeconds }) =>
        `Requests get ${leftSeconds} s after SIGTERM (grace period ${graceSeconds} s${preStopSeconds > 0 ? ` less ${preStopSeconds} s preStop` : ''}), ` +
        `but ${limit} lets them run for ${drainSeconds} s: the container is killed before they end.`,
      help: ({ drainSeconds, preStopSeconds }) => `Set terminationGracePeriodSeconds to at least ${preStopSeconds + drainSeconds}.`,
      suggestedFix: ({ drainSeconds, preStopSeconds }, path) => suggestManualFix(setField(path, preStopSeconds + drainSeconds)),
      sample: SAMPLE,
      variants: [
        { ...SAMPLE, preStopSeconds: 0, leftSeconds: 30 },
        { ...SAMPLE, limit: 'the default of Text Generation Inference', drainSeconds: 90 },
      ],
    }),
    sidecar: defineMessage<SidecarData>({
      text: ({ limit, drainSeconds, sidecarSeconds }) =>
        `Container "istio-proxy" exits ${sidecarSeconds} s after the pod is deleted and cuts all requests, but ${limit} lets them run for ${drainSeconds} s.`,
      help: ({ drainSeconds, preStopSeconds }) =>
        `Set terminationDrainDuration of the sidecar to at least ${drainSeconds + preStopSeconds}s, or make it a native sidecar.`,
      sample: { limit: '--shutdown-timeout', drainSeconds: 40, sidecarSeconds: 5, preStopSeconds: 15 },
    }),
    hook: defineMessage<HookData>({
      text: ({ container, graceSeconds, preStopSeconds }) =>
        `The preStop hook of container ${formatDisplayValue(container)} sleeps for ${preStopSeconds} s, but the grace period ends after ${graceSeconds} s: ` +
        `${preStopSeconds > graceSeconds ? 'the hook is cut, and ' : ''}the container gets 2 s after SIGTERM.`,
      help: ({ preStopSeconds }) => `Set terminationGracePeriodSeconds to more than ${preStopSeconds}.`,
      sample: { container: 'web', graceSeconds: 30, preStopSeconds: 60 },
      variants: [{ container: 'web', graceSeconds: 30, preStopSeconds: 30 }],
    }),
  },
});

function checkServer(server: TerminatingServer, template: LocatedTemplate): Finding[] {
  const { drain, preStopSeconds = 0, graceSeconds, secondsAfterSigterm: leftSeconds } = server;
  const { seconds, option, isSet, server: name } = drain;
  if (seconds === undefined || !Number.isFinite(seconds) || seconds <= leftSeconds) return [];
  const limit = isSet && option !== undefined ? option : `the default of ${name}`;
  return [
    terminationTooShort.createFinding('drain', {
      path: toFieldPath`${template.podPath}.terminationGracePeriodSeconds`,
      severity: isSet ? 'warning' : 'info',
      data: { limit, drainSeconds: seconds, graceSeconds, preStopSeconds, leftSeconds },
    }),
  ];
}

/**
 * Reports a sidecar that cuts requests for which the user sets a longer drain. Only one among the containers certainly gets SIGTERM together with
 * the server.
 */
function checkSidecar({ template, containers }: LocatedTemplate, servers: readonly TerminatingServer[]): Finding[] {
  const sidecar = findMeshSidecar(template);
  if (sidecar?.index === undefined || hasSidecarBypass(template)) return [];
  const { preStopSeconds: ownHook, drainSeconds: ownDrain } = sidecar;
  if (ownHook === undefined || ownDrain === undefined) return [];
  const sidecarSeconds = ownHook + ownDrain;
  return servers.flatMap(({ drain: { seconds, option, isSet }, preStopSeconds = 0 }) => {
    if (!isSet || option === undefined || seconds === undefined || preStopSeconds + seconds <= sidecarSeconds) return [];
    const path = containers.find(({ value }) => getValueAt(value, 'name') === MESH_SIDECAR)?.path;
    if (path === undefined) return [];
    return [
      terminationTooShort.createFinding('sidecar', {
        path,
        data: { limit: option, drainSeconds: seconds, sidecarSeconds, preStopSeconds },
      }),
    ];
  });
}

/**
 * Reports the first container whose preStop hook leaves nothing of the grace period, so that the kubelet sends SIGKILL 2 s after SIGTERM.
 * If it takes the entire period, a drain with a limit either fits into these 2 s, or is reported itself.
 */
function checkHooks({ template, podPath }: LocatedTemplate, containers: readonly unknown[], graceSeconds: number): Finding[] {
  // The kubelet starts the hooks of all containers at once, also those of sidecars that it stops later.
  const hooks = [...containers, ...listSidecars(template.spec)].map((container) => ({
    container,
    preStopSeconds: getLeastPreStopSeconds(container),
  }));
  const long = hooks.find(({ container, preStopSeconds }) => {
    if (preStopSeconds === 0 || preStopSeconds !== graceSeconds) return preStopSeconds > graceSeconds;
    return !Number.isFinite(getServerDrain(container)?.seconds);
  });
  if (!long) return [];
  const data = { container: toDisplayValue(getValueAt(long.container, 'name')), graceSeconds, preStopSeconds: long.preStopSeconds };
  return [terminationTooShort.createFinding('hook', { path: toFieldPath`${podPath}.terminationGracePeriodSeconds`, data })];
}

/** Reports at most one problem for the pods of a template: a hook that is too long, the first server that is killed while it drains, or a sidecar that ends first. */
export function checkTerminationTooShort(template: LocatedTemplate): Finding[] {
  if (template.controlsTermination) return [];
  const containers = template.containers.map(({ value }) => value);
  const graceSeconds = getGraceSeconds(template.template.spec);
  const hooks = checkHooks(template, containers, graceSeconds);
  if (hooks.length > 0) return hooks;
  const servers = listTerminatingServers(graceSeconds, containers);
  if (servers.length === 0) return [];
  return [...servers.flatMap((server) => checkServer(server, template)), ...checkSidecar(template, servers)].slice(0, 1);
}
