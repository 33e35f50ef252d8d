import { isFields, getValueAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { decodeStruct, JsonSyntaxError, parseJson } from './go-json';
import type { GoStruct } from './go-json';

/*
 * The part of the ConfigMap `inferenceservice-config` that affects the pods of every service.
 * Source: KServe v0.17.0, pkg/apis/serving/v1beta1/configmap.go (`NewInferenceServicesConfig`), explainer_art.go (`GetContainer`).
 */

/** Annotations that are never copied to the pods. Source: constants.go, `ServiceAnnotationDisallowedList`. */
const ANNOTATIONS_NOT_ON_PODS: readonly string[] = [
  'autoscaling.knative.dev/min-scale',
  'autoscaling.knative.dev/max-scale',
  'internal.serving.kserve.io/storage-initializer-sourceuri',
  'kubectl.kubernetes.io/last-applied-configuration',
  'modelFormat',
];

/** The platform settings that affect the pods of a service. */
export interface PodConfig {
  /** Annotations of services, components and runtimes that are not copied to the pods. */
  readonly disallowedAnnotations: ReadonlySet<string>;
  /**
   * Labels of services, components and runtimes that are not copied to the Revisions of mode Knative. In mode Standard all are copied to
   * the pods.
   */
  readonly disallowedLabels: ReadonlySet<string>;
  /** The image, without its tag, for an ART explainer without its own image; undefined if the ConfigMap has none. */
  readonly artImage: string | undefined;
}

const SERVICES_STRUCT: GoStruct = {
  name: 'InferenceServicesConfig',
  fields: { serviceAnnotationDisallowedList: 'anything', serviceLabelDisallowedList: 'anything' },
};
const EXPLAINERS_STRUCT: GoStruct = { name: 'ExplainersConfig', fields: { art: { name: 'ExplainerConfig', fields: { image: 'string' } } } };

/** The defaults that KServe ships. */
export const DEFAULT_POD_CONFIG: PodConfig = {
  disallowedAnnotations: new Set(ANNOTATIONS_NOT_ON_PODS),
  disallowedLabels: new Set(),
  artImage: undefined,
};

/** Reads the JSON of a key; undefined if it cannot be read. */
function readConfigKey(config: Fields | undefined, key: string, struct: GoStruct): Fields | undefined {
  const text = getValueAt(config, 'data', key);
  if (typeof text !== 'string') return {};
  try {
    const { value, errors } = decodeStruct(parseJson(text), struct);
    return errors.length > 0 ? undefined : value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function listNames(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];
}

/**
 * Reads the ConfigMap; undefined if KServe cannot read it and so reconciles nothing.
 *
 * @param config - undefined if the input has none
 */
export function readPodConfig(config: Fields | undefined): PodConfig | undefined {
  const [services, explainers] = [
    readConfigKey(config, 'inferenceService', SERVICES_STRUCT),
    readConfigKey(config, 'explainers', EXPLAINERS_STRUCT),
  ];
  if (!services || !explainers) return undefined;
  const { art } = explainers;
  const image = isFields(art) ? art.image : undefined;
  // Without the key, KServe does not set up the list, and all annotations are copied to the pods.
  const hasKey = config === undefined || getValueAt(config, 'data', 'inferenceService') !== undefined;
  return {
    disallowedAnnotations: new Set(hasKey ? [...ANNOTATIONS_NOT_ON_PODS, ...listNames(services.serviceAnnotationDisallowedList)] : []),
    disallowedLabels: new Set(listNames(services.serviceLabelDisallowedList)),
    artImage: typeof image === 'string' ? image : undefined,
  };
}
