import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/finding';
import type { Manifest } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { OPERATOR_SHAPE, operatorPlaces, planOperatorResource, settledOperatorResource } from '../props/operator-rollout';
import { DEFAULT_MOUNT_PATH, OPERATOR_RESOURCE } from '../systems/operator-resource/manifests';
import type { OperatorRollingUpdateProps } from '../systems/operator-resource/manifests';
import { refuseDuplicates } from './owned-names';
import { firstFindings, madeObject, madeOr, plannedBy, usableProps } from './props-check';
import { oneObject, refuseBrokenByPatch, refuseErrors } from './synth-errors';

/**
 * An operator's custom resource, such as IBM BAW's, whose rollout is stated as intent.
 *
 * The strategy is written in snake_case at `mountPath`, with both limits explicit.
 * The operator turns it into the strategy of its Deployments, which is what the plan shows:
 * its waves, and beside them the steps that IBM's page walks through, where they differ.
 *
 * What the API server would refuse in those Deployments fails the synth, wherever the strategy stands. Which place an operator reads, and
 * which values it takes, is its documentation's to say: no schema of the strategy is published.
 *
 * @see IBM BAW 25.0.1, "Applying a rolling update strategy"
 *
 * @example
 * new OperatorRollingUpdate(chart, 'baw', { replicas: 5, strategy: { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: '25%' } });
 */
export class OperatorRollingUpdate extends Construct {
  private static readonly patchable = oneObject<OperatorRollingUpdate>((made) => made.plan());

  /** The custom resource, for patches and dependencies. Patches are applied last. */
  public readonly apiObject: ApiObject;
  /** What is wrong with the intent, and what it means. Errors among it fail the synth. */
  public readonly findings: readonly Finding[];

  private readonly mountPath: string;

  /**
   * Writes the strategy into the resource, and adds that to the chart.
   *
   * @param id of the construct, and the name of the resource unless its `metadata.name` is given
   */
  public constructor(scope: Construct, id: string, given: OperatorRollingUpdateProps) {
    super(scope, id);
    const props = usableProps(this, given, OPERATOR_SHAPE);
    const settled = madeOr(
      this,
      () => undefined,
      () => props && settledOperatorResource(id, props),
    );
    this.mountPath = settled?.mountPath ?? DEFAULT_MOUNT_PATH;
    this.apiObject = madeObject(this, OPERATOR_RESOURCE, settled, ({ manifest }) => manifest);
    this.findings = settled && settled.malformed.length > 0 ? settled.malformed : firstFindings(this);
    refuseDuplicates(this);
    refuseErrors(this, this.findings, () => operatorPlaces(this.mountPath, given.strategy));
    refuseBrokenByPatch(this, this.findings, OperatorRollingUpdate.patchable);
  }

  /**
   * How the operator's Deployments will roll out, patches included: one rollout for each strategy of the resource,
   * the one at `mountPath` whatever its field is called. A plan of the YAML finds those alone that are called `strategy`.
   */
  public get rollouts(): readonly PlannedRollout[] {
    return this.plan().rollouts;
  }

  private plan(): PlanDocument {
    return plannedBy(this, () => planOperatorResource(this.apiObject.toJson() as Manifest, this.mountPath));
  }
}
