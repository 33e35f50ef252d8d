import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { getValueAt } from '../core/manifest/manifest';
import type { HeadGroupSpec, PodTemplate, RayClusterSpec, WorkerGroupSpec } from '../systems/kuberay/types';

/**
 * A pod template: plain data, or a construct around a Pod or a workload, such as those of cdk8s-plus.
 *
 * A construct is rendered immediately (the pod, or a workload's template) and removed from its chart,
 * so that it does not become a separate object.
 */
export type RayPodTemplate = PodTemplate | Construct;

/** A head group whose pods may come from cdk8s-plus. */
export interface RayHeadGroupProps extends Omit<HeadGroupSpec, 'template'> {
  /** The head pod. */
  readonly template: RayPodTemplate;
}

/** A worker group whose pods may come from cdk8s-plus. */
export interface RayWorkerGroupProps extends Omit<WorkerGroupSpec, 'template'> {
  /** A worker pod. */
  readonly template: RayPodTemplate;
}

/** A Ray cluster whose pods may come from cdk8s-plus. */
export interface RayClusterProps extends Omit<RayClusterSpec, 'headGroupSpec' | 'workerGroupSpecs'> {
  /** The head group, which has one pod. */
  readonly headGroupSpec: RayHeadGroupProps;
  /** Groups of identical workers. @default - none */
  readonly workerGroupSpecs?: readonly RayWorkerGroupProps[];
}

/** Returns a cluster as plain data. Constructs in it are removed from their charts. */
export function toPlainRayCluster(props: RayClusterProps): RayClusterSpec {
  const { headGroupSpec, workerGroupSpecs, ...rest } = props;
  return {
    ...rest,
    // JavaScript callers may leave it out, which the check of KubeRay's CRD reports.
    ...(headGroupSpec && { headGroupSpec: withPlainTemplate(headGroupSpec) }),
    ...(workerGroupSpecs && { workerGroupSpecs: workerGroupSpecs.map(withPlainTemplate) }),
  };
}

function withPlainTemplate<G extends { readonly template: RayPodTemplate }>(
  group: G,
): Omit<G, 'template'> & { readonly template: PodTemplate } {
  return { ...group, template: toPlainTemplate(group.template) };
}

function toPlainTemplate(template: RayPodTemplate): PodTemplate {
  if (!Construct.isConstruct(template)) return template;
  const manifest: unknown = ApiObject.of(template).toJson();
  template.node.scope?.node.tryRemoveChild(template.node.id);

  const workload = getValueAt(manifest, 'spec', 'template');
  const labels = getValueAt(workload ?? manifest, 'metadata', 'labels');
  const annotations = getValueAt(workload ?? manifest, 'metadata', 'annotations');
  const metadata = { ...(labels !== undefined && { labels }), ...(annotations !== undefined && { annotations }) };
  return {
    ...(Object.keys(metadata).length > 0 && { metadata }),
    spec: getValueAt(workload ?? manifest, 'spec'),
  } as PodTemplate;
}
