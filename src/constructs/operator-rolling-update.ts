import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/findings/finding';
import type { Manifest } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import { OPERATOR_SHAPE, buildOperatorPropPaths, planOperatorResource, resolveOperatorResource } from '../props/operator-rollout';
import { DEFAULT_MOUNT_PATH, OPERATOR_RESOURCE } from '../systems/operator-resource/manifests';
import type { OperatorRollingUpdateProps } from '../systems/operator-resource/manifests';
import { locateGoalOrigins, mergeGoalOrigins } from '../props/goal-origin';
import type { GoalOrigin, ObjectGoalOrigin } from '../props/goal-origin';
import { listSurroundings } from './surroundings';
import { recordContext } from './app-memory';
import { failSynthOnDuplicates } from './name-conflicts';
import {
  failSynthOnInvalidMetadata,
  collectInitialFindings,
  createApiObject,
  tryCreate,
  planConstruct,
  validateConstructProps,
} from './validate-props';
import { createSingleObjectPatchable, failSynthOnPatchErrors, failSynthOnErrors } from './synth-errors';

/**
 * An operator's custom resource, such as IBM BAW's, whose rollout is declared as an intent.
 *
 * The strategy is written in snake_case at `mountPath`, with both limits explicit.
 * The operator turns it into the strategy of its Deployments. The plan shows their waves,
 * and also the steps that IBM's page documents, if they differ.
 *
 * A strategy that the API server would refuse in those Deployments fails the synth, at any `mountPath`. See the documentation of the operator
 * for the path that it reads and the values that it accepts: no schema of the strategy is published.
 *
 * @see IBM BAW 25.0.1, "Applying a rolling update strategy"
 *
 * @example
 * new OperatorRollingUpdate(chart, 'baw', { replicas: 5, strategy: { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: '25%' } });
 */
export class OperatorRollingUpdate extends Construct {
  private static readonly patchable = createSingleObjectPatchable<OperatorRollingUpdate>((construct) => construct.plan());

  /** The custom resource, for patches and dependencies. Patches are applied last. */
  public readonly apiObject: ApiObject;
  /** Findings about the props and about the rollout that they lead to. Errors fail the synth. */
  public readonly findings: readonly Finding[];

  private readonly mountPath: string;
  private readonly origins: readonly GoalOrigin[];

  /**
   * Writes the strategy into the resource and adds the resource to the chart.
   *
   * @param id of the construct, and the name of the resource unless its `metadata.name` is given
   */
  public constructor(scope: Construct, id: string, input: OperatorRollingUpdateProps) {
    super(scope, id);
    const props = validateConstructProps(this, input, OPERATOR_SHAPE);
    const resolved = tryCreate(
      this,
      () => undefined,
      () => props && resolveOperatorResource(id, props, () => listSurroundings(this)),
    );
    this.mountPath = resolved?.mountPath ?? DEFAULT_MOUNT_PATH;
    this.apiObject = createApiObject(this, OPERATOR_RESOURCE, resolved, ({ manifest }) => manifest);
    this.origins = resolved?.origins ?? [];
    if (this.origins.length > 0) recordContext(this, {}, { goals: () => this.locateOrigins() });
    this.findings = resolved && resolved.malformed.length > 0 ? resolved.malformed : collectInitialFindings(this);
    failSynthOnDuplicates(this);
    failSynthOnErrors(this, this.findings, () => buildOperatorPropPaths(this.mountPath, input.strategy));
    failSynthOnInvalidMetadata(this, [this.apiObject], this.findings, [['metadata', 'resource.metadata']]);
    failSynthOnPatchErrors(this, this.findings, OperatorRollingUpdate.patchable);
  }

  /**
   * Planned rollouts of the operator's Deployments, patches included: one for each strategy of the resource.
   * The one at `mountPath` may have any field name. A plan of the YAML only finds strategies in a field named `strategy`.
   */
  public get rollouts(): readonly PlannedRollout[] {
    return this.plan().rollouts;
  }

  private plan(): PlanDocument {
    const plan = () => planOperatorResource([this.apiObject.toJson() as Manifest], this.mountPath);
    return planConstruct(this, () => mergeGoalOrigins(plan(), this.locateOrigins()));
  }

  private locateOrigins(): readonly ObjectGoalOrigin[] {
    return this.origins.length === 0 ? [] : locateGoalOrigins(this.apiObject.toJson() as Manifest, this.origins);
  }
}
