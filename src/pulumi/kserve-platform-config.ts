import * as k8s from '@pulumi/kubernetes';
import type { core } from '@pulumi/kubernetes/types/input';
import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/findings/finding';
import type { Fields, Manifest } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import { describeValue } from '../core/text/display-value';
import { MAP, STRING } from '../core/values/schema';
import type { SchemasFor } from '../core/values/schema';
import { planManifests } from '../plan/plan';
import { formatErrorLines } from '../props/error-lines';
import { resolvePlatformConfigMap } from '../props/resolve-platform-config';
import type { ResolvedPlatformConfig } from '../props/resolve-platform-config';
import type { PropsShape } from '../props/validate-props';
import { PLATFORM_PROPS } from '../systems/kserve/props-schema';
import { buildPlatformConfigMap } from '../systems/kserve/platform-manifest';
import type { PlatformConfigProps } from '../systems/kserve/types';
import { registerObject } from './child-resources';
import { formatOutputPlaceholders } from './opaque-outputs';
import { RolloutComponent } from './rollout-component';
import { prepareComponent } from './component-builder';
import type { ComponentBuilder } from './component-builder';

/** Arguments of a `KServePlatformConfig`. */
export interface KServePlatformConfigArgs extends PlatformConfigProps {
  /**
   * The cluster's ConfigMap `inferenceservice-config`. Everything in it that the platform level does not set is kept.
   *
   * @default - a new one in namespace kserve with only the `deploy` key
   */
  readonly base?: Manifest;
  /**
   * How the level is written to the cluster.
   *
   * `patch` writes the key `deploy` of the ConfigMap of KServe's installation, with a ConfigMapPatch. It needs server-side apply, takes the key over
   * from other field managers, and leaves it in place when the component is deleted.
   * `configmap` creates the entire ConfigMap, for a program that installs KServe itself. A change of it deletes and recreates the ConfigMap,
   * unless the provider has `enableConfigMapMutable`.
   *
   * @default - it is not written: services only resolve their strategies with it
   */
  readonly emit?: 'patch' | 'configmap';
}

/** Annotation that makes the provider take over fields of other managers: those of kubectl or Helm, which installed KServe. */
const FORCE_ANNOTATION = 'pulumi.com/patchForce';

const SHAPE: PropsShape = {
  maps: { base: 'optional', defaultRollout: 'optional' },
  props: { ...PLATFORM_PROPS, base: MAP, emit: STRING } satisfies SchemasFor<KServePlatformConfigArgs>,
};

/**
 * KServe's platform level, with which services resolve their strategies.
 *
 * With `emit` it is also written to the ConfigMap `inferenceservice-config`. Only the program of a platform team should do so,
 * because the ConfigMap belongs to the KServe installation. Its key `deploy` is one string, so everything in it is replaced:
 * pass the cluster's ConfigMap as `base`. A program that only reads the level may also pass the props, or the ConfigMap, to the services as `platform`.
 *
 * Limits are written as percentages in quotes, zero as "0%", and a mode as the two limits that it means: KServe reads nothing else.
 * Values that it would not read fail the preview.
 *
 * @see KServe rollout guide, "ConfigMap Default Configuration"
 *
 * @example
 * const platform = new KServePlatformConfig('platform', { defaultRollout: { mode: 'Availability', maxSurge: '25%' }, emit: 'patch' });
 * new InferenceServiceRollout('iris', { platform, predictor: { … } });
 */
export class KServePlatformConfig extends RolloutComponent {
  /** Plan of the ConfigMap. Rollouts are in the plans of the services. */
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** The ConfigMap or its patch, for use in `dependsOn`. Undefined if the level is not written. */
  public readonly configMap?: pulumi.Resource;
  /** Findings about the platform level. */
  public readonly findings: readonly Finding[];
  /** Level with which services resolve their strategies. @internal */
  public readonly level: ResolvedPlatformConfig;

  /**
   * Reads the platform level as KServe would, and registers its ConfigMap or patch if `emit` says so.
   *
   * @param name of the component. The name of the ConfigMap is fixed by KServe.
   * @throws RunError for a level that KServe's own parser refuses, or for an Output, because every service depends on the level
   */
  public constructor(name: string, args: KServePlatformConfigArgs = {}, opts: pulumi.ComponentResourceOptions = {}) {
    const { manifest, emit, level, plan, findings, loggedFindings } = prepareComponent('KServePlatformConfig', name, (component) =>
      resolveArgs(component, args),
    );
    super('KServePlatformConfig', name, opts, loggedFindings);
    this.findings = findings;
    this.level = level;
    this.plan = pulumi.output(plan);
    if (emit === 'configmap') this.configMap = registerObject(`${name}-configmap`, manifest, { parent: this });
    if (emit === 'patch') this.configMap = registerPatch(`${name}-patch`, manifest, this);
    this.registerOutputs({ plan });
  }
}

/** Registers a patch of the key `deploy`. It is retained, because the provider would delete the key together with the patch. */
function registerPatch(name: string, { apiVersion, kind, metadata, data }: Manifest, parent: pulumi.Resource): pulumi.Resource {
  const patch = {
    apiVersion,
    kind,
    metadata: { name: metadata!.name, namespace: metadata!.namespace, annotations: { [FORCE_ANNOTATION]: 'true' } },
    data: { deploy: (data as Fields).deploy },
  };
  return new k8s.core.v1.ConfigMapPatch(name, patch as core.v1.ConfigMap, { parent, retainOnDelete: true });
}

/** Resolves everything that the component registers. Throws if there are errors. */
function resolveArgs(component: ComponentBuilder, args: KServePlatformConfigArgs) {
  const { props, restore } = component.readProps<KServePlatformConfigArgs>(args, SHAPE);
  const { base, emit, ...configProps } = props;
  if (emit !== undefined && emit !== 'patch' && emit !== 'configmap') {
    throw component.createError([`emit is ${describeValue(emit)}; write "patch" or "configmap", or leave it out to write nothing`]);
  }
  const { manifest, findings } = buildPlatformConfigMap(configProps, base);
  const plan = formatOutputPlaceholders(planManifests([manifest]));
  const loggedFindings = component.collectFindings(findings, plan);
  const level = resolvePlatformConfigMap(manifest);
  if (level.config === null) throw component.createError(formatErrorLines(level.findings));
  return { manifest: restore(manifest), emit, level, plan, findings, loggedFindings };
}
