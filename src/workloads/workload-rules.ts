import type { Finding } from '../core/finding';
import type { StatefulSetSimulation } from '../core/rollout';
import { isFields, listAt, valueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { describeValue } from '../core/shape';
import { replicaRangeOf } from '../cluster/autoscaler';
import type { Autoscaler } from '../cluster/autoscaler';
import { kubernetesFinding } from '../cluster/catalogue';
import { DEPLOYMENT_DEFAULTS } from './strategy';

/** When a container without readiness probe counts as ready. Source: k/k pkg/kubelet/prober/prober_manager.go, `UpdatePodStatus`. */
function readyWithoutProbe({ startupProbe }: Fields): string {
  return isFields(startupProbe)
    ? 'it counts as ready for good once its startup probe has succeeded, so the rollout waits for its start and for nothing after it.'
    : 'it counts as ready as soon as it runs, so the rollout goes on before the application can serve.';
}

/** One finding a container without readiness probe; `podPath` is the path of the pod's spec: `spec.template.spec`. */
export function readinessFindings(podSpec: unknown, podPath: string): Finding[] {
  return listAt(podSpec, 'containers').flatMap((container, index) => {
    if (!isFields(container) || isFields(container.readinessProbe)) return [];
    return [
      kubernetesFinding('kubernetes/no-readiness-probe', {
        path: `${podPath}.containers[${index}].readinessProbe`,
        message: `Container ${describeValue(container.name ?? index)} has no readiness probe: ${readyWithoutProbe(container)}`,
        help: 'Add a readinessProbe that succeeds only when the application can serve.',
      }),
    ];
  });
}

/** Warns of replicas that an apply and an autoscaler set in turn, or that switch the autoscaler off. */
export function autoscalerFindings(workload: Manifest, autoscaler: Autoscaler | undefined): Finding[] {
  const replicas = valueAt(workload, 'spec', 'replicas');
  if (!autoscaler || typeof replicas !== 'number') return [];
  const because = replicaRangeOf(autoscaler, replicas)
    ? `but the ${autoscaler.by} sets it too: every apply puts ${replicas} back, whatever the load.`
    : `which switches the ${autoscaler.by} off: every apply takes all pods away, and it scales up no workload that has none.`;
  return [
    kubernetesFinding('kubernetes/hpa-owns-replicas', {
      path: 'spec.replicas',
      message: `replicas is ${replicas}, ${because}`,
      help: 'Delete spec.replicas.',
    }),
  ];
}

/**
 * Warns of a Deployment whose pods need as long to become available as the rollout may stand without progress.
 *
 * A pod that becomes ready is progress, so the Deployment counts as failed only where the start-up alone takes that long, and the message
 * says which. The wait for a place is not looked at.
 *
 * Source: k/k pkg/controller/deployment/util/deployment_util.go, `DeploymentProgressing`; ready pods count since 1.7 (k/k#46169).
 */
export function deadlineFindings(spec: Fields, startupSeconds: number): Finding[] {
  const minReady = Number(spec.minReadySeconds ?? DEPLOYMENT_DEFAULTS.minReadySeconds);
  const deadline = Number(spec.progressDeadlineSeconds ?? DEPLOYMENT_DEFAULTS.progressDeadlineSeconds);
  const seconds = startupSeconds + minReady;
  if (seconds < deadline) return [];
  const message =
    startupSeconds >= deadline
      ? `A pod needs ${startupSeconds} s to become ready, but the Deployment counts as failed after ${deadline} s without progress.`
      : `A pod needs ${seconds} s to become available (${startupSeconds} s of start-up, minReadySeconds ${minReady}), and the Deployment ` +
        `counts as failed after ${deadline} s without progress: it holds only because becoming ready after ${startupSeconds} s is progress ` +
        'too.';
  return [
    kubernetesFinding('kubernetes/progress-deadline-too-short', {
      path: 'spec.progressDeadlineSeconds',
      message,
      help: `Write progressDeadlineSeconds well above ${seconds}.`,
    }),
  ];
}

/** Says that nothing rolls out while a Deployment is paused. */
export function pausedFindings(spec: Fields): Finding[] {
  if (spec.paused !== true) return [];
  return [
    kubernetesFinding('kubernetes/paused', {
      path: 'spec.paused',
      message: 'paused is true: the controller rolls nothing out until the Deployment is resumed, so there is nothing to simulate.',
      help: 'Delete spec.paused, or run kubectl rollout resume.',
    }),
  ];
}

/** Warns of a maxUnavailable that the version drops. */
export function droppedFindings(maxUnavailable: unknown, kubernetesVersion: string): Finding[] {
  if (maxUnavailable === undefined || maxUnavailable === null) return [];
  return [
    kubernetesFinding('kubernetes/statefulset-max-unavailable-dropped', {
      path: 'spec.updateStrategy.rollingUpdate.maxUnavailable',
      message:
        `maxUnavailable is ${describeValue(maxUnavailable)}, but Kubernetes ${kubernetesVersion} drops the field (its gate ` +
        'MaxUnavailableStatefulSet is off): pods are replaced one at a time.',
      help: 'Delete the field, or plan for a version that keeps it: --versions kubernetes=1.37.',
    }),
  ];
}

/** What follows from the order in which a StatefulSet's pods are replaced. Nothing for 0 replicas. */
export function statefulSetRolloutFindings({ replicas, partition, minAvailable }: StatefulSetSimulation): Finding[] {
  if (replicas === 0) return [];
  if (partition >= replicas) {
    return [
      kubernetesFinding('kubernetes/statefulset-partition-holds-all', {
        path: 'spec.updateStrategy.rollingUpdate.partition',
        message: `partition is ${partition} and replicas ${replicas}: no pod has an index that high, so none is updated.`,
        help: `Write a partition below ${replicas} to update the pods from that index on.`,
      }),
    ];
  }
  if (minAvailable > 0) return [];
  return [
    kubernetesFinding('kubernetes/outage', {
      path: replicas === 1 ? 'spec.replicas' : 'spec.updateStrategy.rollingUpdate.maxUnavailable',
      message:
        replicas === 1
          ? 'The only pod is deleted before its successor starts, since a StatefulSet has no surge: nothing is available meanwhile.'
          : `All ${replicas} pods are down at once: nothing is available meanwhile.`,
      help: replicas === 1 ? 'Write replicas: 2 or more to keep one available.' : `Write maxUnavailable: ${replicas - 1} or less.`,
    }),
  ];
}
