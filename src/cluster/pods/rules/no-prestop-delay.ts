import { appendToPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { setField, suggestManualFix } from '../../../core/findings/suggested-fix';
import { getGraceSeconds, listTerminatingServers } from '../../services/termination';
import type { LocatedTemplate } from '../../rollout/located-template';
import { renderServer } from './examples';

interface DelayData {
  /** Name of the server: `uvicorn`. */
  readonly server: string;
  /** Service that sends requests to the pods. */
  readonly service: string;
}

/** Seconds after which proxies usually no longer send to a terminating pod. */
const USUAL_DELAY_SECONDS = 5;

/** Reports servers that stop listening while proxies may still send requests to them. */
export const noPrestopDelay = defineRule({
  code: 'kubernetes/no-prestop-delay',
  since: '0.1.0',
  severity: 'info',
  fires: 'A Service sends requests to a server that stops listening at SIGTERM, and no container has a preStop hook.',
  why:
    'A deleted pod gets SIGTERM at the moment at which its endpoint is withdrawn, and nothing waits for proxies to learn about it. ' +
    'Connections that arrive in between are refused or closed, usually for one to five seconds. A preStop hook that sleeps keeps the server listening for that time. ' +
    'The rule is silent if the manifest does not show the server.',
  fix: 'Add a preStop hook that sleeps for a few seconds, and raise `terminationGracePeriodSeconds` by as much.',
  example: renderServer(`image: model:1
          command: [uvicorn, "main:app", --port, "8000"]`),
  fixedExample: renderServer(`image: model:1
          command: [uvicorn, "main:app", --port, "8000"]
          lifecycle: { preStop: { sleep: { seconds: 5 } } }`),
  messages: {
    none: defineMessage<DelayData>({
      text: ({ server, service }) =>
        `${server} stops listening at SIGTERM, while Service "${service}" may still send to the replaced pod: these requests fail.`,
      help: () => 'Add a preStop hook that sleeps for a few seconds.',
      suggestedFix: (_data, path) => suggestManualFix(setField(path, { sleep: { seconds: USUAL_DELAY_SECONDS } })),
      sample: { server: 'uvicorn', service: 'model' },
    }),
  },
});

/** Reports the first server of a template that stops listening too early. */
export function checkNoPrestopDelay({ template, containers, service, controlsTermination }: LocatedTemplate): Finding[] {
  if (service === undefined || controlsTermination) return [];
  const servers = listTerminatingServers(
    getGraceSeconds(template.spec),
    containers.map(({ value }) => value),
  );
  const first = servers.find(({ drain }) => drain.stopsListening);
  if (!first || servers.some(({ preStopSeconds }) => preStopSeconds !== 0)) return [];
  const path = appendToPath(containers[first.index]!.path, 'lifecycle', 'preStop');
  return [noPrestopDelay.createFinding('none', { path, data: { server: first.drain.server, service } })];
}
