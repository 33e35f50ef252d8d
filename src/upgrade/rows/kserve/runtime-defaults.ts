import type { FieldChange } from '../../../core/document/change';
import { getFieldsAt, getOwnValue, getValueAt, isFields, nameOf } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { MODEL_CONTAINER, getContainerVariable, modelOf } from '../../../systems/kserve/service';
import type { KserveService } from '../../../systems/kserve/service';
import type { UpgradeRow } from '../../upgrade-row';
import { serverTypeOf } from './service-runtime';
import { matchService, toContainerPath } from './service-sides';

/** Server types by the names of the runtimes of the chart, which have the defaults of their type in every version. */
const TYPES_BY_NAME: Readonly<Record<string, string>> = {
  'kserve-mlserver': 'mlserver',
  'kserve-tritonserver': 'tritonserver',
  'kserve-torchserve': 'torchserve',
};

/** Returns the server type whose defaults KServe sets: up to 0.16 that of the name of the runtime. */
function defaultsTypeOf(runtime: Manifest, readsAnnotation: boolean): unknown {
  const own = readsAnnotation ? serverTypeOf(runtime) : undefined;
  return own ?? (Object.hasOwn(TYPES_BY_NAME, nameOf(runtime)) ? TYPES_BY_NAME[nameOf(runtime)] : undefined);
}

/** What KServe sets for a server type: a label of the pods of all components, and parts of the model's container. */
interface TypeDefaults {
  readonly label?: readonly [name: string, value: string];
  readonly variables?: Readonly<Record<string, string>>;
  readonly argument?: string;
}

const MODEL_CLASSES: Readonly<Record<string, string>> = {
  xgboost: 'mlserver_xgboost.XGBoostModel',
  lightgbm: 'mlserver_lightgbm.LightGBMModel',
  mlflow: 'mlserver_mlflow.MLflowRuntime',
};

/**
 * Returns the defaults of a server type.
 *
 * Source: KServe v0.17.0, inference_service_defaults.go, `SetMlServerDefaults`, `SetTorchServeDefaults` and `SetTritonDefaults`.
 */
function listTypeDefaults(type: unknown, { name, predictor }: KserveService): TypeDefaults {
  const { modelFormat, protocolVersion, storage, storageUri } = modelOf(predictor) ?? {};
  const hasStorage = isFields(storage) || typeof storageUri === 'string';
  const format = getValueAt(modelFormat, 'name');
  if (type === 'mlserver') {
    return {
      label: [
        'modelClass',
        (typeof format === 'string' ? getOwnValue(MODEL_CLASSES, format) : undefined) ?? 'mlserver_sklearn.SKLearnModel',
      ],
      variables: hasStorage
        ? { MLSERVER_MODEL_NAME: name, MLSERVER_MODEL_URI: '/mnt/models' }
        : { MLSERVER_LOAD_MODELS_AT_STARTUP: 'false' },
    };
  }
  if (type === 'torchserve') {
    const protocol = typeof protocolVersion === 'string' ? protocolVersion : 'v1';
    return {
      label: ['serviceEnvelope', protocol === 'v2' || protocol === 'grpc-v2' ? 'kservev2' : 'kserve'],
      variables: { PROTOCOL_VERSION: protocol },
    };
  }
  return type === 'tritonserver' && !hasStorage ? { argument: '--model-control-mode=explicit' } : {};
}

/** Returns the labels and variables that differ between two maps. */
function diffMaps(
  old: Readonly<Record<string, unknown>>,
  next: Readonly<Record<string, unknown>>,
  format: (name: string) => string,
): FieldChange[] {
  return Object.keys({ ...old, ...next })
    .filter((name) => old[name] !== next[name])
    .map((name) => ({
      path: format(name),
      ...(old[name] !== undefined && { old: old[name] }),
      ...(next[name] !== undefined && { new: next[name] }),
    }));
}

/** Returns how the defaults of a server type change the pods of a component. */
function diffTypeDefaults(old: TypeDefaults, next: TypeDefaults, service: KserveService, component: string): FieldChange[] {
  const own = getFieldsAt(service.object, 'metadata', 'labels');
  const labelsOf = ({ label }: TypeDefaults) => (label ? { ...own, [label[0]]: label[1] } : own);
  const labels = diffMaps(labelsOf(old), labelsOf(next), (name) => `spec.template.metadata.labels.${name}`);
  if (component !== 'predictor') return labels;
  const model = modelOf(service.predictor);
  // TorchServe's variable is added even if the model sets it.
  const variablesOf = ({ variables = {} }: TypeDefaults) =>
    Object.fromEntries(
      Object.entries(variables).filter(([name]) => name === 'PROTOCOL_VERSION' || getContainerVariable(model, name) === undefined),
    );
  const argument =
    old.argument === next.argument
      ? []
      : [{ path: toContainerPath(MODEL_CONTAINER, 'args'), ...(next.argument !== undefined && { new: next.argument }) }];
  return [
    ...labels,
    ...diffMaps(variablesOf(old), variablesOf(next), (name) => toContainerPath(MODEL_CONTAINER, `env[${name}]`)),
    ...argument,
  ];
}

export const annotatedRuntimeDefaults: UpgradeRow = {
  id: 'annotated-runtime-defaults',
  since: '0.17',
  effect: 'roll',
  message:
    'KServe 0.17 sets the defaults of MLServer, Triton and TorchServe by the annotation serving.kserve.io/server-type of the runtime, and no longer only by its name. They include a label of all pods of the service, and variables or arguments of the model.',
  match: matchService(({ service, deployments, after }) => {
    if (!after || after.isAssumed || !modelOf(service.predictor)) return [];
    const [old, next] = [false, true].map((readsAnnotation) => listTypeDefaults(defaultsTypeOf(after.runtime, readsAnnotation), service));
    return deployments.flatMap(({ component }) => {
      const fields = diffTypeDefaults(old!, next!, service, component);
      return fields.length === 0 ? [] : [{ component, fields }];
    });
  }),
};
