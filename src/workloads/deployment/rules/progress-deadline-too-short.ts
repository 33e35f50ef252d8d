import { suggestManualFix, setField } from '../../../core/suggested-fix';
import type { SuggestedFix } from '../../../core/suggested-fix';
import type { FieldPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { defineMessage, defineRule } from '../../../core/finding';
import { isInt32 } from '../../../core/int-or-percent';
import { isFields, getValueAt } from '../../../core/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/display-value';
import type { DisplayValue } from '../../../core/display-value';
import type { RuleContext, ContainerAtPath } from '../../rule-context';

interface StartupData {
  readonly startupSeconds: number;
  readonly deadline: number;
  readonly minReadySeconds: number;
  readonly isSettable: boolean;
}

interface ProbeData extends StartupData {
  readonly container: DisplayValue;
}

/** Seconds until a pod is available: start-up and minReadySeconds. */
function computeAvailableSeconds({ startupSeconds, minReadySeconds }: StartupData): number {
  return startupSeconds + minReadySeconds;
}

function formatAdvice(data: StartupData): string {
  return data.isSettable
    ? `Write progressDeadlineSeconds well above ${computeAvailableSeconds(data)}.`
    : 'KServe has no field for it: make the pods start faster, for instance with a model that is already on the node.';
}

/** Twice the time, which leaves as much again for the wait for a place. */
function suggestDeadline(data: StartupData, path: FieldPath): SuggestedFix | undefined {
  return data.isSettable ? suggestManualFix(setField(path, Math.ceil(2 * computeAvailableSeconds(data)))) : undefined;
}

/** Pods that need as long as a Deployment may stand without progress. */
export const progressDeadlineTooShort = defineRule({
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
  fixedExample: `# rolloutkit plan --startup-seconds 900 model.yaml
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
    startup: defineMessage<StartupData>({
      text: ({ startupSeconds, deadline }) =>
        `A pod needs ${startupSeconds} s to become ready, but the Deployment counts as failed after ${deadline} s without progress.`,
      help: formatAdvice,
      suggestedFix: suggestDeadline,
      sample: { startupSeconds: 900, deadline: 600, minReadySeconds: 0, isSettable: true },
      variants: [{ startupSeconds: 900, deadline: 600, minReadySeconds: 0, isSettable: false }],
    }),
    minReady: defineMessage<StartupData>({
      text: (data) =>
        `A pod needs ${computeAvailableSeconds(data)} s to become available (${data.startupSeconds} s of start-up, minReadySeconds ${data.minReadySeconds}), ` +
        `and the Deployment counts as failed after ${data.deadline} s without progress: ` +
        `it holds only because becoming ready after ${data.startupSeconds} s is progress too.`,
      help: formatAdvice,
      suggestedFix: suggestDeadline,
      sample: { startupSeconds: 500, deadline: 600, minReadySeconds: 120, isSettable: true },
    }),
    probe: defineMessage<ProbeData>({
      text: ({ container, startupSeconds, deadline }) =>
        `The startup probe of container ${formatDisplayValue(container)} gives it ${startupSeconds} s, but the Deployment counts as failed after ${deadline} s without progress.`,
      help: formatAdvice,
      suggestedFix: suggestDeadline,
      sample: { container: 'app', startupSeconds: 900, deadline: 600, minReadySeconds: 0, isSettable: true },
    }),
  },
});

/** The container whose startup probe gives it most time, and the seconds until it gives up. */
function findSlowestStartup(
  containers: readonly ContainerAtPath[],
): { readonly container: DisplayValue; readonly startupSeconds: number } | undefined {
  const starts = containers.flatMap(({ value }, index) => {
    const probe = getValueAt(value, 'startupProbe');
    if (!isFields(probe)) return [];
    const [failures = 3, period = 10, delay = 0] = [probe.failureThreshold, probe.periodSeconds, probe.initialDelaySeconds].map((field) =>
      isInt32(field) ? field : undefined,
    );
    return [{ container: toDisplayValue(getValueAt(value, 'name') ?? index), startupSeconds: delay + failures * period }];
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
export function checkProgressDeadlineTooShort({ deadline: progressDeadline, startupSeconds, containers }: RuleContext): Finding[] {
  if (!progressDeadline) return [];
  const { path, deadline, minReadySeconds, isSettable } = progressDeadline;
  const data = { startupSeconds, deadline, minReadySeconds, isSettable };
  const slowest = startupSeconds === 0 ? findSlowestStartup(containers) : undefined;
  if (slowest && slowest.startupSeconds > deadline) {
    return [progressDeadlineTooShort.createFinding('probe', { path, severity: 'info', data: { ...data, ...slowest } })];
  }
  if (computeAvailableSeconds(data) < deadline) return [];
  return [progressDeadlineTooShort.createFinding(startupSeconds >= deadline ? 'startup' : 'minReady', { path, data })];
}
