import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/findings/finding';
import type { Manifest } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import { APPLICATION_SET_SHAPE, buildApplicationSetPropPaths, planApplicationSet } from '../props/application-set';
import type { ApplicationSetRolloutProps } from '../props/application-set';
import { requireInventory } from '../props/inventory';
import { APPLICATION_SET, buildApplicationSet } from '../systems/argo-cd/props';
import { recordContext } from './app-memory';
import { failSynthOnDuplicates } from './name-conflicts';
import {
  failSynthOnInvalidMetadata,
  collectInitialFindings,
  createApiObject,
  isRejectedConstruct,
  planConstruct,
  validateConstructProps,
} from './validate-props';
import { createSingleObjectPatchable, failSynthOnPatchErrors, failSynthOnErrors } from './synth-errors';

/**
 * An ApplicationSet of Argo CD whose Applications sync in steps, over the clusters of an inventory.
 *
 * A step that never allows its Applications to sync fails the synth, and so does an Application of the inventory that no step selects.
 * The controller follows the steps only if it runs with `--enable-progressive-syncs`, and silently ignores them otherwise. Pass the
 * ConfigMap argocd-cmd-params-cm to `rolloutkit plan` to check.
 *
 * Source: Argo CD v3.5.1, applicationset/progressivesync/progressive_sync.go.
 *
 * @example
 * new ApplicationSetRollout(chart, 'shop', {
 *   generators: [{ clusters: { selector: { matchExpressions: [{ key: 'env', operator: 'Exists' }] } } }],
 *   template: { metadata: { name: 'shop-{{name}}', labels: { env: '{{metadata.labels.env}}' } }, spec: application },
 *   steps: [{ match: { env: 'dev' } }, { match: { env: 'prod' }, maxUpdate: '10%' }],
 *   inventory: Inventory.fromFile('clusters.yaml'),
 * });
 */
export class ApplicationSetRollout extends Construct {
  private static readonly patchable = createSingleObjectPatchable<ApplicationSetRollout>((construct) => construct.plan());

  /** The ApplicationSet, for patches and dependencies. Patches are applied last. */
  public readonly apiObject: ApiObject;
  /** Findings about the props and about the rollout that they lead to. Errors fail the synth. */
  public readonly findings: readonly Finding[];

  private readonly inventory: ApplicationSetRolloutProps['inventory'];

  /**
   * Adds the ApplicationSet to the chart.
   *
   * @param id of the construct, and the name of the set unless `metadata.name` is given
   */
  public constructor(scope: Construct, id: string, input: ApplicationSetRolloutProps) {
    super(scope, id);
    const props = validateConstructProps(this, input, APPLICATION_SET_SHAPE);
    this.apiObject = createApiObject(this, APPLICATION_SET, props, (usable) => {
      const { inventory, ...intent } = usable;
      requireInventory(inventory);
      return buildApplicationSet(id, intent);
    });
    this.inventory = isRejectedConstruct(this) ? undefined : props?.inventory;
    this.findings = collectInitialFindings(this);
    recordContext(this, { inventory: this.inventory });
    failSynthOnDuplicates(this);
    failSynthOnErrors(this, this.findings, () => buildApplicationSetPropPaths(input));
    failSynthOnInvalidMetadata(this, [this.apiObject], this.findings);
    failSynthOnPatchErrors(this, this.findings, ApplicationSetRollout.patchable);
  }

  /** Planned syncs of its Applications, by wave, patches included. */
  public get rollouts(): readonly PlannedRollout[] {
    return this.plan().rollouts;
  }

  private plan(): PlanDocument {
    return planConstruct(this, () => planApplicationSet(this.apiObject.toJson() as Manifest, { inventory: this.inventory }));
  }
}
