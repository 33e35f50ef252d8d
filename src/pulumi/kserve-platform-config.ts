import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/finding';
import type { Manifest } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import { MAP } from '../core/schema';
import type { SchemasFor } from '../core/schema';
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
}

const SHAPE: PropsShape = {
  maps: { base: 'optional', defaultRollout: 'optional' },
  props: { ...PLATFORM_PROPS, base: MAP } satisfies SchemasFor<KServePlatformConfigArgs>,
};

/**
 * KServe's platform level, written to the cluster as the ConfigMap `inferenceservice-config`.
 *
 * Only the program of a platform team should use it, because the ConfigMap belongs to the KServe installation. Its key `deploy` is one string,
 * so an apply replaces everything in it. Pass the cluster's ConfigMap as `base`.
 * A program that only reads the level passes the props, or the ConfigMap, to the services as `platform`.
 *
 * Limits are written as percentages in quotes, zero as "0%", and a mode as the two limits that it means: KServe reads nothing else.
 * Values that it would not read fail the preview.
 *
 * @see KServe rollout guide, "ConfigMap Default Configuration"
 *
 * @example
 * const platform = new KServePlatformConfig('platform', { defaultRollout: { mode: 'Availability', maxSurge: '25%' } });
 * new InferenceServiceRollout('iris', { platform, predictor: { … } });
 */
export class KServePlatformConfig extends RolloutComponent {
  /** Plan of the ConfigMap. Rollouts are in the plans of the services. */
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** The ConfigMap, for use in `dependsOn`. */
  public readonly configMap: pulumi.Resource;
  /** Findings about the platform level. */
  public readonly findings: readonly Finding[];
  /** Level with which services resolve their strategies. @internal */
  public readonly level: ResolvedPlatformConfig;

  /**
   * Reads the platform level as KServe would, and registers its ConfigMap.
   *
   * @param name of the component. The name of the ConfigMap is fixed by KServe.
   * @throws RunError for a level that KServe's own parser refuses, or for an Output, because every service depends on the level
   */
  public constructor(name: string, args: KServePlatformConfigArgs = {}, opts: pulumi.ComponentResourceOptions = {}) {
    const { manifest, level, plan, findings, loggedFindings } = prepareComponent('KServePlatformConfig', name, (component) =>
      resolveArgs(component, args),
    );
    super('KServePlatformConfig', name, opts, loggedFindings);
    this.findings = findings;
    this.level = level;
    this.plan = pulumi.output(plan);
    this.configMap = registerObject(`${name}-configmap`, manifest, { parent: this });
    this.registerOutputs({ plan });
  }
}

/** Resolves everything that the component registers. Throws if there are errors. */
function resolveArgs(component: ComponentBuilder, args: KServePlatformConfigArgs) {
  const { props, restore } = component.readProps<KServePlatformConfigArgs>(args, SHAPE);
  const { base, ...configProps } = props;
  const { manifest, findings } = buildPlatformConfigMap(configProps, base);
  const plan = formatOutputPlaceholders(planManifests([manifest]));
  const loggedFindings = component.collectFindings(findings, plan);
  const level = resolvePlatformConfigMap(manifest);
  if (level.config === null) throw component.createError(formatErrorLines(level.findings));
  return { manifest: restore(manifest), level, plan, findings, loggedFindings };
}
