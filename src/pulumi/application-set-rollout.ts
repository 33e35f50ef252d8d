import * as pulumi from '@pulumi/pulumi';
import { toFieldPath } from '../core/manifest/field-path';
import type { Finding } from '../core/findings/finding';
import type { PlanDocument } from '../core/document/plan-document';
import { MAP } from '../core/values/schema';
import { APPLICATION_SET_SHAPE, buildApplicationSetPropPaths, planApplicationSet } from '../props/application-set';
import { requireInventory } from '../props/inventory';
import type { InventoryProp } from '../props/inventory';
import { buildApplicationSet } from '../systems/argo-cd/props';
import type { ApplicationSetIntent } from '../systems/argo-cd/props';
import { registerObject } from './child-resources';
import { formatOutputPlaceholders } from './opaque-outputs';
import type { UnreadProps, WithInputs } from './opaque-outputs';
import { stackMemory } from './stack-memory';
import { RolloutComponent } from './rollout-component';
import { prepareComponent } from './component-builder';
import type { ComponentBuilder } from './component-builder';

/** Arguments of an `ApplicationSetRollout`. Fields of `template.spec` may be Outputs. */
export type ApplicationSetRolloutArgs = WithInputs<ApplicationSetIntent> & InventoryProp;

/**
 * An ApplicationSet of Argo CD whose Applications sync in steps. This is the Pulumi version of the cdk8s construct.
 *
 * A step that never allows its Applications to sync fails the preview, and so does an Application of the inventory that no step selects.
 * Pulumi does not wait for the set, because its status has no Ready condition.
 *
 * Source: Argo CD v3.5.1, applicationset/progressivesync/progressive_sync.go.
 *
 * @example
 * new ApplicationSetRollout('shop', {
 *   generators: [{ clusters: { selector: { matchExpressions: [{ key: 'env', operator: 'Exists' }] } } }],
 *   template: { metadata: { name: 'shop-{{name}}', labels: { env: '{{metadata.labels.env}}' } }, spec: application },
 *   steps: [{ match: { env: 'dev' } }, { match: { env: 'prod' }, maxUpdate: '10%' }],
 *   inventory: Inventory.fromFile('clusters.yaml'),
 * });
 */
export class ApplicationSetRollout extends RolloutComponent {
  /** Plan of the syncs of its Applications, by wave. */
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** The ApplicationSet, for use in `dependsOn`. */
  public readonly resource: pulumi.Resource;
  /** Findings about the props and about the rollout that they lead to. */
  public readonly findings: readonly Finding[];

  /**
   * Registers the ApplicationSet.
   *
   * @param name of the component, and of the set unless `metadata.name` is given
   * @throws IntentError for a label that is matched with a value other than strings
   * @throws RunError if the set would never sync (the message lists every reason), or if a prop that must be known at preview is an
   * Output (the message names the prop)
   */
  public constructor(name: string, args: ApplicationSetRolloutArgs, opts: pulumi.ComponentResourceOptions = {}) {
    const { manifest, plan, loggedFindings } = prepareComponent('ApplicationSetRollout', name, (component) =>
      resolveArgs(component, name, args),
    );
    super('ApplicationSetRollout', name, opts, loggedFindings);
    this.findings = plan.rollouts.flatMap(({ findings }) => findings);
    this.plan = pulumi.output(plan);
    this.resource = registerObject(name, manifest, { parent: this });
    this.registerOutputs({ plan });
  }
}

/** Reports whether a prop only affects what an Application deploys, not its step. */
const isApplicationProp: UnreadProps = ([prop, field, ...rest]) => prop === 'template' && field === 'spec' && rest.length > 0;

/** Resolves everything that the component registers. Throws if there are errors. */
function resolveArgs(component: ComponentBuilder, name: string, args: ApplicationSetRolloutArgs) {
  const { inventory, ...intent } = component.read(args);
  component.requirePlainValue(inventory, toFieldPath`inventory`, { inventory: MAP });
  const { props, restore } = component.readProps<ApplicationSetIntent>(intent, APPLICATION_SET_SHAPE, isApplicationProp);
  const manifest = component.runWithTitle(() => {
    requireInventory(inventory);
    return buildApplicationSet(name, props);
  });
  stackMemory().remember({ inventory });
  const plan = formatOutputPlaceholders(component.runWithTitle(() => planApplicationSet(manifest, { inventory })));
  return {
    manifest: restore(manifest),
    plan,
    loggedFindings: component.collectFindings([], plan, buildApplicationSetPropPaths(props), [manifest]),
  };
}
