import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import type { SuggestedFix } from '../../../core/findings/suggested-fix';
import type { FieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { isInt32 } from '../../../core/values/int-or-percent';
import { isFields, getValueAt } from '../../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import type { ContainerAtPath } from '../../../cluster/rollout/located-template';
import type { RuleContext } from '../../rule-context';
import { READY_APP, renderDeploymentOf } from '../../../cluster/pods/rules/examples';

interface StartupData {
  readonly startupSeconds: number;
  readonly deadline: number;
  readonly minReadySeconds: number;
  readonly isSettable: boolean;
}

interface ProbeData extends StartupData {
  readonly container: DisplayValue;
}

/** Returns the seconds until a pod is available: start-up plus minReadySeconds. */
function computeAvailableSeconds({ startupSeconds, minReadySeconds }: StartupData): number {
  return startupSeconds + minReadySeconds;
}

function formatAdvice(data: StartupData): string {
  return data.isSettable
    ? `Write progressDeadlineSeconds well above ${computeAvailableSeconds(data)}.`
    : 'KServe has no field for it: make the pods start faster, for instance with a model that is already on the node.';
}

/** Suggests twice the time that a pod needs, which leaves time to wait for capacity. */
function suggestDeadline(data: StartupData, path: FieldPath): SuggestedFix | undefined {
  return data.isSettable ? suggestManualFix(setField(path, Math.ceil(2 * computeAvailableSeconds(data)))) : undefined;
}

function buildExample(spec: string): string {
  return `# rolloutkit plan --startup-seconds 900 model.yaml\n${renderDeploymentOf({ name: 'model', spec, containers: READY_APP })}`;
}

/** Reports pods that need `progressDeadlineSeconds` or more to become available. */
export const progressDeadlineTooShort = defineRule({
  code: 'kubernetes/progress-deadline-too-short',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires: 'A pod needs progressDeadlineSeconds or more to become available, or its startup probe allows more than that.',
  why:
    'A pod is available once it has become ready (its start-up) and then stayed ready for minReadySeconds. ' +
    'If the start-up takes progressDeadlineSeconds (600 unless set) or more, ' +
    'the Deployment is marked as failed (ProgressDeadlineExceeded) although it is only slow, and tools that wait for it give up. ' +
    'If only start-up plus minReadySeconds takes that long, the rollout continues, since a pod that becomes ready is progress too. ' +
    'With a deadline above the sum, the rollout does not depend on this detail. The start-up seconds come from `--startup-seconds` ' +
    'or from the annotation `rolloutkit/startup-seconds` on the pod template. If neither is set, ' +
    'the time that a startup probe allows (failureThreshold × periodSeconds plus its delay) is used, and the severity is info.',
  fix: 'Set `progressDeadlineSeconds` well above start-up plus minReadySeconds.',
  example: buildExample(''),
  fixedExample: buildExample('  progressDeadlineSeconds: 1800\n'),
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
        `the rollout succeeds only because becoming ready after ${data.startupSeconds} s is progress too.`,
      help: formatAdvice,
      suggestedFix: suggestDeadline,
      sample: { startupSeconds: 500, deadline: 600, minReadySeconds: 120, isSettable: true },
    }),
    probe: defineMessage<ProbeData>({
      text: ({ container, startupSeconds, deadline }) =>
        `The startup probe of container ${formatDisplayValue(container)} allows ${startupSeconds} s, but the Deployment counts as failed after ${deadline} s without progress.`,
      help: formatAdvice,
      suggestedFix: suggestDeadline,
      sample: { container: 'app', startupSeconds: 900, deadline: 600, minReadySeconds: 0, isSettable: true },
    }),
  },
});

/** Finds the container whose startup probe allows the most time, and the seconds until the probe gives up. */
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
 * Warns about a Deployment whose pods need `progressDeadlineSeconds` or more to become available.
 *
 * A pod that becomes ready is progress, so the Deployment counts as failed only if the start-up by itself takes that long.
 * The message says which case it is. The wait for capacity is ignored.
 *
 * Source: k/k pkg/controller/deployment/util/deployment_util.go, `DeploymentProgressing`; ready pods count since 1.7 (k/k#46169).
 */
export function checkProgressDeadlineTooShort({ deadline: progressDeadline, startupSeconds, podTemplates }: RuleContext): Finding[] {
  if (!progressDeadline) return [];
  const { path, deadline, minReadySeconds, isSettable } = progressDeadline;
  const data = { startupSeconds, deadline, minReadySeconds, isSettable };
  const slowest = startupSeconds === 0 ? findSlowestStartup(podTemplates().flatMap(({ containers }) => containers)) : undefined;
  if (slowest && slowest.startupSeconds > deadline) {
    return [progressDeadlineTooShort.createFinding('probe', { path, severity: 'info', data: { ...data, ...slowest } })];
  }
  if (computeAvailableSeconds(data) < deadline) return [];
  return [progressDeadlineTooShort.createFinding(startupSeconds >= deadline ? 'startup' : 'minReady', { path, data })];
}
