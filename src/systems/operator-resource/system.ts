import type { PlanContext, RolloutSystem } from '../../cluster/context';
import type { SystemRollout, Workload } from '../../cluster/workload';
import { isInt32 } from '../../core/int-or-percent';
import { nameOf, namespaceOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { resourceOf } from '../../core/rollout';
import { DEPLOYMENT } from '../../workloads/deployment/kind';
import type { SettledDeployment } from '../../workloads/deployment/kind';
import { deploymentProvenance } from '../../workloads/deployment/provenance';
import { simulateDeployment } from '../../workloads/deployment/simulate';
import { DEPLOYMENT_DEFAULTS, storedDeploymentStrategy } from '../../workloads/deployment/strategy';
import type { DeploymentStrategySpec } from '../../workloads/deployment/types';
import { countAfter, workloadOf } from '../../workloads/workload-of';
import { replicaRangeOf } from './autoscaling';
import { operatorEffects } from './effects';
import { componentOf, mountsOf, mountsWith } from './mount';
import type { Mount } from './mount';
import { OPERATOR_RESOURCE_RULES } from './rules';
import { deploymentStrategyOf, OPERATOR_NAMES, unquoted } from './strategy';
import { objectFindings, replicasPathOf, strategyFindings } from './validation';
import { documentedRollout } from './walkthrough';

/** The pods of the operator's Deployment. Nothing is known of them but how many they are. */
function workloadOfMount(object: Manifest, mount: Mount, settled: SettledDeployment, context: PlanContext): Workload {
  const range = replicaRangeOf(object, mount);
  const written = unquoted(mount.holder.replicas);
  const namespace = namespaceOf(object);
  const replicas = isInt32(written) ? written : Math.max(DEPLOYMENT_DEFAULTS.replicas, range?.minimum ?? 0);
  return workloadOf(
    DEPLOYMENT,
    {
      settled,
      workload: {
        name: nameOf(object),
        ...(namespace !== undefined && { namespace }),
        template: {},
        countOnly: true,
        podPath: mount.holderPath,
        sizePath: replicasPathOf(mount),
        strategyPath: mount.path,
        names: OPERATOR_NAMES,
        ...(range && { replicaRange: range }),
      },
      count: countAfter({ steady: replicas, start: { replicas } }, context.changedPods?.(object, componentOf(mount))),
      review: { containers: [], metadata: [] },
    },
    context,
  );
}

function planMount(object: Manifest, mount: Mount, context: PlanContext): SystemRollout {
  const resource = resourceOf(object, nameOf(object), namespaceOf(object), componentOf(mount));
  const validation = [...objectFindings(object), ...strategyFindings(mount)];
  if (validation.some(({ severity }) => severity === 'error')) {
    return { system: 'baw', resource, strategy: null, provenance: [], simulation: null, findings: validation };
  }

  // The types were checked above.
  const written = deploymentStrategyOf(mount.strategy) as DeploymentStrategySpec;
  const strategy = storedDeploymentStrategy(written);
  const provenance = deploymentProvenance(written, strategy, mount.path, OPERATOR_NAMES);
  const planned = { system: 'baw', resource, strategy, provenance, findings: validation } as const;
  if (!mount.hasKnownReplicas) return { ...planned, simulation: null };

  const workload = workloadOfMount(object, mount, { strategy, provenance }, context);
  const simulation = workload.rollout ? simulateDeployment(strategy, workload.replicas) : null;
  const documented = simulation ? documentedRollout(object, simulation) : undefined;
  return { ...planned, pods: { of: 'workload', workload }, simulation, ...(documented && { documented }) };
}

function systemFor(mountsIn: (object: Manifest) => Mount[]): RolloutSystem {
  return {
    name: 'baw',
    rules: () => OPERATOR_RESOURCE_RULES,
    recognises: (object) => mountsIn(object).length > 0,
    plan: (object, context) => mountsIn(object).map((mount) => planMount(object, mount, context)),
    effects: (old, next) => operatorEffects(old, next, mountsIn),
  };
}

/** Custom resources of an operator, such as IBM BAW's, with a snake_case strategy that becomes that of its Deployments. */
export const bawSystem = systemFor(mountsOf);

/** The same for resources that have a strategy at `mountPath`, where no one but their user could tell that it is one. */
export function bawSystemAt(mountPath: string): RolloutSystem {
  return systemFor((object) => mountsWith(object, mountPath));
}
