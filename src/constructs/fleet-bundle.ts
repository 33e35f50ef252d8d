import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ApiObject, Chart, Lazy, Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/finding';
import type { Manifest, ObjectMeta } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import type { Inventory } from '../props/inventory';
import { planInput } from '../plan/plan';
import { bundleContradiction, bundleStrategy } from '../systems/fleet/bundle-intent';
import type { BundleIntent } from '../systems/fleet/bundle-intent';
import { fleetYamlObject } from '../systems/fleet/fleet-yaml';
import { bundleManifest, clusterGroupManifest, fleetYamlContent, gitRepoManifest } from '../systems/fleet/manifests';
import { broughtGroups } from '../systems/fleet/rollout-intent';
import type { BundleResource, FleetYaml, GitRepoSpec, GitTarget, ImageScan, RolloutStrategy } from '../systems/fleet/types';
import { refuseGitOwnedNames } from './git-owned-names';
import { refuseUnusableProps } from './props-check';
import { refuseErrors } from './synth-errors';

/** What a `FleetBundle` is, whatever it is written as. */
interface CommonProps extends Omit<BundleIntent, 'inventory'> {
  /** What is deployed: the objects of a chart, which may still grow until synth, or plain objects. @default - none */
  readonly resources?: Chart | readonly Manifest[];
  /** The clusters to plan against. @default - none: what the strategy says by itself is judged all the same */
  readonly inventory?: Inventory;
}

/** A Bundle, which is applied as it is. */
export interface BundleOutputProps extends CommonProps {
  /** @default bundle */
  readonly output?: 'bundle';
  /** A GitRepo would overwrite the Bundle. */
  readonly gitRepo?: undefined;
}

/** A fleet.yaml beside the manifests, and the GitRepo that finds it. */
export interface FleetYamlOutputProps extends CommonProps {
  readonly output: 'fleet.yaml';
  /** The targets of the GitRepo: what they deploy differently is for `targetCustomizations` to say. */
  readonly targets: readonly GitTarget[];
  /** The GitRepo; its `paths` lead to the folder that `writeTo` writes. Its name is the bundle's unless given. */
  readonly gitRepo: Omit<GitRepoSpec, 'targets'> & { readonly name?: string };
  readonly imageScans?: readonly ImageScan[];
}

/** Properties of a `FleetBundle`. */
export type FleetBundleProps = BundleOutputProps | FleetYamlOutputProps;

/**
 * A Rancher Fleet bundle whose rollout over clusters is stated as intent.
 *
 * `output: 'bundle'` emits a Bundle that holds the resources. `output: 'fleet.yaml'` emits a GitRepo, and `writeTo` writes the fleet.yaml
 * beside the manifests into a folder to commit. Never both for one bundle: Fleet overwrites Bundles that a GitRepo owns. ClusterGroups that
 * partitions bring along are emitted too.
 *
 * Behind partitions by hand a last one takes in every cluster that none of them matches, for Fleet would never install nor update those.
 * What Fleet or the API server would refuse, and what could never finish, fails the synth. Warnings are for the plan: `rollouts` and
 * `rolloutkit plan`.
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

  /**
   * @param id of the construct, and the name of the bundle unless `metadata.name` is given
   * @throws Error for props that are no maps, hold values which cdk8s can't write, or ask for a Bundle and a GitRepo at once
   * @throws FleetIntentError for a rollout that no strategy can carry out
   */
  public constructor(
    scope: Construct,
    id: string,
    private readonly props: FleetBundleProps,
  ) {
    super(scope, id);
    refuseUnusableProps(this, props, {
      metadata: 'optional',
      rollout: 'optional',
      gitRepo: props.output === 'fleet.yaml' ? 'required' : 'optional',
    });
    const contradiction = contradictionIn(props, Chart.of(this));
    if (contradiction !== undefined) throw new Error(`[${this.node.path}] ${contradiction}`);
    const metadata: ObjectMeta = { ...props.metadata, name: props.metadata?.name ?? id };
    const groups = broughtGroups(props.rollout ?? {});
    this.rolloutStrategy = bundleStrategy(props, this.namespace);
    this.clusterGroups = groups.map((group) => new ApiObject(this, `ClusterGroup-${group.name}`, clusterGroupManifest(group)));
    if (props.output === 'fleet.yaml') {
      const { name = metadata.name!, ...spec } = props.gitRepo;
      this.fleetYaml = fleetYamlContent(metadata, props, this.rolloutStrategy);
      this.apiObject = new ApiObject(this, 'GitRepo', gitRepoManifest(name, metadata.namespace, spec, props.targets));
    } else {
      const manifest = bundleManifest(metadata, props, this.rolloutStrategy);
      this.apiObject = new ApiObject(this, 'Resource', {
        ...manifest,
        spec: { ...(manifest.spec as object), resources: this.resourceFiles() },
      });
    }
    refuseGitOwnedNames(this, { name: metadata.name!, object: this.apiObject });

    const { rollouts, findings } = this.planWithoutResources();
    this.findings = [...findings, ...rollouts.flatMap((rollout) => rollout.findings)];
    refuseErrors(this, this.findings);
  }

  /** How the bundle will be rolled out, patches included: the plan document's rollout. */
  public get rollouts(): readonly PlannedRollout[] {
    return this.planOf(this.apiObject.toJson() as Manifest).rollouts;
  }

  /**
   * Writes the fleet.yaml, and beside it the resources, into a folder to commit where the GitRepo's `paths` lead.
   *
   * @param folder made if it is not there; a file of the same name is replaced
   * @throws Error for a bundle that is written as a Bundle
   */
  public writeTo(folder: string): void {
    if (!this.fleetYaml) throw new Error(`[${this.node.path}] is written as a Bundle; write output: 'fleet.yaml' to get a fleet.yaml`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'fleet.yaml'), Yaml.stringify(this.fleetYaml));
    if (this.props.resources) writeFileSync(path.join(folder, this.resourceFile), this.resourceText());
  }

  private get namespace(): string | undefined {
    return this.props.metadata?.namespace ?? Chart.of(this).namespace;
  }

  /** No rollout depends on the resources, which may not be complete yet. */
  private planWithoutResources(): PlanDocument {
    if (!this.props.resources || this.fleetYaml) return this.planOf(this.apiObject.toJson() as Manifest);
    const metadata = { name: this.apiObject.name, namespace: this.apiObject.metadata.namespace };
    return this.planOf(bundleManifest(metadata, this.props, this.rolloutStrategy));
  }

  private planOf(emitted: Manifest): PlanDocument {
    const { inventory, fleet } = this.props;
    const fleetYaml = fleetYamlObject(`${this.node.id}/fleet.yaml`, this.fleetYaml);
    const objects = [emitted, ...this.clusterGroups.map((group) => group.toJson() as Manifest), ...(fleetYaml ? [fleetYaml] : [])];
    return planInput(
      { objects },
      { versions: { fleet }, ...(inventory && { clusters: { clusters: inventory.clusters, groups: inventory.groups } }) },
    );
  }

  private get resourceFile(): string {
    const { resources } = this.props;
    return Chart.isChart(resources) ? `${resources.node.id}.yaml` : 'manifests.yaml';
  }

  private resourceText(): string {
    const { resources = [] } = this.props;
    return Yaml.stringify(...(Chart.isChart(resources) ? objectsIn(resources) : resources));
  }

  /** The chart may still grow, so its content is rendered when the Bundle is. */
  private resourceFiles(): readonly BundleResource[] | undefined {
    if (!this.props.resources) return undefined;
    return [{ name: this.resourceFile, content: Lazy.any({ produce: () => this.resourceText() }) as string }];
  }
}

/** What cdk8s would write for a chart, in the order of creation: Helm, by which Fleet deploys, sorts by kind itself. */
function objectsIn(chart: Chart): unknown[] {
  return chart.node
    .findAll()
    .flatMap((object): unknown[] => (ApiObject.isApiObject(object) && Chart.of(object) === chart ? [object.toJson()] : []));
}

/** Props that can't hold together, whatever the types say: JavaScript and casts can bring them. */
function contradictionIn(props: FleetBundleProps, ownChart: Chart): string | undefined {
  if (props.resources === ownChart) return 'resources is the chart of the bundle itself; put what is deployed into a chart of its own';
  return bundleContradiction(props);
}
