import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { renderLlmService } from './examples';

interface RestartData {
  readonly version: string;
}

const SCHEDULER = '  router: { scheduler: {} }\n';

/** Reports that new pods of a service restart its scheduler. */
export const llmSchedulerRestarts = defineRule({
  code: 'kserve/llm-scheduler-restarts',
  since: '0.1.0',
  severity: 'warning',
  fires: 'An apply starts pods of an LLMInferenceService with a scheduler, and KServe is 0.17.',
  why:
    'The certificate of the service lists the addresses of its pods. New pods make a new certificate, whose hash is an annotation of the scheduler, and the scheduler is restarted with type Recreate: ' +
    'until it is ready, no request is routed. Source: KServe 0.17.0, llmisvc/scheduler.go and workload_tls_self_signed.go.',
  fix: 'Write --enable-cert-reload into the arguments of the container "main" of the scheduler, if its image supports it, or use KServe 0.19.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${renderLlmService(SCHEDULER)}# new.yaml
${renderLlmService(SCHEDULER).replace('replicas: 4', 'replicas: 5')}`,
  fixedExample: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${renderLlmService(SCHEDULER)}# new.yaml
${renderLlmService(SCHEDULER)}`,
  messages: {
    restarts: defineMessage<RestartData>({
      text: ({ version }) =>
        `KServe ${version} makes a new certificate for the addresses of the new pods and restarts the scheduler with type Recreate: no request is routed until it is ready again.`,
      help: () =>
        'Write --enable-cert-reload into the arguments of the scheduler\'s container "main", if its image supports it, or change the number of pods when load is low.',
      sample: { version: '0.17' },
    }),
  },
});

/** Warns that new pods restart the scheduler. */
export function checkLlmSchedulerRestarts(version: string): Finding[] {
  return [llmSchedulerRestarts.createFinding('restarts', { path: toFieldPath`spec.router.scheduler`, data: { version } })];
}
