import type { Finding } from '../../core/finding';
import { isInt32 } from '../../core/int-or-percent';
import { nameOf, namespaceOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { resourceOf } from '../../core/rollout';
import type { RolloutSystem } from '../../cluster/context';
import type { SystemRollout, Workload } from '../../cluster/workload';
import { deploymentProvenance } from '../../workloads/provenance';
import { rolloutFindings } from '../../workloads/deployment/rules';
import { simulateDeployment } from '../../workloads/simulate';
import { DEPLOYMENT_DEFAULTS, storedDeploymentStrategy } from '../../workloads/strategy';
import type { DeploymentStrategy, DeploymentStrategySpec } from '../../workloads/types';
import { replicaRangeOf } from './autoscaling';
import { BAW_CATALOGUE } from './catalogue';
import { mountsOf, mountsWith } from './mount';
import type { Mount } from './mount';
import { asOperatorFinding, objectFindings, replicasPathOf, strategyFindings } from './rules';
import { deploymentStrategyOf, inOperatorWords, unquoted } from './strategy';
import { documentedRollout } from './walkthrough';

/** The component names the holder of a strategy, whatever others there are, so that it is the same rollout in every plan. */
function componentOf({ holderPath }: Mount): string | undefined {
  return holderPath === 'spec' ? undefined : holderPath.replace(/^spec\.?/, '');
}

/** Of the pods themselves, the CR has nothing but how many they are. */
function asPodFinding(finding: Finding, mount: Mount): Finding {
  const path = finding.path.startsWith(mount.path) ? finding.path : replicasPathOf(mount);
  return asOperatorFinding({ ...finding, path }, mount);
}

/** The pods of the operator's Deployment. Nothing is known of them but how many they are. */
function workloadOf(object: Manifest, mount: Mount, strategy: DeploymentStrategy): Workload {
  const range = replicaRangeOf(object, mount);
  const written = unquoted(mount.holder.replicas);
  const namespace = namespaceOf(object);
  return {
    kind: 'Deployment',
    name: nameOf(object),
    ...(namespace !== undefined && { namespace }),
    replicas: isInt32(written) ? written : Math.max(DEPLOYMENT_DEFAULTS.replicas, range?.minimum ?? 0),
    template: {},
    countOnly: true,
    podPath: mount.holderPath,
    strategyPath: mount.path,
    ...(range && { replicaRange: range }),
    simulateAt: (count) => simulateDeployment(strategy, count),
    worded: (finding) => asPodFinding(finding, mount),
  };
}

function planMount(object: Manifest, mount: Mount): SystemRollout {
  const resource = resourceOf(object, nameOf(object), namespaceOf(object), componentOf(mount));
  const validation = [...objectFindings(object), ...strategyFindings(mount)];
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
  if (!mount.hasKnownReplicas) return { ...planned, simulation: null, findings: validation };

  const workload = workloadOf(object, mount, strategy);
  const { replicas } = workload;
  const simulation = simulateDeployment(strategy, replicas);
  const documented = documentedRollout(object, simulation);
  const consequences = rolloutFindings({ strategy, replicas, strategyPath: mount.path }).map((finding) =>
    asOperatorFinding(finding, mount),
  );
  return { ...planned, workload, simulation, ...(documented && { documented }), findings: [...validation, ...consequences] };
}

function systemFor(mountsIn: (object: Manifest) => Mount[]): RolloutSystem {
  return {
    name: 'baw',
    catalogue: BAW_CATALOGUE,
    recognises: (object) => mountsIn(object).length > 0,
    plan: (object) => mountsIn(object).map((mount) => planMount(object, mount)),
  };
}

/** Custom resources of an operator, such as IBM BAW's, with a snake_case strategy that becomes that of its Deployments. */
export const bawSystem = systemFor(mountsOf);

/** The same for resources that have a strategy at `mountPath`, where no one but their user could tell that it is one. */
export function bawSystemAt(mountPath: string): RolloutSystem {
  return systemFor((object) => mountsWith(object, mountPath));
}
