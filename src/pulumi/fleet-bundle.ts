import * as pulumi from '@pulumi/pulumi';
import { stringify } from 'yaml';
import { toFieldPath } from '../core/manifest/field-path';
import type { Finding } from '../core/findings/finding';
import { getValueAt } from '../core/manifest/manifest';
import type { Manifest, ObjectMeta } from '../core/manifest/manifest';
import { collectFindings } from '../core/document/plan-document';
import type { PlanDocument } from '../core/document/plan-document';
import { MAP } from '../core/values/schema';
import { describeValue } from '../core/text/display-value';
import { buildBundlePropPaths, buildBundleShape, findUnnamedResources, planBundle, resolveBundle } from '../props/fleet-bundle';
import type { BundleOutput, FleetYamlOutput } from '../props/fleet-bundle';
import type { Inventory, InventoryProp } from '../props/inventory';
import { findBundleContradiction } from '../systems/fleet/bundle-intent';
import type { BundleIntent } from '../systems/fleet/bundle-intent';
import { createNoNamespaceFinding } from '../systems/fleet/rules/no-target';
import type { FleetYaml, RolloutStrategy } from '../systems/fleet/types';
import { locateGoalOrigins, mergeGoalOrigins } from '../props/goal-origin';
import { registerObject } from './child-resources';
import { isPendingOutput, formatOutputPlaceholders } from './opaque-outputs';
import type { UnreadProps, WithInputs } from './opaque-outputs';
import { stackMemory } from './stack-memory';
import { RolloutComponent } from './rollout-component';
import { prepareComponent } from './component-builder';
import type { ComponentBuilder } from './component-builder';

/** Resources of a Bundle. */
export interface BundleResources {
  /** Deployed resources. Images and similar values may be Outputs. @default - none */
  readonly resources?: readonly Manifest[];
  /** File of the bundle that contains the resources. @default manifests.yaml */
  readonly resourceFile?: string;
}

/** A Bundle, which is applied directly. */
export type BundleOutputArgs = WithInputs<BundleIntent & BundleOutput & BundleResources> & InventoryProp;

/** A GitRepo. The fleet.yaml and the resources belong into the repository that it watches. */
export type FleetYamlOutputArgs = WithInputs<Omit<BundleIntent, 'targets'> & FleetYamlOutput & { readonly resources?: undefined }> &
  InventoryProp;

type PlainProps = BundleIntent & ((BundleOutput & BundleResources) | (FleetYamlOutput & { readonly resources?: undefined }));

/** Arguments of a `FleetBundle`. */
export type FleetBundleArgs = BundleOutputArgs | FleetYamlOutputArgs;

/**
 * A Rancher Fleet bundle whose rollout over clusters is declared as an intent. This is the Pulumi version of the cdk8s construct.
 *
 * `output: 'bundle'` registers a Bundle that contains the resources, `output: 'fleet.yaml'` a GitRepo.
 * Commit `fleetYaml` at one of its `paths` then. Never use both for one bundle, because Fleet overwrites Bundles that a GitRepo owns.
 * ClusterGroups that partitions declare are registered before it.
 *
 * Props that Fleet or the API server would refuse, and rollouts that never finish, fail the preview.
 * Warnings are logged to the component.
 *
 * @see Fleet guide, "Rollout Strategy"
 *
 * @example
 * new FleetBundle('shop', {
 *   metadata: { namespace: 'fleet-default' },
 *   resources: [deployment],
 *   targets: [{ clusterSelector: {} }],
 *   rollout: { maxUnavailable: '10%', partitions: partitionsByLabel('env', ['staging', 'prod']) },
 *   inventory: Inventory.fromFile('clusters.yaml'),
 * });
 */
export class FleetBundle extends RolloutComponent {
  /** Plan with the order in which clusters get the bundle, and where the rollout halts. */
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** The Bundle, or the GitRepo, for use in `dependsOn`. */
  public readonly bundle: pulumi.Resource;
  /** ClusterGroups that partitions declare. */
  public readonly clusterGroups: readonly pulumi.Resource[];
  /** The rolloutStrategy for the intent. */
  public readonly rolloutStrategy: RolloutStrategy;
  /** Content of the fleet.yaml. Undefined for a Bundle. */
  public readonly fleetYaml?: FleetYaml;
  /** Findings about the bundle. */
  public readonly findings: readonly Finding[];

  /**
   * Resolves the rollout over the clusters of the inventory and registers the ClusterGroups, then the bundle.
   *
   * @param name of the component, and of the bundle unless `metadata.name` is given
   * @throws FleetIntentError for a rollout that no strategy can express
   * @throws RunError if the bundle would be refused (the message lists every reason), or if a prop that must be known at preview is an
   * Output (the message names the prop)
   */
  public constructor(name: string, args: FleetBundleArgs, opts: pulumi.ComponentResourceOptions = {}) {
    const { bundle, groups, rolloutStrategy, fleetYaml, plan, loggedFindings } = prepareComponent('FleetBundle', name, (component) =>
      resolveArgs(component, name, args),
    );
    super('FleetBundle', name, opts, loggedFindings);
    this.rolloutStrategy = rolloutStrategy;
    this.fleetYaml = fleetYaml;
    this.findings = collectFindings(plan);
    this.plan = pulumi.output(plan);
    this.clusterGroups = groups.map((group) => registerObject(`${name}-clustergroup-${group.metadata!.name}`, group, { parent: this }));
    this.bundle = registerObject(name, bundle, { parent: this, dependsOn: [...this.clusterGroups] });
    this.registerOutputs({ plan });
  }
}

/** Resolves everything that the component registers. Throws if there are errors. */
function resolveArgs(component: ComponentBuilder, name: string, args: FleetBundleArgs) {
  const input = component.read(args);
  const { inventory, ...intent } = input;
  component.requirePlainValue(inventory, toFieldPath`inventory`, { inventory: MAP });
  const { props, restore } = component.readProps<PlainProps>(intent, buildBundleShape, isUnreadProp);
  const isNamespaceUnknown = isPendingOutput(getValueAt(input, 'metadata', 'namespace'));
  const assumed = inventory && isNamespaceUnknown ? findOnlyNamespace(inventory) : undefined;
  if (inventory && isNamespaceUnknown && assumed === undefined) throw component.createError([NAMESPACE_UNKNOWN_ERROR]);
  const { resources } = props;
  if (resources !== undefined && !Array.isArray(resources)) {
    throw component.createError([`resources is ${describeValue(resources)}; pass a list of objects`]);
  }
  if (resources?.length === 0) throw component.createError([NO_RESOURCES]);
  const unnamed = findUnnamedResources(resources);
  if (unnamed.length > 0) throw component.createError(unnamed);
  const contradiction = findBundleContradiction(props);
  if (contradiction !== undefined) throw component.createError([contradiction]);

  const { metadata, manifest, clusterGroups, fleetYaml, rolloutStrategy, origin } = component.runWithTitle(() =>
    resolveBundle(name, assumed ?? props.metadata?.namespace, props, inventory),
  );
  const groups = clusterGroups.map((group) => withNamespace(group, metadata));
  stackMemory().remember({ inventory, versions: { fleet: props.fleet } });
  const [planned, ...plannedGroups] = [manifest, ...groups].map((object) => withNamespace(object, { namespace: assumed }));
  const objects = [planned!, ...plannedGroups];
  const origins = origin && !fleetYaml ? locateGoalOrigins(planned!, [origin]) : [];
  const bundlePlan = planBundle({ folder: name, objects, fleetYaml, inventory, fleet: props.fleet });
  const plan = formatOutputPlaceholders(mergeGoalOrigins(bundlePlan, origins));
  const bundle = props.resources ? withResources(restore(manifest), props.resourceFile, restore(props.resources)) : restore(manifest);
  return {
    bundle,
    groups: restore(groups),
    rolloutStrategy,
    fleetYaml: fleetYaml && restore(fleetYaml),
    plan,
    loggedFindings: [
      ...component.collectFindings([], plan, buildBundlePropPaths(props, rolloutStrategy), objects),
      ...checkNamespace(metadata),
    ],
  };
}

/** Reports whether a prop is written into the bundle without being planned: the resources and the values for Helm. */
const isUnreadProp: UnreadProps = ([prop, ...rest]) => {
  if (prop === 'resources') return rest.length > 0;
  return prop === 'helm' && rest.length > 1 && (rest[0] === 'values' || rest[0] === 'templateValues');
};

/** Returns the namespace of all clusters of an inventory. Undefined if they have several, or none is written. */
function findOnlyNamespace({ clusters }: Inventory): string | undefined {
  const namespaces = [...new Set(clusters.map(({ namespace }) => namespace))];
  return namespaces.length === 1 ? namespaces[0] : undefined;
}

const NO_RESOURCES = 'resources has no objects, so the bundle deploys nothing; add objects, or leave resources out';

const NAMESPACE_UNKNOWN_ERROR =
  'metadata.namespace is not known at preview, a bundle only targets clusters in its namespace, and the clusters of the inventory are not all in one: ' +
  'write the plain value, or pass the clusters of one namespace';

/** Warns about a bundle without a namespace, which gets that of its provider. */
function checkNamespace({ namespace }: ObjectMeta): Finding[] {
  return namespace === undefined ? [createNoNamespaceFinding()] : [];
}

function withNamespace(manifest: Manifest, { namespace }: ObjectMeta): Manifest {
  return namespace === undefined ? manifest : { ...manifest, metadata: { ...manifest.metadata, namespace } };
}

/** Adds the resources to the Bundle as one file. The rollout does not depend on them, so the text may become known during the update. */
function withResources(bundle: Manifest, name = 'manifests.yaml', resources: readonly Manifest[] = []): Manifest {
  const textOf = (object: unknown) => stringify(object, { version: '1.1', lineWidth: 0 });
  const content = pulumi.output(resources).apply((objects) => objects.map(textOf).join('---\n'));
  return { ...bundle, spec: { ...(bundle.spec as object), resources: [{ name, content }] } };
}
