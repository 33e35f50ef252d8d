import { suggestAutomaticFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { getFieldsAt, isFields, getListAt, getValueAt } from '../../../core/manifest/manifest';
import { parseQuantityNanos } from '../../../core/values/quantity';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { capitalize } from '../../../core/text/text-format';
import type { ParsedRayService } from '../ray-service';
import { mustHaveStartParams } from '../crd-fields';
import { VALID_RAY_SERVICE_TEXT, withRayCluster } from './examples';
import { listRayGroups, formatRayGroup, SAMPLE_RAY_GROUP } from './ray-groups';
import type { RayGroup, RayGroupData } from './ray-groups';

/** Resources that Ray reads from rayStartParams as well as from `resources`. */
const START_PARAM_RESOURCES = ['num-cpus', 'num-gpus', 'memory', 'resources'];

interface NameData {
  readonly name: DisplayValue;
}

interface RangeData extends RayGroupData {
  readonly minReplicas: number;
  readonly maxReplicas: number;
}

interface ParamsData extends RayGroupData {
  /** The resources in rayStartParams. */
  readonly params: readonly string[];
}

interface QuantityData extends RayGroupData {
  readonly container: number;
  readonly kind: 'requests' | 'limits';
  readonly resource: string;
  readonly value: DisplayValue;
}

interface TypeData {
  readonly type: DisplayValue;
}

interface PortsData {
  /** Names of the head's ports. */
  readonly names: readonly DisplayValue[];
}

/** Rule about a Ray cluster that KubeRay does not find, or refuses. */
export const rayClusterSpec = defineRule({
  code: 'kuberay/ray-cluster-spec',
  since: '0.1.0',
  severity: 'error',
  fires: 'The Ray cluster is under rayClusterSpec, which is not a field, or rayClusterConfig has a value that KubeRay refuses.',
  why:
    'The field is `rayClusterConfig`, which is required. ' +
    'The example in the guide has `rayClusterSpec`, so the API server refuses that manifest. ' +
    'In ray.io/v1alpha1 every group must have rayStartParams. ' +
    'In rayClusterConfig the operator refuses a group without a container, minReplicas above maxReplicas, ' +
    'a name for the headService, enableK8sTokenAuth, resources both in rayStartParams and in resources, ' +
    'a suspended worker group with the autoscaler on, and an upgradeStrategy. ' +
    'The API server refuses every pod with a quantity below 0. ' +
    'The operator cannot create the Serve Service if the head has ports but none is named `serve`.',
  fix: 'Use `rayClusterConfig`, and change the fields that the message names.',
  example: withRayCluster('rayClusterConfig', 'rayClusterSpec'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    misnamed: defineMessage<object>({
      text: () =>
        'A RayService has no field rayClusterSpec, and the required field rayClusterConfig is missing: ' +
        'the API server refuses the object.',
      help: () => 'Rename rayClusterSpec to rayClusterConfig.',
      sample: {},
    }),
    duplicateCluster: defineMessage<object>({
      text: () => 'A RayService has no field rayClusterSpec: it is dropped or refused, and only rayClusterConfig is used.',
      help: () => 'Delete rayClusterSpec.',
      sample: {},
    }),
    headServiceName: defineMessage<NameData>({
      text: ({ name }) => `The headService is named ${formatDisplayValue(name)}, but KubeRay sets this name itself and refuses any other.`,
      help: () => 'Delete the name.',
      sample: { name: 'mine' },
    }),
    noStartParams: defineMessage<RayGroupData>({
      text: ({ group }) =>
        `${capitalize(formatRayGroup(group))} has no rayStartParams, which ray.io/v1alpha1 requires in every group: the API server refuses the object.`,
      help: () => 'Add rayStartParams: {}, or set apiVersion: ray.io/v1, which does not require it.',
      suggestedFix: (_data, path) => suggestAutomaticFix(setField(path, {})),
      sample: { group: SAMPLE_RAY_GROUP },
    }),
    noContainer: defineMessage<RayGroupData>({
      text: ({ group }) => `${capitalize(formatRayGroup(group))} has no container, so KubeRay refuses the spec.`,
      help: () => 'Add the Ray container as the first container.',
      sample: { group: SAMPLE_RAY_GROUP },
    }),
    emptyRange: defineMessage<RangeData>({
      text: ({ group, minReplicas, maxReplicas }) =>
        `minReplicas ${minReplicas} of ${formatRayGroup(group)} is above maxReplicas ${maxReplicas}, so KubeRay refuses the spec.`,
      help: ({ maxReplicas }) => `Set minReplicas to at most ${maxReplicas}.`,
      sample: { group: SAMPLE_RAY_GROUP, minReplicas: 11, maxReplicas: 10 },
    }),
    duplicateResources: defineMessage<ParamsData>({
      text: ({ group, params }) =>
        `${capitalize(formatRayGroup(group))} has resources both in rayStartParams (${params.join(', ')}) and in resources, ` +
        'so KubeRay refuses the spec.',
      help: () => 'Set them only in resources.',
      sample: { group: SAMPLE_RAY_GROUP, params: ['num-gpus'] },
    }),
    negativeQuantity: defineMessage<QuantityData>({
      text: ({ group, container, kind, resource, value }) =>
        `Container ${container + 1} of ${formatRayGroup(group)} has ${formatDisplayValue(value)} of ${resource} in its ${kind}, ` +
        'but the API server refuses every pod with a quantity below 0.',
      help: ({ resource }) => `Set ${resource} to the amount that a pod needs, or delete it.`,
      sample: { group: SAMPLE_RAY_GROUP, container: 0, kind: 'limits', resource: 'nvidia.com/gpu', value: -4 },
    }),
    suspendedGroup: defineMessage<RayGroupData>({
      text: ({ group }) =>
        `${capitalize(formatRayGroup(group))} is suspended while the in-tree autoscaler is on, so KubeRay refuses the spec.`,
      help: () => 'Delete suspend, or set maxReplicas to 0.',
      sample: { group: SAMPLE_RAY_GROUP },
    }),
    innerStrategy: defineMessage<TypeData>({
      text: ({ type }) =>
        `rayClusterConfig has an upgradeStrategy of its own, of type ${formatDisplayValue(type)}; ` +
        'KubeRay refuses the RayCluster that it creates from it.',
      help: () => 'Set upgradeStrategy only under spec.',
      sample: { type: 'Recreate' },
    }),
    tokenAuth: defineMessage<object>({
      text: () => 'enableK8sTokenAuth is true, which KubeRay refuses in a RayService.',
      help: () => 'Delete enableK8sTokenAuth.',
      sample: {},
    }),
    noServePort: defineMessage<PortsData>({
      text: ({ names }) =>
        `None of the head's ports (${names.map(formatDisplayValue).join(', ')}) is named "serve" or "serve-…", ` +
        'so KubeRay cannot create the Serve Service and fails at every reconcile.',
      help: () => 'Add { name: serve, containerPort: 8000 }, or delete all ports.',
      sample: { names: ['gcs', 'dashboard'] },
    }),
  },
});

/** Reports a cluster under rayClusterSpec, the name in the guide's example, without a rayClusterConfig. */
export function checkMisnamedCluster({ spec, paths }: ParsedRayService): Finding[] {
  if (!('rayClusterSpec' in spec) || isFields(spec.rayClusterConfig)) return [];
  return [rayClusterSpec.createFinding('misnamed', { path: toFieldPath`${paths.spec}.rayClusterSpec`, data: {} })];
}

/** Reports a cluster under rayClusterSpec, the name in the guide's example, in addition to rayClusterConfig. */
export function checkDuplicateCluster({ spec, paths }: ParsedRayService): Finding[] {
  if (!('rayClusterSpec' in spec)) return [];
  return [rayClusterSpec.createFinding('duplicateCluster', { path: toFieldPath`${paths.spec}.rayClusterSpec`, data: {} })];
}

/**
 * Reports what the operator refuses in a rayClusterConfig. Missing fields are not validated, since documents often omit entire pod
 * templates.
 *
 * Source: KubeRay v1.7.0 `utils/validation.go`, ValidateRayClusterSpec and ValidateRayServiceSpec.
 */
export function checkRayClusterSpec(service: ParsedRayService): Finding[] {
  return [
    ...checkHeadServiceName(service),
    ...checkStartParams(service),
    ...listRayGroups(service).flatMap((group) => checkGroupSpec(group, service)),
    ...checkSuspendedGroups(service),
    ...checkInnerStrategy(service),
    ...checkTokenAuth(service),
  ];
}

/** Reports groups without rayStartParams. Source: the CRD of KubeRay v1.7.0, in which only v1alpha1 lists rayStartParams as required. */
function checkStartParams(service: ParsedRayService): Finding[] {
  if (!mustHaveStartParams(service.manifest)) return [];
  return listRayGroups(service)
    .filter(({ spec }) => Object.keys(spec).length > 0 && spec.rayStartParams === undefined)
    .map(({ group, path }) =>
      rayClusterSpec.createFinding('noStartParams', { path: toFieldPath`${path}.rayStartParams`, data: { group } }),
    );
}

function checkHeadServiceName({ cluster, paths }: ParsedRayService): Finding[] {
  const name = getValueAt(cluster, 'headGroupSpec', 'headService', 'metadata', 'name');
  if (!name) return [];
  const path = toFieldPath`${paths.cluster}.headGroupSpec.headService.metadata.name`;
  return [rayClusterSpec.createFinding('headServiceName', { path, data: { name: toDisplayValue(name) } })];
}

function checkGroupSpec({ group, path, spec }: RayGroup, { behaviour }: ParsedRayService): Finding[] {
  const { minReplicas, maxReplicas } = spec;
  const params = START_PARAM_RESOURCES.filter((param) => (getFieldsAt(spec, 'rayStartParams')[param] ?? '') !== '');
  const findings: Finding[] = [];
  if (isFields(spec.template) && getListAt(spec.template, 'spec', 'containers').length === 0) {
    findings.push(rayClusterSpec.createFinding('noContainer', { path: toFieldPath`${path}.template.spec.containers`, data: { group } }));
  }
  if (behaviour.validatesNumbers && typeof minReplicas === 'number' && typeof maxReplicas === 'number' && minReplicas > maxReplicas) {
    findings.push(
      rayClusterSpec.createFinding('emptyRange', { path: toFieldPath`${path}.minReplicas`, data: { group, minReplicas, maxReplicas } }),
    );
  }
  if (params.length > 0 && Object.keys(getFieldsAt(spec, 'resources')).length > 0) {
    findings.push(rayClusterSpec.createFinding('duplicateResources', { path: toFieldPath`${path}.resources`, data: { group, params } }));
  }
  return [...findings, ...checkGroupQuantities({ group, path, spec })];
}

/** Reports quantities below 0. Source: k/k pkg/apis/core/validation/validation.go, `ValidateResourceQuantityValue`. */
function checkGroupQuantities({ group, path, spec }: RayGroup): Finding[] {
  return getListAt(spec, 'template', 'spec', 'containers').flatMap((fields, container) =>
    (['requests', 'limits'] as const).flatMap((kind) =>
      Object.entries(getFieldsAt(fields, 'resources', kind)).flatMap(([resource, value]) => {
        if ((parseQuantityNanos(value) ?? 0n) >= 0n) return [];
        const quantityPath = toFieldPath`${path}.template.spec.containers[${container}].resources.${kind}[${resource}]`;
        return rayClusterSpec.createFinding('negativeQuantity', {
          path: quantityPath,
          data: { group, container, kind, resource, value: toDisplayValue(value) },
        });
      }),
    ),
  );
}

function checkSuspendedGroups(service: ParsedRayService): Finding[] {
  if (service.cluster.enableInTreeAutoscaling !== true) return [];
  return listRayGroups(service)
    .filter(({ spec }) => spec.suspend === true)
    .map(({ group, path }) => rayClusterSpec.createFinding('suspendedGroup', { path: toFieldPath`${path}.suspend`, data: { group } }));
}

function checkInnerStrategy({ cluster, paths }: ParsedRayService): Finding[] {
  const type = getValueAt(cluster, 'upgradeStrategy', 'type');
  if (!type) return [];
  return [
    rayClusterSpec.createFinding('innerStrategy', {
      path: toFieldPath`${paths.cluster}.upgradeStrategy.type`,
      data: { type: toDisplayValue(type) },
    }),
  ];
}

function checkTokenAuth({ cluster, paths }: ParsedRayService): Finding[] {
  if (getValueAt(cluster, 'authOptions', 'enableK8sTokenAuth') !== true) return [];
  return [rayClusterSpec.createFinding('tokenAuth', { path: toFieldPath`${paths.cluster}.authOptions.enableK8sTokenAuth`, data: {} })];
}

function isServePort(name: unknown): boolean {
  return typeof name === 'string' && (name === 'serve' || name.startsWith('serve-'));
}

/**
 * Reports a head that lists ports without one for Serve. The operator accepts the spec, then fails at every reconcile for lack of a Service
 * port.
 *
 * Source: KubeRay v1.7.0 `common/service.go`, BuildServeService.
 */
export function checkServePort({ cluster, paths }: ParsedRayService): Finding[] {
  const ports = getListAt(cluster, 'headGroupSpec', 'template', 'spec', 'containers', 0, 'ports');
  const names = ports.map((port) => getValueAt(port, 'name'));
  if (ports.length === 0 || names.some(isServePort)) return [];
  const path = toFieldPath`${paths.cluster}.headGroupSpec.template.spec.containers[0].ports`;
  return [rayClusterSpec.createFinding('noServePort', { path, data: { names: names.map(toDisplayValue) } })];
}
