import type { PlanContext } from '../../../cluster/context/context';
import { CONTEXT_KINDS } from '../../../cluster/kinds/context-kinds';
import { getFieldsAt, getListAt, getValueAt, nameOf } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { getValueAtVersion } from '../../../core/values/versions';
import { resolveRuntime } from '../../../systems/kserve/runtime';
import { MODEL_CONTAINER, modelOf } from '../../../systems/kserve/service';
import type { KserveService } from '../../../systems/kserve/service';

/*
 * The parts of the serving runtimes of KServe's chart that an upgrade changes. Source: KServe v0.15.2 to v0.20.0,
 * config/runtimes/*.yaml and charts/kserve-resources (an empty tag is the version of the chart).
 */

type History<T> = readonly (readonly [since: string, value: T])[];

/** A model format: its name, its version and its priority. No priority means that the runtime is not selected automatically. */
type SupportedFormat = readonly [name: string, version: string, priority?: number];

/** A runtime of the chart. */
interface BundledRuntime {
  /** First version with it. @default - the oldest known one */
  readonly since?: string;
  readonly image: string;
  /** Tag of the image by version. @default - the version of KServe, with a v */
  readonly tags?: History<string>;
  /** Suffix of the tag: `-gpu`. @default - none */
  readonly suffix?: string;
  readonly protocols: readonly string[];
  readonly formats: History<readonly SupportedFormat[]>;
  readonly isMultinode?: boolean;
}

const V1_V2 = ['v1', 'v2'];
const always = <T>(value: T): History<T> => [['0', value]];

const BUNDLED_RUNTIMES: Readonly<Record<string, BundledRuntime>> = {
  'kserve-sklearnserver': { image: 'kserve/sklearnserver', protocols: V1_V2, formats: always([['sklearn', '1', 1]]) },
  'kserve-xgbserver': {
    image: 'kserve/xgbserver',
    protocols: V1_V2,
    formats: [
      ['0', [['xgboost', '1', 1]]],
      ['0.17', [['xgboost', '2', 1]]],
    ],
  },
  'kserve-lgbserver': {
    image: 'kserve/lgbserver',
    protocols: V1_V2,
    formats: [
      ['0', [['lightgbm', '3', 1]]],
      ['0.17', [['lightgbm', '4', 1]]],
    ],
  },
  'kserve-mlserver': {
    image: 'docker.io/seldonio/mlserver',
    tags: [
      ['0', '1.5.0'],
      ['0.18', '1.7.1'],
    ],
    protocols: ['v2'],
    formats: always([
      ['sklearn', '0', 2],
      ['sklearn', '1', 2],
      ['xgboost', '1', 2],
      ['xgboost', '2', 2],
      ['lightgbm', '3', 2],
      ['lightgbm', '4', 2],
      ['mlflow', '1', 1],
      ['mlflow', '2', 1],
    ]),
  },
  'kserve-paddleserver': { image: 'kserve/paddleserver', protocols: V1_V2, formats: always([['paddle', '2', 1]]) },
  'kserve-pmmlserver': {
    image: 'kserve/pmmlserver',
    protocols: V1_V2,
    formats: always([
      ['pmml', '3', 1],
      ['pmml', '4', 1],
    ]),
  },
  'kserve-tensorflow-serving': {
    image: 'tensorflow/serving',
    tags: always('2.6.2'),
    protocols: ['v1', 'grpc-v1'],
    formats: always([
      ['tensorflow', '1', 2],
      ['tensorflow', '2', 2],
    ]),
  },
  'kserve-torchserve': {
    image: 'pytorch/torchserve-kfs',
    tags: always('0.9.0'),
    protocols: ['v1', 'v2', 'grpc-v2'],
    formats: always([['pytorch', '1', 2]]),
  },
  'kserve-tritonserver': {
    image: 'nvcr.io/nvidia/tritonserver',
    tags: always('23.05-py3'),
    protocols: ['v2', 'grpc-v2'],
    formats: always([
      ['tensorrt', '8', 1],
      ['tensorflow', '1', 1],
      ['tensorflow', '2', 1],
      ['onnx', '1', 1],
      ['pytorch', '1'],
      ['triton', '2', 1],
    ]),
  },
  'kserve-huggingfaceserver': { image: 'kserve/huggingfaceserver', protocols: V1_V2, formats: always([['huggingface', '1', 1]]) },
  'kserve-huggingfaceserver-multinode': {
    image: 'kserve/huggingfaceserver',
    suffix: '-gpu',
    protocols: V1_V2,
    formats: always([['huggingface', '1', 2]]),
    isMultinode: true,
  },
  'kserve-predictiveserver': {
    since: '0.17',
    image: 'kserve/predictiveserver',
    protocols: V1_V2,
    formats: always([
      ['sklearn', '1'],
      ['xgboost', '2'],
      ['lightgbm', '4'],
    ]),
  },
  'kserve-autogluonserver': { since: '0.20', image: 'kserve/autogluonserver', protocols: V1_V2, formats: always([['autogluon', '1', 1]]) },
};

/** Returns the image of a runtime of the chart: `kserve/sklearnserver:v0.17.0`. */
function formatBundledImage({ image, tags, suffix = '' }: BundledRuntime, version: string): string {
  return `${image}:${tags ? getValueAtVersion(tags, version) : `v${toPatchVersion(version)}`}${suffix}`;
}

/** Returns a version with its patch: `0.17` is `0.17.0`. */
export function toPatchVersion(version: string): string {
  return version.split('.').length > 2 ? version : `${version}.0`;
}

/** Builds the part of a runtime that decides which services use it, and its image. */
function buildRuntime(name: string, runtime: BundledRuntime, version: string): Manifest {
  return {
    apiVersion: 'serving.kserve.io/v1alpha1',
    kind: 'ClusterServingRuntime',
    metadata: { name },
    spec: {
      protocolVersions: runtime.protocols,
      supportedModelFormats: getValueAtVersion(runtime.formats, version).map(([format, formatVersion, priority]) => ({
        name: format,
        version: formatVersion,
        ...(priority !== undefined && { autoSelect: true, priority }),
      })),
      containers: [{ name: MODEL_CONTAINER, image: formatBundledImage(runtime, version) }],
      ...(runtime.isMultinode && { workerSpec: {} }),
    },
  };
}

const RUNTIMES_BY_VERSION = new Map<string, readonly Manifest[]>();

function listBundledRuntimes(version: string): readonly Manifest[] {
  const known = RUNTIMES_BY_VERSION.get(version);
  if (known) return known;
  const runtimes = Object.entries(BUNDLED_RUNTIMES)
    .filter(([, { since = '0' }]) =>
      getValueAtVersion([['0', since === '0'], ...(since === '0' ? [] : ([[since, true]] as const))], version),
    )
    .map(([name, runtime]) => buildRuntime(name, runtime, version));
  RUNTIMES_BY_VERSION.set(version, runtimes);
  return runtimes;
}

/** A serving runtime of a service, and whether it is the chart's and not in view. */
export interface ServiceRuntime {
  readonly runtime: Manifest;
  readonly isAssumed: boolean;
}

/** Reports whether any runtime for the whole cluster is in view, so that the chart's need not be assumed. */
function hasClusterRuntimes({ all }: Pick<PlanContext, 'all'>): boolean {
  return all(CONTEXT_KINDS.clusterServingRuntime).length > 0;
}

/**
 * Returns the runtime of a service: the one in view, else the one of the chart. Undefined if the model has none, or if it is neither.
 */
export function findServiceRuntime(service: KserveService, context: Pick<PlanContext, 'all'>, version: string): ServiceRuntime | undefined {
  const status = getValueAt(service.object, 'status');
  const inView = resolveRuntime(service, status, context);
  if (inView) return { runtime: inView, isAssumed: false };
  const { runtime: name } = modelOf(service.predictor) ?? {};
  if ((name === undefined || name === null) && hasClusterRuntimes(context)) return undefined;
  const bundled = listBundledRuntimes(version);
  const runtime = resolveRuntime(service, undefined, {
    all: (kind) => (kind === CONTEXT_KINDS.clusterServingRuntime ? bundled : []),
  });
  return runtime && { runtime, isAssumed: true };
}

/** Returns the image that a runtime gives to the model. */
export function runtimeImageOf(runtime: Manifest): string | undefined {
  const container = getListAt(runtime, 'spec', 'containers').find((one) => getValueAt(one, 'name') === MODEL_CONTAINER);
  const image = getValueAt(container, 'image');
  return typeof image === 'string' ? image : undefined;
}

/**
 * Returns the image of a runtime after the upgrade of the chart. A runtime in view with the image of the old chart gets that of the new one,
 * and any other runtime stays as it is.
 */
export function resolveUpgradedImage(runtime: Manifest, from: string, to: string): string | undefined {
  const image = runtimeImageOf(runtime);
  const bundled = Object.hasOwn(BUNDLED_RUNTIMES, nameOf(runtime)) ? BUNDLED_RUNTIMES[nameOf(runtime)] : undefined;
  return bundled && image === formatBundledImage(bundled, from) ? formatBundledImage(bundled, to) : image;
}

/** Returns the server type that an annotation of a runtime states. */
export function serverTypeOf(runtime: Manifest): unknown {
  return getFieldsAt(runtime, 'metadata', 'annotations')['serving.kserve.io/server-type'];
}
