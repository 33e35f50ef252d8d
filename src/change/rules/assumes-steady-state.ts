import { ROOT_PATH } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import type { PlannedRollout } from '../../core/document/rollout';

interface SteadyStateData {
  readonly kind: string;
}

/** Systems whose rollouts are simulated from a steady state. (Argo Rollouts canaries with ReplicaSets in the input are the exception.) */
const STEADY_STATE_SYSTEMS: ReadonlySet<PlannedRollout['system']> = new Set(['argo-rollouts', 'kserve']);

function renderExampleRollout(image: string, live: string): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: { name: web, namespace: shop${live === '' ? '' : ', uid: 5b5b1a3e-0000-4000-8000-000000000001'} }
spec:
  replicas: 4
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "${image}", readinessProbe: { tcpSocket: { port: 8080 } } }] }
  strategy: { canary: { steps: [{ setWeight: 25 }, { pause: { duration: 10m } }] } }
${live}`;
}

function renderExample(current: string): string {
  const live = `status: { phase: Progressing, stableRS: a, currentPodHash: ${current}, replicas: 5, updatedReplicas: 1, availableReplicas: 4 }\n`;
  return `# rolloutkit plan --from old.yaml new.yaml\n# old.yaml\n${renderExampleRollout('web:2', live)}# new.yaml\n${renderExampleRollout('web:3', '')}`;
}

/** A rollout that starts before the previous one has finished, which its rows do not show. */
export const assumesSteadyState = defineRule({
  code: 'change/assumes-steady-state',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'An InferenceService, an LLMInferenceService or an Argo Rollout of a cluster gets a new version before its last rollout has finished, unless it is a canary whose ReplicaSets are in the input.',
  why:
    'Its rollout is planned from a steady state: all pods have one version and are ready. The controller also starts with pods of the last version, which it removes along the way. ' +
    'A rollback also finds pods of its own version: an Argo Rollout rolls back without any steps. So the rows, the peak and the duration are those of another initial state. ' +
    'The rows of a canary whose ReplicaSets are in the input start from its current state.',
  fix: 'Let the last rollout finish, or abort it, and then plan again.',
  example: renderExample('b'),
  fixedExample: renderExample('a'),
  messages: {
    'steady-state': defineMessage<SteadyStateData>({
      text: ({ kind }) =>
        `The last rollout of this ${kind} has not finished, but its rows start as if it had: they do not show the pods of that version, and a rollback may take fewer rows.`,
      help: ({ kind }) =>
        kind === 'Rollout'
          ? 'Let the last rollout finish, or abort it, and then plan again. To plan a canary from its current state, add its ReplicaSets to OLD (kubectl get rollouts,replicasets -o yaml).'
          : 'Let the last rollout finish, and then plan again.',
      sample: { kind: 'Rollout' },
      variants: [{ kind: 'InferenceService' }],
    }),
  },
});

/**
 * Reports rows that start from another state than the cluster is in.
 *
 * @param isUnderWay - whether another rollout of the object is in progress
 */
export function checkAssumesSteadyState({ resource, simulation, system }: PlannedRollout, isUnderWay: boolean): Finding[] {
  if (!isUnderWay || !simulation || !STEADY_STATE_SYSTEMS.has(system)) return [];
  return [assumesSteadyState.createFinding('steady-state', { path: ROOT_PATH, data: { kind: resource.kind } })];
}
