import { CONTEXT_KINDS } from '../cluster/kinds/context-kinds';
import type { ContextKind } from '../cluster/kinds/context-kinds';
import { getListAt, getValueAt, namespaceOf } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import { resolveVersions, VersionError } from '../core/values/versions';
import type { Product } from '../core/values/versions';

/** An operator whose version and configuration decide what its controller does. */
export interface Operator {
  readonly product: Product;
  /** API group that the server has if the operator is installed. */
  readonly group: string;
  /** Groups of objects that it matters for. */
  readonly decidesFor: readonly string[];
  /** Name of its Deployment, as its own installation names it. */
  readonly deployment: string;
  /** Part of the name of the image that bears its version. */
  readonly image: string;
  /** Namespace, if the Deployment's name alone does not identify it. @default - any */
  readonly namespace?: string;
  /** ConfigMaps in its namespace that it reads. */
  readonly configMaps: readonly string[];
  /** Kinds that it reads in its own namespace, such as presets. @default - none */
  readonly configKinds?: readonly Pick<ContextKind, 'group' | 'kind'>[];
}

/** Operators whose versions are known to plans, with what their own manifests call them. */
export const OPERATORS: readonly Operator[] = [
  {
    product: 'kserve',
    group: 'serving.kserve.io',
    decidesFor: ['serving.kserve.io'],
    deployment: 'kserve-controller-manager',
    image: 'kserve-controller',
    configMaps: [CONTEXT_KINDS.kserveConfig.name],
    configKinds: [{ group: 'serving.kserve.io', kind: 'LLMInferenceServiceConfig' }],
  },
  {
    product: 'knative',
    group: 'serving.knative.dev',
    decidesFor: ['serving.kserve.io', 'serving.knative.dev'],
    deployment: 'controller',
    image: 'serving/cmd/controller',
    namespace: 'knative-serving',
    configMaps: [
      CONTEXT_KINDS.knativeAutoscaler.name,
      CONTEXT_KINDS.knativeDeployment.name,
      CONTEXT_KINDS.knativeNetwork.name,
      CONTEXT_KINDS.knativeDefaults.name,
    ],
  },
  {
    product: 'kuberay',
    group: 'ray.io',
    decidesFor: ['ray.io'],
    deployment: 'kuberay-operator',
    image: 'operator',
    configMaps: [],
  },
  {
    product: 'fleet',
    group: 'fleet.cattle.io',
    decidesFor: ['fleet.cattle.io'],
    deployment: 'fleet-controller',
    image: 'fleet',
    configMaps: [],
  },
  {
    product: 'lws',
    group: 'leaderworkerset.x-k8s.io',
    decidesFor: ['leaderworkerset.x-k8s.io', 'serving.kserve.io'],
    deployment: 'lws-controller-manager',
    image: 'lws',
    configMaps: [],
  },
  {
    product: 'argo-rollouts',
    group: 'argoproj.io',
    decidesFor: ['argoproj.io'],
    deployment: 'argo-rollouts',
    image: 'argo-rollouts',
    configMaps: [],
  },
  {
    product: 'argo-cd',
    group: 'argoproj.io',
    decidesFor: ['argoproj.io'],
    deployment: 'argocd-applicationset-controller',
    image: 'argocd',
    configMaps: [CONTEXT_KINDS.argoCdParameters.name],
  },
];

/** Returns a version that plans accept, without a leading v; undefined for `latest`, a digest or a preview. */
function toVersion(product: Product, text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return resolveVersions({ [product]: text })[product];
  } catch (error) {
    if (error instanceof VersionError) return undefined;
    throw error;
  }
}

/** Returns the tag of an image: `v0.17.0` of `docker.io/kserve/kserve-controller:v0.17.0@sha256:…`. */
function tagOf(image: string): string | undefined {
  const name = image.split('@', 1)[0]!;
  return /:([^:/]+)$/.exec(name)?.[1];
}

/** Detects the version of an operator from its Deployment: the tag of its image, else the label that its installation sets. */
function detectVersion({ product, image }: Operator, deployment: Manifest): string | undefined {
  const images = getListAt(deployment, 'spec', 'template', 'spec', 'containers').flatMap((container) => {
    const value = getValueAt(container, 'image');
    return typeof value === 'string' && value.includes(image) ? [value] : [];
  });
  const tagged = images.flatMap((name) => toVersion(product, tagOf(name)) ?? []);
  return tagged[0] ?? toVersion(product, getValueAt(deployment, 'metadata', 'labels', 'app.kubernetes.io/version'));
}

/** The operator as a cluster runs it. */
export interface DetectedOperator {
  /** Version; undefined if neither an image nor a label shows it, or if two installations differ. */
  readonly version?: string;
  /** Namespaces that it runs in. */
  readonly namespaces: readonly string[];
}

/** Detects an operator from the Deployments of its name. */
export function detectOperator(operator: Operator, deployments: readonly Manifest[]): DetectedOperator {
  const own = deployments.filter((deployment) => operator.namespace === undefined || namespaceOf(deployment) === operator.namespace);
  const versions = new Set(own.map((deployment) => detectVersion(operator, deployment)));
  const [version] = versions;
  return {
    ...(versions.size === 1 && version !== undefined && { version }),
    namespaces: own.flatMap((deployment) => namespaceOf(deployment) ?? []),
  };
}

/** Detects the version of the API server from the output of `kubectl version --output=json`. */
export function detectServerVersion(output: Fields): string | undefined {
  return toVersion('kubernetes', getValueAt(output, 'serverVersion', 'gitVersion'));
}
