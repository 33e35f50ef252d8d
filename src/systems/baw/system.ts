import { isInt32 } from '../../core/int-or-percent';
import { nameOf, namespaceOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { resourceOf } from '../../core/rollout';
import type { Rollout } from '../../core/rollout';
import type { RolloutSystem } from '../../core/system';
import { rolloutDuration } from '../kubernetes/duration';
import { deploymentProvenance } from '../kubernetes/provenance';
import { rolloutFindings } from '../kubernetes/rules';
import { simulateDeployment } from '../kubernetes/simulate';
import { DEPLOYMENT_DEFAULTS, storedDeploymentStrategy } from '../kubernetes/strategy';
import type { DeploymentStrategySpec } from '../kubernetes/types';
import { BAW_CATALOGUE } from './catalogue';
import { hasKnownReplicas, mountsOf } from './mount';
import type { Mount } from './mount';
import { asOperatorFinding, strategyFindings } from './rules';
import { deploymentStrategyOf, inOperatorWords, unquoted } from './strategy';
import { documentedRollout } from './walkthrough';

function replicasOf({ holder }: Mount): number {
  const replicas = unquoted(holder.replicas);
  return isInt32(replicas) ? replicas : DEPLOYMENT_DEFAULTS.replicas;
}

/** The component names the holder of a strategy, where a resource has several. */
function componentOf(mount: Mount, mounts: readonly Mount[]): string | undefined {
  return mounts.length > 1 ? mount.holderPath.replace(/^spec\.?/, '') || 'spec' : undefined;
}

function planMount(object: Manifest, mount: Mount, mounts: readonly Mount[], startupSeconds: number): Rollout {
  const resource = resourceOf(object, nameOf(object), namespaceOf(object), componentOf(mount, mounts));
  const validation = strategyFindings(mount);
  if (validation.some((finding) => finding.severity === 'error')) {
    return { system: 'baw', resource, strategy: null, provenance: [], simulation: null, findings: validation };
  }

  // The types were checked above.
  const written = deploymentStrategyOf(mount.strategy) as DeploymentStrategySpec;
  const strategy = storedDeploymentStrategy(written);
  const provenance = deploymentProvenance(written, strategy, mount.path).map((field) => ({
    ...field,
    reason: inOperatorWords(field.reason),
  }));
  const planned = { system: 'baw', resource, strategy, provenance } as const;
  if (!hasKnownReplicas(mount)) return { ...planned, simulation: null, findings: validation };

  const replicas = replicasOf(mount);
  const simulation = simulateDeployment(strategy, replicas);
  const documented = documentedRollout(simulation);
  // Nothing is known of the pods but how many they are: no room, no budget, but a duration.
  const duration = rolloutDuration({ workload: { template: {} }, simulation, isRecreate: strategy.type === 'Recreate' }, startupSeconds);
  const consequences = rolloutFindings({ strategy, replicas, strategyPath: mount.path }).map((finding) =>
    asOperatorFinding(finding, mount),
  );
  return {
    ...planned,
    simulation,
    ...(documented && { documented }),
    ...(duration && { duration }),
    findings: [...validation, ...consequences],
  };
}

/** Custom resources of an operator, such as IBM BAW's, with a snake_case strategy that becomes that of its Deployments. */
export const bawSystem: RolloutSystem = {
  name: 'baw',
  catalogue: BAW_CATALOGUE,
  recognises: (object) => mountsOf(object).length > 0,
  plan: (object, { startupSeconds }) => {
    const mounts = mountsOf(object);
    return mounts.map((mount) => planMount(object, mount, mounts, startupSeconds));
  },
};
