import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ApiObject, Chart, Lazy, Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/finding';
import { collectFindings } from '../core/plan-document';
import { describeValue } from '../core/display-value';
import type { Manifest } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { buildBundlePropPaths, buildBundleShape, planBundle, resolveBundle, createUnresolvedBundle } from '../props/fleet-bundle';
import type { BundleOutput, FleetYamlOutput, ResolvedBundle } from '../props/fleet-bundle';
import type { InventoryProp } from '../props/inventory';
import { findBundleContradiction } from '../systems/fleet/bundle-intent';
import type { BundleIntent } from '../systems/fleet/bundle-intent';
import type { BundleResource, FleetYaml, RolloutStrategy } from '../systems/fleet/types';
import { failSynthOnDuplicates, failSynthOnGitNameConflict, markStandalone } from './name-conflicts';
import { isRejectedConstruct, tryCreate, planConstruct, throwIfInvalid, validateConstructProps } from './validate-props';
import { createSynthError, failSynthOnPatchErrors, failSynthOnErrors } from './synth-errors';
import type { Patchable } from './synth-errors';

/** What a `FleetBundle` is, whatever it is written as. */
export interface FleetBundleContent extends BundleIntent, InventoryProp {
  /** What is deployed: the objects of a chart, which may still grow until synth, or plain objects. @default - none */
  readonly resources?: Chart | readonly Manifest[];
}

/** A Bundle, which is applied as it is. */
export interface BundleOutputProps extends FleetBundleContent, BundleOutput {}

/** A fleet.yaml beside the manifests, which `writeTo` writes, and the GitRepo that finds it. */
export interface FleetYamlOutputProps extends Omit<FleetBundleContent, 'targets'>, FleetYamlOutput {}

/** Properties of a `FleetBundle`. */
export type FleetBundleProps = BundleOutputProps | FleetYamlOutputProps;

/**
 * A Rancher Fleet bundle whose rollout over clusters is stated as intent.
 *
 * `output: 'bundle'` emits a Bundle that holds the resources. `output: 'fleet.yaml'` emits a GitRepo,
 * and `writeTo` writes the fleet.yaml beside the manifests into a folder to commit. Never both for one bundle:
 * Fleet overwrites Bundles that a GitRepo owns. ClusterGroups that partitions bring along are emitted too.
 *
 * Behind partitions by hand a last one takes in every cluster that none of them matches, for Fleet would never install nor update those.
 * What Fleet or the API server would refuse, and what could never finish, fails the synth. Warnings are for the plan:
 * `rollouts` and `rolloutkit plan`.
 *
 * @see Fleet guide, "Rollout Strategy"
 *
 * @example
 * new FleetBundle(chart, 'shop', {
 *   resources: manifests,
 *   targets: [{ clusterSelector: {} }],
 *   rollout: { maxUnavailable: '10%', partitions: partitionsByLabel('env', ['staging', 'prod']) },
 *   inventory: Inventory.fromFile('clusters.yaml'),
 * });
 */
export class FleetBundle extends Construct {
  private static readonly patchable: Patchable<FleetBundle> = {
    objects: ({ apiObject, clusterGroups }) => [apiObject, ...clusterGroups],
    plan: (construct) => construct.plan(),
  };

  /** The Bundle, or the GitRepo, for patches and dependencies. Patches are applied last. */
  public readonly apiObject: ApiObject;
  /** The ClusterGroups that partitions bring along. */
  public readonly clusterGroups: readonly ApiObject[];
  /** The rolloutStrategy that the intent means. */
  public readonly rolloutStrategy: RolloutStrategy;
  /** The content of the fleet.yaml; undefined for a Bundle. */
  public readonly fleetYaml?: FleetYaml;
  /** What is wrong with the bundle. Errors among it fail the synth. */
  public readonly findings: readonly Finding[];

  /** Undefined where nothing could be made of them. */
  private readonly props?: FleetBundleProps;
  private readonly manifest: Manifest;

  /**
   * Settles the rollout among the clusters of the inventory, and adds the objects to the chart.
   *
   * @param id of the construct, and the name of the bundle unless `metadata.name` is given
   */
  public constructor(scope: Construct, id: string, input: FleetBundleProps) {
    super(scope, id);
    const props = validateConstructProps(this, input, buildBundleShape);
    const resolved = tryCreate(
      this,
      () => undefined,
      () => props && resolveInChart(Chart.of(this), id, props),
    );
    this.props = resolved && props;
    const { metadata, manifest, clusterGroups, fleetYaml, rolloutStrategy } = resolved ?? createUnresolvedBundle(id);
    this.manifest = manifest;
    this.rolloutStrategy = rolloutStrategy;
    this.clusterGroups = clusterGroups.map((group) => new ApiObject(this, `ClusterGroup-${group.metadata!.name}`, group));
    if (fleetYaml) {
      this.fleetYaml = fleetYaml;
      this.apiObject = new ApiObject(this, 'GitRepo', manifest);
      failSynthOnGitNameConflict(this, metadata.name, this.apiObject);
    } else {
      const spec = { ...(manifest.spec as object), resources: this.resourceFiles() };
      this.apiObject = new ApiObject(this, 'Resource', { ...manifest, spec });
    }

    this.findings = tryCreate(
      this,
      () => [],
      () => collectFindings(this.planWithoutResources()),
    );
    const resources = this.props?.resources;
    if (Chart.isChart(resources)) markStandalone(resources);
    failSynthOnDuplicates(this);
    failSynthOnErrors(this, this.findings, () => buildBundlePropPaths(input, rolloutStrategy));
    failSynthOnPatchErrors(this, this.findings, FleetBundle.patchable);
  }

  /** How the bundle will be rolled out, patches included: the plan document's rollout. */
  public get rollouts(): readonly PlannedRollout[] {
    return this.plan().rollouts;
  }

  /**
   * Writes the fleet.yaml, and beside it the resources, into a folder to commit where the GitRepo's `paths` lead.
   *
   * @param folder made if it is not there; a file of the same name is replaced
   * @throws Error for a bundle that is written as a Bundle; for one that is refused, with all that the synth would fail with
   */
  public writeTo(folder: string): void {
    if (isRejectedConstruct(this)) throw createSynthError(this);
    if (!this.fleetYaml) throw new Error(`[${this.node.path}] is written as a Bundle; write output: 'fleet.yaml' to get a fleet.yaml`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'fleet.yaml'), Yaml.stringify(this.fleetYaml));
    if (this.props?.resources) writeFileSync(path.join(folder, this.resourceFile), this.resourceText());
  }

  private plan(): PlanDocument {
    return this.planOf(this.apiObject.toJson() as Manifest);
  }

  /** No rollout depends on the resources, which may not be complete yet. */
  private planWithoutResources(): PlanDocument {
    if (!this.props?.resources || this.fleetYaml) return this.plan();
    const metadata = { name: this.apiObject.name, namespace: this.apiObject.metadata.namespace };
    return this.planOf({ ...this.manifest, metadata });
  }

  private planOf(emitted: Manifest): PlanDocument {
    const objects = [emitted, ...this.clusterGroups.map((group) => group.toJson() as Manifest)];
    const { inventory, fleet } = this.props ?? {};
    return planConstruct(this, () => planBundle({ folder: this.node.id, objects, fleetYaml: this.fleetYaml, inventory, fleet }));
  }

  private get resourceFile(): string {
    const resources = this.props?.resources;
    return Chart.isChart(resources) ? `${resources.node.id}.yaml` : 'manifests.yaml';
  }

  private resourceText(): string {
    const resources = this.props?.resources ?? [];
    const objects = Chart.isChart(resources) ? collectChartObjects(resources) : resources;
    return objects.map((object) => Yaml.stringify(object)).join('---\n');
  }

  /** The chart may still grow, so its content is rendered when the Bundle is. */
  private resourceFiles(): readonly BundleResource[] | undefined {
    if (!this.props?.resources) return undefined;
    return [{ name: this.resourceFile, content: Lazy.any({ produce: () => this.resourceText() }) as string }];
  }
}

/** What cdk8s would write for a chart, in the order of creation: Helm, by which Fleet deploys, sorts by kind itself. */
function collectChartObjects(chart: Chart): unknown[] {
  return chart.node
    .findAll()
    .flatMap((object): unknown[] => (ApiObject.isApiObject(object) && Chart.of(object) === chart ? [object.toJson()] : []));
}

/** What the props make of a bundle that stands in this chart. */
function resolveInChart(chart: Chart, id: string, props: FleetBundleProps): ResolvedBundle {
  const contradiction = findContradiction(props, chart);
  throwIfInvalid(contradiction === undefined ? [] : [contradiction]);
  return resolveBundle(id, props.metadata?.namespace ?? chart.namespace, props, props.inventory);
}

/** Props that can't hold together, whatever the types say: JavaScript and casts can bring them. */
function findContradiction(props: FleetBundleProps, bundleChart: Chart): string | undefined {
  const { resources } = props;
  if (resources !== undefined && !Array.isArray(resources) && !Chart.isChart(resources)) {
    return `resources is ${describeValue(resources)}; write a chart or a list of objects`;
  }
  if (resources === bundleChart) return 'resources is the chart of the bundle itself; put what is deployed into a chart of its own';
  return findBundleContradiction(props);
}
