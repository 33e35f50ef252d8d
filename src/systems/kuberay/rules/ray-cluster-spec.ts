import { suggestAutomaticFix, setField } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { getFieldsAt, isFields, getListAt, getValueAt } from '../../../core/manifest';
import { parseQuantityNanos } from '../../../core/quantity';
import { toDisplayValue, formatDisplayValue } from '../../../core/display-value';
import type { DisplayValue } from '../../../core/display-value';
import { capitalize } from '../../../core/text-format';
import type { ParsedRayService } from '../ray-service';
import { mustHaveStartParams } from '../crd-fields';
import { VALID_RAY_SERVICE_TEXT, withRayCluster } from './examples';
import { listRayGroups, formatRayGroup, SAMPLE_RAY_GROUP } from './ray-groups';
import type { RayGroup, RayGroupData } from './ray-groups';

/** Resources that Ray takes from rayStartParams as well as from `resources`. */
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
  /** Of the head's ports. */
  readonly names: readonly DisplayValue[];
}

/** A Ray cluster that KubeRay does not find, or refuses. */
export const rayClusterSpec = defineRule({
  code: 'kuberay/ray-cluster-spec',
  since: '0.1.0',
  severity: 'error',
  fires: 'The Ray cluster stands under rayClusterSpec, which is not a field, or rayClusterConfig holds something that KubeRay refuses.',
  why:
    'The field is `rayClusterConfig`, which is required; ' +
    'the guide prints `rayClusterSpec` in its example, so the API server refuses that manifest. ' +
    'In ray.io/v1alpha1 every group has to have rayStartParams. ' +
    'Of what stands in rayClusterConfig the operator refuses: a group without container, minReplicas above maxReplicas, ' +
    'a name for the headService, enableK8sTokenAuth, resources both in rayStartParams and in resources, ' +
    'a suspended worker group beside the autoscaler, an upgradeStrategy of its own, ' +
    'and a quantity below 0, which the API server refuses in every pod, ' +
    'and a head whose ports have none named `serve`.',
  fix: 'Write `rayClusterConfig`, and in it what the message says.',
  example: withRayCluster('rayClusterConfig', 'rayClusterSpec'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    misnamed: defineMessage<object>({
      text: () =>
        'A RayService has no field rayClusterSpec, and rayClusterConfig, which it must have, is missing: ' +
        'the API server refuses the object.',
      help: () => 'Write rayClusterConfig instead of rayClusterSpec.',
      sample: {},
    }),
    duplicateCluster: defineMessage<object>({
      text: () => 'A RayService has no field rayClusterSpec: it is dropped or refused, and rayClusterConfig beside it decides.',
      help: () => 'Write only rayClusterConfig.',
      sample: {},
    }),
    headServiceName: defineMessage<NameData>({
      text: ({ name }) =>
        `The headService is named ${formatDisplayValue(name)}, but KubeRay names it itself and refuses a name of its own.`,
      help: () => 'Delete the name.',
      sample: { name: 'mine' },
    }),
    noStartParams: defineMessage<RayGroupData>({
      text: ({ group }) =>
        `${capitalize(formatRayGroup(group))} has no rayStartParams, which ray.io/v1alpha1 wants in every group: the API server refuses the object.`,
      help: () => 'Write rayStartParams: {}, or apiVersion: ray.io/v1, which does not want it.',
      suggestedFix: (_data, path) => suggestAutomaticFix(setField(path, {})),
      sample: { group: SAMPLE_RAY_GROUP },
    }),
    noContainer: defineMessage<RayGroupData>({
      text: ({ group }) => `${capitalize(formatRayGroup(group))} has no container, and KubeRay refuses that.`,
      help: () => 'Write the Ray container first.',
      sample: { group: SAMPLE_RAY_GROUP },
    }),
    emptyRange: defineMessage<RangeData>({
      text: ({ group, minReplicas, maxReplicas }) =>
        `minReplicas ${minReplicas} of ${formatRayGroup(group)} is above maxReplicas ${maxReplicas}, and KubeRay refuses that.`,
      help: ({ maxReplicas }) => `Write a minReplicas of at most ${maxReplicas}.`,
      sample: { group: SAMPLE_RAY_GROUP, minReplicas: 11, maxReplicas: 10 },
    }),
    duplicateResources: defineMessage<ParamsData>({
      text: ({ group, params }) =>
        `${capitalize(formatRayGroup(group))} has resources both in rayStartParams (${params.join(', ')}) and in resources, ` +
        'and KubeRay refuses that.',
      help: () => 'Write them only in resources.',
      sample: { group: SAMPLE_RAY_GROUP, params: ['num-gpus'] },
    }),
    negativeQuantity: defineMessage<QuantityData>({
      text: ({ group, container, kind, resource, value }) =>
        `Container ${container + 1} of ${formatRayGroup(group)} has ${formatDisplayValue(value)} of ${resource} in its ${kind}, ` +
        'and the API server refuses every pod with a quantity below 0.',
      help: ({ resource }) => `Write how much of ${resource} a pod needs, or delete it.`,
      sample: { group: SAMPLE_RAY_GROUP, container: 0, kind: 'limits', resource: 'nvidia.com/gpu', value: -4 },
    }),
    suspendedGroup: defineMessage<RayGroupData>({
      text: ({ group }) =>
        `${capitalize(formatRayGroup(group))} is suspended while the in-tree autoscaler is on, and KubeRay refuses that.`,
      help: () => 'Delete suspend, or set maxReplicas to 0.',
      sample: { group: SAMPLE_RAY_GROUP },
    }),
    innerStrategy: defineMessage<TypeData>({
      text: ({ type }) =>
        `rayClusterConfig has an upgradeStrategy of its own, of type ${formatDisplayValue(type)}; ` +
        'KubeRay refuses the RayCluster that it makes from this.',
      help: () => 'Write upgradeStrategy only under spec.',
      sample: { type: 'Recreate' },
    }),
    tokenAuth: defineMessage<object>({
      text: () => 'enableK8sTokenAuth is true, and KubeRay refuses that in a RayService.',
      help: () => 'Delete enableK8sTokenAuth.',
      sample: {},
    }),
    noServePort: defineMessage<PortsData>({
      text: ({ names }) =>
        `The head's ports (${names.map(formatDisplayValue).join(', ')}) hold none named "serve" or "serve-…", ` +
        'so KubeRay cannot make the Serve Service and fails at every reconcile.',
      help: () => 'Add { name: serve, containerPort: 8000 }, or delete all ports.',
      sample: { names: ['gcs', 'dashboard'] },
    }),
  },
});

/** A cluster under the name of the guide's example, and none under the right one. */
export function checkMisnamedCluster({ spec, paths }: ParsedRayService): Finding[] {
  if (!('rayClusterSpec' in spec) || isFields(spec.rayClusterConfig)) return [];
  return [rayClusterSpec.createFinding('misnamed', { path: toFieldPath`${paths.spec}.rayClusterSpec`, data: {} })];
}

/** A cluster under the name of the guide's example beside the right one. */
export function checkDuplicateCluster({ spec, paths }: ParsedRayService): Finding[] {
  if (!('rayClusterSpec' in spec)) return [];
  return [rayClusterSpec.createFinding('duplicateCluster', { path: toFieldPath`${paths.spec}.rayClusterSpec`, data: {} })];
}

/**
 * What the operator refuses in a rayClusterConfig. What is left out is not judged, since documents leave out whole pod templates.
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

/** Source: the CRD of KubeRay v1.7.0, in which only v1alpha1 lists rayStartParams as required. */
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

/** Source: k/k pkg/apis/core/validation/validation.go, `ValidateResourceQuantityValue`. */
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
 * A head that lists ports without one for Serve: the operator takes the spec, then fails at every reconcile for want of a Service port.
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
