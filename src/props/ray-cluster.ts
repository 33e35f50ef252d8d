import {
  BOOLEAN,
  INT32,
  MAP,
  STRING,
  STRING_LIST,
  STRING_MAP,
  closeSchema,
  defineList,
  defineMap,
  limitValues,
  requireProp,
} from '../core/values/schema';
import type { SchemasFor } from '../core/values/schema';
import { allowChoices, allowIntegers, allowTexts } from '../core/values/value-limit';
import type { HeadGroupSpec, RayClusterSpec, WorkerGroupSpec } from '../systems/kuberay/types';

const REFUSED_BY_SERVER = 'which the API server refuses';

const SERVICE_TYPE = limitValues(STRING, allowChoices('ClusterIP', 'NodePort', 'LoadBalancer'), REFUSED_BY_SERVER);

const AUTOSCALER_OPTIONS = defineMap({
  idleTimeoutSeconds: limitValues(INT32, allowIntegers(0), REFUSED_BY_SERVER),
  upscalingMode: limitValues(STRING, allowChoices('Default', 'Aggressive', 'Conservative'), REFUSED_BY_SERVER),
});

const CONTAINERS = defineList({ name: requireProp(STRING, 'a name, such as ray') });

/** A pod template. The plan reports types; only what must not be missing is checked here. */
const TEMPLATE = requireProp(
  defineMap({ spec: requireProp(defineMap({ containers: requireProp(CONTAINERS), initContainers: CONTAINERS })) }),
);

const GROUP = {
  template: TEMPLATE,
  rayStartParams: STRING_MAP,
  resources: STRING_MAP,
  labels: STRING_MAP,
};

/** Schema of a Ray cluster. */
export const RAY_CLUSTER = closeSchema(
  defineMap({
    headGroupSpec: closeSchema(
      defineMap({ ...GROUP, serviceType: SERVICE_TYPE, headService: MAP, enableIngress: BOOLEAN } satisfies SchemasFor<HeadGroupSpec>),
    ),
    workerGroupSpecs: closeSchema(
      defineList({
        ...GROUP,
        groupName: requireProp(
          limitValues(
            STRING,
            allowTexts((text) => text !== '', 'a name, such as gpu'),
            'so the workers have no group',
          ),
          'a name, such as gpu',
        ),
        replicas: limitValues(INT32, allowIntegers(0), 'which is no number of workers'),
        minReplicas: INT32,
        maxReplicas: INT32,
        numOfHosts: limitValues(INT32, allowIntegers(1), 'which is no number of hosts'),
        priority: INT32,
        idleTimeoutSeconds: INT32,
        scaleStrategy: defineMap({ workersToDelete: STRING_LIST }),
      } satisfies SchemasFor<WorkerGroupSpec>),
    ),
    rayVersion: STRING,
    enableInTreeAutoscaling: BOOLEAN,
    autoscalerOptions: AUTOSCALER_OPTIONS,
    gcsFaultToleranceOptions: MAP,
    headServiceAnnotations: STRING_MAP,
    authOptions: MAP,
  } satisfies SchemasFor<RayClusterSpec>),
);
