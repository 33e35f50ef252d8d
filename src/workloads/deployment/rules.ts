import type { Finding } from '../../core/finding';
import { fieldsAt, isFields, listAt } from '../../core/manifest';
import { describeValue } from '../../core/shape';
import { kubernetesFinding } from '../../cluster/catalogue';
import { resolveFenceposts } from '../strategy';
import type { ResolvedLimits } from '../strategy';
import type { DeploymentStrategy, RollingUpdateDeployment } from '../types';

/** A Deployment's rollout, whoever writes the Deployment. */
export interface JudgedRollout {
  readonly strategy: DeploymentStrategy;
  readonly replicas: number;
  /** The pod template's spec, as far as it is known. */
  readonly podSpec?: unknown;
  /** Where the strategy is configured: `spec.strategy`, `spec.predictor.deploymentStrategy`. */
  readonly strategyPath: string;
}

/** What follows from a strategy and a number of replicas: an outage, a fencepost, room needed. Nothing for 0 replicas. */
export function rolloutFindings(rollout: JudgedRollout): Finding[] {
  const { strategy, replicas } = rollout;
  if (replicas === 0) return [];
  if (strategy.type === 'Recreate') return [recreateFinding(rollout)];

  const limits = { ...strategy.rollingUpdate, ...resolveFenceposts(strategy.rollingUpdate, replicas) };
  return [
    ...(limits.unavailable === 0 ? [headroomFinding(rollout, limits)] : []),
    ...(limits.fencepost ? [fencepostFinding(rollout, limits)] : []),
    ...(limits.unavailable >= replicas ? [outageFinding(rollout, limits)] : []),
  ];
}

type Limits = RollingUpdateDeployment & ResolvedLimits;

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

function unavailablePath({ strategyPath }: JudgedRollout): string {
  return `${strategyPath}.rollingUpdate.maxUnavailable`;
}

function recreateFinding({ strategyPath, replicas }: JudgedRollout): Finding {
  return kubernetesFinding('kubernetes/outage', {
    path: `${strategyPath}.type`,
    severity: 'info',
    message: `type Recreate takes down ${replicas === 1 ? 'the only pod' : `all ${replicas} pods`} before a new one starts: nothing is available meanwhile.`,
    help: 'Write type: RollingUpdate unless two versions must never run at once.',
  });
}

function headroomFinding(rollout: JudgedRollout, { surge, maxUnavailable }: Limits): Finding {
  const { replicas, podSpec } = rollout;
  const scarce = extendedResources(podSpec);
  const extraPods = Math.min(surge, replicas);
  const extra = extraPods === 1 ? '1 more pod' : `up to ${extraPods} more pods`;
  return kubernetesFinding('kubernetes/surge-needs-headroom', {
    path: unavailablePath(rollout),
    severity: scarce.length > 0 ? 'warning' : 'info',
    message:
      `maxUnavailable ${describeValue(maxUnavailable)} lets none of ${counted(replicas, 'replica')} be missing: no old pod goes before ` +
      `a new one is ready, so the cluster needs room for ${extra}${scarce.length > 0 ? `, with ${scarce.join(', ')}` : ''}. ` +
      'Without room the rollout stands still.',
    help: `Keep room for ${extra}, or write maxSurge: 0 and maxUnavailable: 1 to replace pods in place.`,
  });
}

function fencepostFinding(rollout: JudgedRollout, { maxSurge, maxUnavailable }: Limits): Finding {
  return kubernetesFinding('kubernetes/fencepost', {
    path: unavailablePath(rollout),
    message:
      `maxSurge ${describeValue(maxSurge)} and maxUnavailable ${describeValue(maxUnavailable)} both come to 0 pods for ` +
      `${counted(rollout.replicas, 'replica')}, so the controller takes maxUnavailable as 1: one pod is missing at a time.`,
    help: 'Write maxUnavailable: 1 if that is meant, or maxSurge: 1 and maxUnavailable: 0 to keep every replica available.',
  });
}

function outageFinding(rollout: JudgedRollout, { maxUnavailable, unavailable }: Limits): Finding {
  const { replicas } = rollout;
  return kubernetesFinding('kubernetes/outage', {
    path: unavailablePath(rollout),
    message:
      `maxUnavailable ${describeValue(maxUnavailable)} comes to ${counted(unavailable, 'pod')} for ${counted(replicas, 'replica')}: ` +
      'all old pods go before a new one is ready, and nothing is available meanwhile.',
    help: replicas === 1 ? 'Write maxSurge: 1 and maxUnavailable: 0.' : `Write maxUnavailable: ${replicas - 1} or less.`,
  });
}

/** Resources of device plugins and the like, such as nvidia.com/gpu: a name with a domain that is not Kubernetes' own. */
function isExtendedResource(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/');
}

/** The extended resources that a pod asks for, each once, sorted by name. */
function extendedResources(podSpec: unknown): string[] {
  const names = new Set<string>();
  for (const container of [...listAt(podSpec, 'initContainers'), ...listAt(podSpec, 'containers')]) {
    if (!isFields(container)) continue;
    for (const kind of ['requests', 'limits']) {
      for (const [name, quantity] of Object.entries(fieldsAt(container, 'resources', kind))) {
        if (isExtendedResource(name) && Number(quantity) !== 0) names.add(name);
      }
    }
  }
  return [...names].toSorted();
}
