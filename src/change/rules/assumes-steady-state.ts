import { ROOT_PATH } from '../../core/field-path';
import { defineMessage, defineRule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { PlannedRollout } from '../../core/rollout';

interface SteadyStateData {
  readonly kind: string;
}

/** Systems whose rollouts are simulated from rest, but for canaries of Argo Rollouts whose ReplicaSets are in view. */
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

/** A rollout that overtakes another, of which no row knows. */
export const assumesSteadyState = defineRule({
  code: 'change/assumes-steady-state',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'An InferenceService, an LLMInferenceService or an Argo Rollout of a cluster gets a new version before the last one is rolled out; not a canary whose ReplicaSets are in view, whose rows begin where it stands.',
  why:
    'Its rollout is planned from rest: all pods of one version, ready. The controller begins with the pods of the last version as well, which it takes away on the way, ' +
    'and the way back finds pods of its own: an Argo Rollout goes back without any steps. So the rows, the peak and the duration are those of another beginning.',
  fix: 'Let the last rollout finish, or abort it, and plan then.',
  example: renderExample('b'),
  fixedExample: renderExample('a'),
  messages: {
    'steady-state': defineMessage<SteadyStateData>({
      text: ({ kind }) =>
        `The last rollout of this ${kind} has not finished, and its rows begin as if it had: pods of that version are in no row, and a way back may take fewer.`,
      help: ({ kind }) =>
        kind === 'Rollout'
          ? 'Let the last rollout finish, or abort it, and plan then. A canary is planned from where it stands once its ReplicaSets are in view (kubectl get rollouts,replicasets -o yaml).'
          : 'Let the last rollout finish, and plan then.',
      sample: { kind: 'Rollout' },
      variants: [{ kind: 'InferenceService' }],
    }),
  },
});

/** What is said of rows that begin elsewhere than the cluster stands. @param isUnderWay is another rollout of it under way? */
export function checkAssumesSteadyState({ resource, simulation, system }: PlannedRollout, isUnderWay: boolean): Finding[] {
  if (!isUnderWay || !simulation || !STEADY_STATE_SYSTEMS.has(system)) return [];
  return [assumesSteadyState.createFinding('steady-state', { path: ROOT_PATH, data: { kind: resource.kind } })];
}
