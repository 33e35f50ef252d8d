import { isDeepStrictEqual } from 'node:util';
import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/finding';
import type { Manifest } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import { planManifests } from '../headless';
import type { PlanOptions } from '../headless';
import { inferenceServiceOf } from '../systems/kserve/manifests';
import type { ComponentName, InferenceServiceProps, SettledComponent } from '../systems/kserve/types';
import { registerObject } from './children';
import type { KServePlatformConfig } from './kserve-platform-config';
import type { WithInputs } from './leaf-strings';
import { platformLevelOf } from './platform-level';
import type { PlatformSource } from './platform-level';
import { RolloutComponent } from './rollout-component';

/** Arguments of an `InferenceServiceRollout`. */
export interface InferenceServiceRolloutArgs extends WithInputs<Omit<InferenceServiceProps, 'platform'>> {
  /**
   * The platform level: as props, as the cluster's own ConfigMap `inferenceservice-config`, or the component that writes it.
   *
   * @default - default mode Standard without rollout defaults
   */
  readonly platform?: PlatformSource | KServePlatformConfig;
}

const MAP_PROPS = { metadata: 'optional', predictor: 'required', transformer: 'optional', explainer: 'optional' } as const;

/**
 * A KServe InferenceService whose rollout is stated as intent: the cdk8s construct of that name, as a Pulumi component.
 *
 * What the API server, KServe's webhook or its controller would refuse fails the preview. Warnings go to Pulumi's log with the component.
 *
 * @example
 * const iris = new InferenceServiceRollout('iris', {
 *   metadata: { namespace: 'models' },
 *   predictor: {
 *     minReplicas: 4,
 *     model: { modelFormat: { name: 'sklearn' }, storageUri: pulumi.interpolate`s3://${bucket.id}/model` },
 *     rollout: Rollout.availability('25%'),
 *   },
 * });
 * export const rollout = iris.plan.summary;
 */
export class InferenceServiceRollout extends RolloutComponent {
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** The InferenceService, for dependencies. */
  public readonly inferenceService: pulumi.Resource;
  /** The predictor's strategy, and who decided it; of a multinode predictor, its head's. */
  public readonly predictor: SettledComponent;
  /** The workers' strategy, where the predictor has a `workerSpec`. */
  public readonly worker?: SettledComponent;
  /** The transformer's strategy, if there is a transformer. */
  public readonly transformer?: SettledComponent;
  /** The explainer's strategy, if there is an explainer. */
  public readonly explainer?: SettledComponent;
  /** What the intent means, by prop. */
  public readonly findings: readonly Finding[];

  /**
   * @param name of the component, and of the InferenceService unless `metadata.name` is given
   * @throws ResourceError for an intent that would be refused, with every reason; for an Output in a structural prop, by its name
   */
  public constructor(name: string, args: InferenceServiceRolloutArgs, opts: pulumi.ComponentResourceOptions = {}) {
    super('InferenceServiceRollout', name, opts);
    const { platform, ...intent } = args;
    const { props, restore } = this.plainProps<Omit<InferenceServiceProps, 'platform'>>(intent, MAP_PROPS);
    const level = platformLevelOf(platform);
    if (level.config === null) throw this.failure(level.refusals);

    const { manifest, components, findings } = inferenceServiceOf(name, { ...props, ...(platform && { platform: level.config }) });
    const settled = (component: ComponentName) => components.find((candidate) => candidate.component === component);
    this.findings = findings;
    this.predictor = settled('predictor')!;
    this.worker = settled('worker');
    this.transformer = settled('transformer');
    this.explainer = settled('explainer');

    const options = { versions: { kserve: props.kserve }, ...(level.configMap && { kserveConfig: level.configMap }) };
    const plan = planOf(manifest, components, options);
    this.report(findings, plan);
    this.plan = pulumi.output(plan);
    this.inferenceService = registerObject(name, restore(manifest), { parent: this });
    this.registerOutputs({ plan });
  }
}

/** The plan of the service, with the settled provenance, which names every level that lost. */
function planOf(manifest: Manifest, components: readonly SettledComponent[], options: PlanOptions): PlanDocument {
  const plan = planManifests([manifest], options);
  const rollouts = plan.rollouts.map((rollout) => {
    const settled = components.find(({ component }) => component === rollout.resource.component);
    return settled && isDeepStrictEqual(settled.strategy, rollout.strategy) ? { ...rollout, provenance: settled.provenance } : rollout;
  });
  return { ...plan, rollouts };
}
