import { byChoice, set } from '../../../core/advice';
import type { Advice } from '../../../core/advice';
import type { FieldPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { message, rule } from '../../../core/finding';
import { isInt32 } from '../../../core/int-or-percent';
import { isFields, valueAt } from '../../../core/manifest';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import type { Review, ReviewedContainer } from '../../review';

interface StartupData {
  readonly startupSeconds: number;
  readonly deadline: number;
  readonly minReadySeconds: number;
  readonly isSettable: boolean;
}

interface ProbeData extends StartupData {
  readonly container: Seen;
}

/** Seconds until a pod is available: start-up and minReadySeconds. */
function seconds({ startupSeconds, minReadySeconds }: StartupData): number {
  return startupSeconds + minReadySeconds;
}

function advice(data: StartupData): string {
  return data.isSettable
    ? `Write progressDeadlineSeconds well above ${seconds(data)}.`
    : 'KServe has no field for it: make the pods start faster, for instance with a model that is already on the node.';
}

/** Twice the time, which leaves as much again for the wait for a place. */
function longerDeadline(data: StartupData, path: FieldPath): Advice | undefined {
  return data.isSettable ? byChoice(set(path, Math.ceil(2 * seconds(data)))) : undefined;
}

/** Pods that need as long as a Deployment may stand without progress. */
export const progressDeadlineTooShort = rule({
  code: 'kubernetes/progress-deadline-too-short',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires: 'A pod needs as long to become available as the rollout may stand without progress, or its startup probe lets it.',
  why:
    'A pod counts once it is ready (start-up) and has stayed so for minReadySeconds. ' +
    'If the start-up takes progressDeadlineSeconds (600 unless set) or more, ' +
    'the Deployment is marked as failed (ProgressDeadlineExceeded) while it is only slow, and what watches it gives up. ' +
    'Where only both together take that long, the rollout goes on, since a pod that becomes ready is progress too; ' +
    'a deadline above the sum does not depend on that. The start-up seconds are those of `--startup-seconds`, ' +
    'or of the annotation `rolloutkit/startup-seconds` on the pod template; where nobody names them, ' +
    'what a startup probe allows (failureThreshold × periodSeconds and its delay) is an info.',
  fix: 'Set `progressDeadlineSeconds` well above start-up plus minReadySeconds.',
  example: `# rolloutkit plan --startup-seconds 900 model.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: model
spec:
  replicas: 4
  selector:
    matchLabels:
      app: model
  template:
    metadata:
      labels:
        app: model
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  fixed: `# rolloutkit plan --startup-seconds 900 model.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: model
spec:
  replicas: 4
  progressDeadlineSeconds: 1800
  selector:
    matchLabels:
      app: model
  template:
    metadata:
      labels:
        app: model
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  messages: {
    startup: message<StartupData>({
      text: ({ startupSeconds, deadline }) =>
        `A pod needs ${startupSeconds} s to become ready, but the Deployment counts as failed after ${deadline} s without progress.`,
      help: advice,
      advice: longerDeadline,
      sample: { startupSeconds: 900, deadline: 600, minReadySeconds: 0, isSettable: true },
      variants: [{ startupSeconds: 900, deadline: 600, minReadySeconds: 0, isSettable: false }],
    }),
    minReady: message<StartupData>({
      text: (data) =>
        `A pod needs ${seconds(data)} s to become available (${data.startupSeconds} s of start-up, minReadySeconds ${data.minReadySeconds}), ` +
        `and the Deployment counts as failed after ${data.deadline} s without progress: ` +
        `it holds only because becoming ready after ${data.startupSeconds} s is progress too.`,
      help: advice,
      advice: longerDeadline,
      sample: { startupSeconds: 500, deadline: 600, minReadySeconds: 120, isSettable: true },
    }),
    probe: message<ProbeData>({
      text: ({ container, startupSeconds, deadline }) =>
        `The startup probe of container ${show(container)} gives it ${startupSeconds} s, but the Deployment counts as failed after ${deadline} s without progress.`,
      help: advice,
      advice: longerDeadline,
      sample: { container: 'app', startupSeconds: 900, deadline: 600, minReadySeconds: 0, isSettable: true },
    }),
  },
});

/** The container whose startup probe gives it most time, and the seconds until it gives up. */
function slowestStart(containers: readonly ReviewedContainer[]): { readonly container: Seen; readonly startupSeconds: number } | undefined {
  const starts = containers.flatMap(({ value }, index) => {
    const probe = valueAt(value, 'startupProbe');
    if (!isFields(probe)) return [];
    const [failures = 3, period = 10, delay = 0] = [probe.failureThreshold, probe.periodSeconds, probe.initialDelaySeconds].map((field) =>
      isInt32(field) ? field : undefined,
    );
    return [{ container: seen(valueAt(value, 'name') ?? index), startupSeconds: delay + failures * period }];
  });
  return starts.toSorted((a, b) => b.startupSeconds - a.startupSeconds)[0];
}

/**
 * Warns of a Deployment whose pods need as long to become available as the rollout may stand without progress.
 *
 * A pod that becomes ready is progress, so the Deployment counts as failed only where the start-up alone takes that long,
 * and the message says which. The wait for a place is not looked at.
 *
 * Source: k/k pkg/controller/deployment/util/deployment_util.go, `DeploymentProgressing`; ready pods count since 1.7 (k/k#46169).
 */
export function deadlineFindings({ deadline: known, startupSeconds, containers }: Review): Finding[] {
  if (!known) return [];
  const { path, deadline, minReadySeconds, isSettable } = known;
  const data = { startupSeconds, deadline, minReadySeconds, isSettable };
  const probed = startupSeconds === 0 ? slowestStart(containers) : undefined;
  if (probed && probed.startupSeconds > deadline) {
    return [progressDeadlineTooShort.finding('probe', { path, severity: 'info', data: { ...data, ...probed } })];
  }
  if (seconds(data) < deadline) return [];
  return [progressDeadlineTooShort.finding(startupSeconds >= deadline ? 'startup' : 'minReady', { path, data })];
}
