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
   * The ConfigMap `inferenceservice-config` as the cluster has it: everything in it that the platform level does not set is kept.
   *
   * @default - a new one in namespace kserve with nothing but the `deploy` key
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
 * Only a platform team's program should: the ConfigMap belongs to the KServe installation, and its key `deploy` is one string,
 * so that an apply replaces all that is in it. Give the cluster's own as `base`.
 * A program that only needs to know the level gives the props, or the ConfigMap, to the services as `platform`.
 *
 * Limits are written as percentages in quotes, zero as "0%" and a mode as the two limits that it means: KServe reads nothing else.
 * What it would not read fails the preview.
 *
 * @see KServe rollout guide, "ConfigMap Default Configuration"
 *
 * @example
 * const platform = new KServePlatformConfig('platform', { defaultRollout: { mode: 'Availability', maxSurge: '25%' } });
 * new InferenceServiceRollout('iris', { platform, predictor: { … } });
 */
export class KServePlatformConfig extends RolloutComponent {
  /** Findings about the ConfigMap itself; rollouts are in the plans of the services. */
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** The ConfigMap, for dependencies. */
  public readonly configMap: pulumi.Resource;
  /** What is wrong with the platform level. */
  public readonly findings: readonly Finding[];
  /** What services settle their strategies with. @internal */
  public readonly level: ResolvedPlatformConfig;

  /**
   * Reads the platform level as KServe would, and registers its ConfigMap.
   *
   * @param name of the component; the ConfigMap's own name is KServe's to say
   * @throws RunError for what KServe's own parser refuses; for an Output, since the level decides about every service
   */
  public constructor(name: string, args: KServePlatformConfigArgs = {}, opts: pulumi.ComponentResourceOptions = {}) {
    const {
      manifest,
      level,
      plan,
      findings,
      said: loggedFindings,
    } = prepareComponent('KServePlatformConfig', name, (component) => resolveArgs(component, args));
    super('KServePlatformConfig', name, opts, loggedFindings);
    this.findings = findings;
    this.level = level;
    this.plan = pulumi.output(plan);
    this.configMap = registerObject(`${name}-configmap`, manifest, { parent: this });
    this.registerOutputs({ plan });
  }
}

/** All that a platform level registers, as long as nothing speaks against it. */
function resolveArgs(component: ComponentBuilder, args: KServePlatformConfigArgs) {
  const { props, restore } = component.readProps<KServePlatformConfigArgs>(args, SHAPE);
  const { base, ...configProps } = props;
  const { manifest, findings } = buildPlatformConfigMap(configProps, base);
  const plan = formatOutputPlaceholders(planManifests([manifest]));
  const loggedFindings = component.collectFindings(findings, plan);
  const level = resolvePlatformConfigMap(manifest);
  if (level.config === null) throw component.createError(formatErrorLines(level.findings));
  return { manifest: restore(manifest), level, plan, findings, said: loggedFindings };
}
