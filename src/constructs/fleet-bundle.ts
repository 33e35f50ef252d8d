import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { ApiObject, Chart, Lazy, Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/findings/finding';
import { collectFindings } from '../core/document/plan-document';
import { describeValue } from '../core/text/display-value';
import { replaceFile } from '../input/replace-file';
import type { FieldPath } from '../core/manifest/field-path';
import { getValueAt } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import {
  buildBundlePropPaths,
  buildBundleShape,
  findUnnamedResources,
  planBundle,
  resolveBundle,
  createUnresolvedBundle,
} from '../props/fleet-bundle';
import type { BundleOutput, FleetYamlOutput, ResolvedBundle } from '../props/fleet-bundle';
import { locateGoalOrigins, mergeGoalOrigins } from '../props/goal-origin';
import type { GoalOrigin, ObjectGoalOrigin } from '../props/goal-origin';
import type { InventoryProp } from '../props/inventory';
import { formatTokenRefusal, listTokenPaths } from '../props/tokens';
import { findBundleContradiction } from '../systems/fleet/bundle-intent';
import type { BundleIntent } from '../systems/fleet/bundle-intent';
import { createNoNamespaceFinding } from '../systems/fleet/rules/no-target';
import type { BundleResource, FleetYaml, RolloutStrategy } from '../systems/fleet/types';
import { locateFindings, recordContext } from './app-memory';
import { writeLocated } from './locate-method';
import { failSynthOnDuplicates, failSynthOnGitNameConflict, markStandalone } from './name-conflicts';
import {
  failSynthOnInvalidMetadata,
  isRejectedConstruct,
  tryCreate,
  planConstruct,
  throwIfInvalid,
  validateConstructProps,
} from './validate-props';
import { appendCallSite, createSynthError, failSynthOnPatchErrors, failSynthOnErrors } from './synth-errors';
import type { Patchable } from './synth-errors';

/** Content of a `FleetBundle`, for any output. */
export interface FleetBundleContent extends BundleIntent, InventoryProp {
  /** Deployed resources: a chart, to which objects can be added until synth, or plain objects. @default - none */
  readonly resources?: Chart | readonly Manifest[];
}

/** A Bundle, which is applied directly. */
export interface BundleOutputProps extends FleetBundleContent, BundleOutput {}

/** A fleet.yaml next to the manifests, written by `writeTo`, and the GitRepo that reads it. */
export interface FleetYamlOutputProps extends Omit<FleetBundleContent, 'targets'>, FleetYamlOutput {}

/** Properties of a `FleetBundle`. */
export type FleetBundleProps = BundleOutputProps | FleetYamlOutputProps;

/**
 * A Rancher Fleet bundle whose rollout over clusters is declared as an intent.
 *
 * `output: 'bundle'` emits a Bundle that contains the resources. `output: 'fleet.yaml'` emits a GitRepo,
 * and `writeTo` writes the fleet.yaml next to the manifests into a folder to commit. Never use both for one bundle,
 * because Fleet overwrites Bundles that a GitRepo owns. ClusterGroups that partitions declare are emitted too.
 *
 * After manual partitions, a last one selects every cluster that none of them matches, because Fleet would never install or update those.
 * Props that Fleet or the API server would refuse, and rollouts that never finish, fail the synth. The plan reports warnings:
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
  /** ClusterGroups that partitions declare. */
  public readonly clusterGroups: readonly ApiObject[];
  /** The rolloutStrategy for the intent. */
  public readonly rolloutStrategy: RolloutStrategy;
  /** Content of the fleet.yaml. Undefined for a Bundle. */
  public readonly fleetYaml?: FleetYaml;
  /** Findings about the bundle. Errors fail the synth. */
  public readonly findings: readonly Finding[];

  /** Undefined if the props were rejected. */
  private readonly props?: FleetBundleProps;
  private readonly manifest: Manifest;
  private readonly origins: readonly GoalOrigin[];

  /**
   * Resolves the rollout over the clusters of the inventory and adds the objects to the chart.
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
    const { metadata, manifest, clusterGroups, fleetYaml, rolloutStrategy, origin } = resolved ?? createUnresolvedBundle(id);
    this.origins = origin ? [origin] : [];
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
      () => [...collectFindings(this.planWithoutResources()), ...this.checkNamespace()],
    );
    const resources = this.props?.resources;
    if (Chart.isChart(resources)) markStandalone(resources);
    if (this.props && resources) this.failSynthOnEmptyResources();
    const context = { inventory: this.props?.inventory, versions: { fleet: this.props?.fleet } };
    recordContext(this, context, {
      goals: () => this.locateOrigins(),
      findings: () => locateFindings(this, this.apiObject, this.checkNamespace()),
    });
    failSynthOnDuplicates(this);
    failSynthOnErrors(this, this.findings, () => buildBundlePropPaths(input, rolloutStrategy));
    failSynthOnInvalidMetadata(this, [this.apiObject, ...this.clusterGroups], this.findings);
    failSynthOnPatchErrors(this, this.findings, FleetBundle.patchable);
  }

  /** Planned rollout of the bundle, patches included. */
  public get rollouts(): readonly PlannedRollout[] {
    return this.plan().rollouts;
  }

  /**
   * Writes the fleet.yaml and the resources into a folder, to commit at one of the GitRepo's `paths`.
   *
   * @param folder created if it does not exist. Files of the same name are replaced.
   * @throws Error if the output is a Bundle; for a rejected bundle, with all errors of the synth
   */
  public writeTo(folder: string): void {
    if (isRejectedConstruct(this)) throw createSynthError(this);
    writeLocated(this, folder, () => {
      if (!this.fleetYaml) throw new Error("is written as a Bundle; set output: 'fleet.yaml' to get a fleet.yaml");
      mkdirSync(folder, { recursive: true });
      replaceFile(path.join(folder, 'fleet.yaml'), Yaml.stringify(this.fleetYaml));
      if (this.props?.resources) replaceFile(path.join(folder, this.resourceFile), this.resourceText());
    });
  }

  private checkNamespace(): readonly Finding[] {
    return this.props && this.apiObject.metadata.namespace === undefined ? [createNoNamespaceFinding()] : [];
  }

  private plan(): PlanDocument {
    return this.planOf(this.apiObject.toJson() as Manifest);
  }

  /** Plans without the resources, which may be incomplete and do not affect the rollout. */
  private planWithoutResources(): PlanDocument {
    if (!this.props?.resources || this.fleetYaml) return this.plan();
    const metadata = { name: this.apiObject.name, namespace: this.apiObject.metadata.namespace };
    return this.planOf({ ...this.manifest, metadata });
  }

  private planOf(emitted: Manifest): PlanDocument {
    const objects = [emitted, ...this.clusterGroups.map((group) => group.toJson() as Manifest)];
    const { inventory, fleet } = this.props ?? {};
    const plan = () => planBundle({ folder: this.node.id, objects, fleetYaml: this.fleetYaml, inventory, fleet });
    return planConstruct(this, () => mergeGoalOrigins(plan(), this.locateOrigins()));
  }

  private locateOrigins(): readonly ObjectGoalOrigin[] {
    return this.origins.length === 0 || this.fleetYaml ? [] : locateGoalOrigins(this.apiObject.toJson() as Manifest, this.origins);
  }

  /** Makes synth fail if there are no resources. Objects can be added to the chart until then. */
  private failSynthOnEmptyResources(): void {
    const trace = new Error();
    const validate = () => (this.hasResources() ? [] : appendCallSite([NO_RESOURCES], trace));
    this.node.addValidation({ validate });
  }

  private get resourceFile(): string {
    const resources = this.props?.resources;
    return Chart.isChart(resources) ? `${resources.node.id}.yaml` : 'manifests.yaml';
  }

  private hasResources(): boolean {
    const resources = this.props?.resources ?? [];
    if (!Chart.isChart(resources)) return resources.length > 0;
    return resources.node.findAll().some((object) => ApiObject.isApiObject(object) && Chart.of(object) === resources);
  }

  private resourceText(): string {
    const resources = this.props?.resources ?? [];
    const objects = Chart.isChart(resources) ? collectChartObjects(resources) : resources;
    return objects.map((object) => Yaml.stringify(object)).join('---\n');
  }

  /** Returns the resources as a file that is rendered with the Bundle, because objects can be added to the chart until then. */
  private resourceFiles(): readonly BundleResource[] | undefined {
    if (!this.props?.resources) return undefined;
    return [{ name: this.resourceFile, content: Lazy.any({ produce: () => this.resourceText() }) as string }];
  }
}

const NO_RESOURCES = 'resources has no objects, so the bundle deploys nothing; add objects to the chart, or leave resources out';

/** Renders the objects of a chart in the order of creation. Helm, which Fleet deploys with, sorts them by kind. */
function collectChartObjects(chart: Chart): unknown[] {
  return chart.node
    .findAll()
    .flatMap((object): unknown[] => (ApiObject.isApiObject(object) && Chart.of(object) === chart ? [object.toJson()] : []));
}

/** Resolves a bundle in a chart, with the chart's namespace as the default. */
function resolveInChart(chart: Chart, id: string, props: FleetBundleProps): ResolvedBundle {
  const contradiction = findContradiction(props, chart);
  throwIfInvalid(contradiction === undefined ? [] : [contradiction]);
  throwIfInvalid(listTextTokens(props).map(formatTokenRefusal));
  throwIfInvalid(findUnnamedResources(props.resources));
  return resolveBundle(id, props.metadata?.namespace ?? chart.namespace, props, props.inventory);
}

/** Lists the tokens in what is written as the text of a file, where cdk8s resolves none, and in what decides the partitions. */
function listTextTokens({ resources, metadata, gitRepo, ...fields }: FleetBundleProps): readonly FieldPath[] {
  const file = { ...fields, targets: undefined, metadata: { name: metadata?.name, labels: metadata?.labels } };
  const decisive = { rollout: { partitions: { kind: getValueAt(fields.rollout, 'partitions', 'kind') } } };
  const listed = Chart.isChart(resources) ? undefined : resources;
  return listTokenPaths({ ...(gitRepo === undefined ? decisive : file), resources: listed });
}

/** Returns why props contradict each other. The types exclude it, but JavaScript callers and casts do not. */
function findContradiction(props: FleetBundleProps, bundleChart: Chart): string | undefined {
  const { resources } = props;
  if (resources !== undefined && !Array.isArray(resources) && !Chart.isChart(resources)) {
    return `resources is ${describeValue(resources)}; pass a chart or a list of objects`;
  }
  if (resources === bundleChart) return 'resources is the chart of the bundle itself; put the deployed resources into a separate chart';
  return findBundleContradiction(props);
}
