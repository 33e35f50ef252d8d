import type { Finding } from '../core/finding';
import { valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import type { RayServiceSimulation } from '../core/rollout';
import { planManifests } from '../plan/plan';
import { operatorUpgrade } from '../systems/kuberay/manifests';
import { stageFindings } from '../systems/kuberay/rules/out-of-range';
import { stagedUpgrade } from '../systems/kuberay/stages';
import type { StagedUpgrade, UpgradeStage } from '../systems/kuberay/stages';
import type { OperatorUpgradeProps, StagedUpgradeProps } from '../systems/kuberay/types';
import type { MapProps } from './usable-props';

/** The props of an upgrade that must be maps. */
export function upgradeMaps(props: unknown): MapProps {
  return valueAt(props, 'ownership') === 'gitops'
    ? { upgrade: 'required', current: 'required', next: 'required', metadata: 'optional' }
    : { upgrade: 'required', serveConfig: 'required', rayCluster: 'required', metadata: 'optional' };
}

/** What an upgrade becomes, whoever drives it. */
export interface SettledUpgrade {
  /** What is emitted, in order; none where a stage of its own is emitted for each of `stages`. */
  readonly objects: readonly Manifest[];
  /** What the upgrade will do, row by row; null when it is refused. */
  readonly simulation: RayServiceSimulation | null;
  /** The steps for Git, one for each row of the simulation; none where the operator drives. */
  readonly stages: readonly UpgradeStage[];
  /** What is wrong with the intent, by prop. */
  readonly findings: readonly Finding[];
  /** The upgrade by Git, for its README; undefined where the operator drives. */
  readonly staged?: StagedUpgrade;
}

/**
 * The objects of an upgrade: those of one stage where Git drives it.
 *
 * @param name of what is emitted unless the metadata has one
 * @param stage to emit, where Git drives
 */
export function settledUpgrade(name: string, props: OperatorUpgradeProps | StagedUpgradeProps, stage: number | 'all'): SettledUpgrade {
  if (props.ownership !== 'gitops') {
    const { rayService, gatewayClass, simulation, findings } = operatorUpgrade(name, props);
    return { objects: [...(gatewayClass ? [gatewayClass] : []), rayService], simulation, stages: [], findings };
  }
  const staged = stagedUpgrade(name, props);
  const { stages, simulation } = staged;
  const objects = stage === 'all' ? [] : (stages[stage]?.objects ?? []);
  return { objects, simulation, stages, findings: [...staged.findings, ...stageFindings(stages, stage)], staged };
}

/** The plan of what the operator rolls out: nothing where Git drives. */
export function planUpgrade(
  objects: readonly unknown[],
  { ownership, kuberay, startupSeconds }: Pick<OperatorUpgradeProps | StagedUpgradeProps, 'ownership' | 'kuberay' | 'startupSeconds'>,
): PlanDocument {
  return planManifests(ownership === 'gitops' ? [] : objects, { versions: { kuberay }, startupSeconds });
}
