import { plainly, set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { fieldsAt, isFields, listAt, valueAt } from '../../../core/manifest';
import { nanosOf } from '../../../core/quantity';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { capitalised } from '../../../core/words';
import type { ReadRayService } from '../ray-service';
import { needsStartParams } from '../served-fields';
import { WHOLE_SERVICE, withCluster } from './examples';
import { groupsOf, groupText, SAMPLE_GROUP } from './groups';
import type { Group, GroupData } from './groups';

/** Resources that Ray takes from rayStartParams as well as from `resources`. */
const START_PARAM_RESOURCES = ['num-cpus', 'num-gpus', 'memory', 'resources'];

interface NameData {
  readonly name: Seen;
}

interface RangeData extends GroupData {
  readonly minReplicas: number;
  readonly maxReplicas: number;
}

interface ParamsData extends GroupData {
  /** The resources in rayStartParams. */
  readonly params: readonly string[];
}

interface QuantityData extends GroupData {
  readonly container: number;
  readonly kind: 'requests' | 'limits';
  readonly resource: string;
  readonly value: Seen;
}

interface TypeData {
  readonly type: Seen;
}

interface PortsData {
  /** Of the head's ports. */
  readonly names: readonly Seen[];
}

/** A Ray cluster that KubeRay does not find, or refuses. */
export const rayClusterSpec = rule({
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
  example: withCluster('rayClusterConfig', 'rayClusterSpec'),
  fixed: WHOLE_SERVICE,
  messages: {
    misnamed: message<object>({
      text: () =>
        'A RayService has no field rayClusterSpec, and rayClusterConfig, which it must have, is missing: ' +
        'the API server refuses the object.',
      help: () => 'Write rayClusterConfig instead of rayClusterSpec.',
      sample: {},
    }),
    beside: message<object>({
      text: () => 'A RayService has no field rayClusterSpec: it is dropped or refused, and rayClusterConfig beside it decides.',
      help: () => 'Write only rayClusterConfig.',
      sample: {},
    }),
    headServiceName: message<NameData>({
      text: ({ name }) => `The headService is named ${show(name)}, but KubeRay names it itself and refuses a name of its own.`,
      help: () => 'Delete the name.',
      sample: { name: 'mine' },
    }),
    noStartParams: message<GroupData>({
      text: ({ group }) =>
        `${capitalised(groupText(group))} has no rayStartParams, which ray.io/v1alpha1 wants in every group: the API server refuses the object.`,
      help: () => 'Write rayStartParams: {}, or apiVersion: ray.io/v1, which does not want it.',
      advice: (_data, path) => plainly(set(path, {})),
      sample: { group: SAMPLE_GROUP },
    }),
    noContainer: message<GroupData>({
      text: ({ group }) => `${capitalised(groupText(group))} has no container, and KubeRay refuses that.`,
      help: () => 'Write the Ray container first.',
      sample: { group: SAMPLE_GROUP },
    }),
    emptyRange: message<RangeData>({
      text: ({ group, minReplicas, maxReplicas }) =>
        `minReplicas ${minReplicas} of ${groupText(group)} is above maxReplicas ${maxReplicas}, and KubeRay refuses that.`,
      help: ({ maxReplicas }) => `Write a minReplicas of at most ${maxReplicas}.`,
      sample: { group: SAMPLE_GROUP, minReplicas: 11, maxReplicas: 10 },
    }),
    resourcesTwice: message<ParamsData>({
      text: ({ group, params }) =>
        `${capitalised(groupText(group))} has resources both in rayStartParams (${params.join(', ')}) and in resources, ` +
        'and KubeRay refuses that.',
      help: () => 'Write them only in resources.',
      sample: { group: SAMPLE_GROUP, params: ['num-gpus'] },
    }),
    negativeQuantity: message<QuantityData>({
      text: ({ group, container, kind, resource, value }) =>
        `Container ${container + 1} of ${groupText(group)} has ${show(value)} of ${resource} in its ${kind}, ` +
        'and the API server refuses every pod with a quantity below 0.',
      help: ({ resource }) => `Write how much of ${resource} a pod needs, or delete it.`,
      sample: { group: SAMPLE_GROUP, container: 0, kind: 'limits', resource: 'nvidia.com/gpu', value: -4 },
    }),
    suspendedGroup: message<GroupData>({
      text: ({ group }) => `${capitalised(groupText(group))} is suspended while the in-tree autoscaler is on, and KubeRay refuses that.`,
      help: () => 'Delete suspend, or set maxReplicas to 0.',
      sample: { group: SAMPLE_GROUP },
    }),
    innerStrategy: message<TypeData>({
      text: ({ type }) =>
        `rayClusterConfig has an upgradeStrategy of its own, of type ${show(type)}; ` +
        'KubeRay refuses the RayCluster that it makes from this.',
      help: () => 'Write upgradeStrategy only under spec.',
      sample: { type: 'Recreate' },
    }),
    tokenAuth: message<object>({
      text: () => 'enableK8sTokenAuth is true, and KubeRay refuses that in a RayService.',
      help: () => 'Delete enableK8sTokenAuth.',
      sample: {},
    }),
    noServePort: message<PortsData>({
      text: ({ names }) =>
        `The head's ports (${names.map(show).join(', ')}) hold none named "serve" or "serve-…", ` +
        'so KubeRay cannot make the Serve Service and fails at every reconcile.',
      help: () => 'Add { name: serve, containerPort: 8000 }, or delete all ports.',
      sample: { names: ['gcs', 'dashboard'] },
    }),
  },
});

/** A cluster under the name of the guide's example, and none under the right one. */
export function misnamedClusterFindings({ spec, places }: ReadRayService): Finding[] {
  if (!('rayClusterSpec' in spec) || isFields(spec.rayClusterConfig)) return [];
  return [rayClusterSpec.finding('misnamed', { path: at`${places.spec}.rayClusterSpec`, data: {} })];
}

/** A cluster under the name of the guide's example beside the right one. */
export function secondClusterFindings({ spec, places }: ReadRayService): Finding[] {
  if (!('rayClusterSpec' in spec)) return [];
  return [rayClusterSpec.finding('beside', { path: at`${places.spec}.rayClusterSpec`, data: {} })];
}

/**
 * What the operator refuses in a rayClusterConfig. What is left out is not judged, since documents leave out whole pod templates.
 *
 * Source: KubeRay v1.7.0 `utils/validation.go`, ValidateRayClusterSpec and ValidateRayServiceSpec.
 */
export function refusedClusterFindings(service: ReadRayService): Finding[] {
  return [
    ...headServiceFindings(service),
    ...startParamsFindings(service),
    ...groupsOf(service).flatMap((group) => groupFindings(group, service)),
    ...suspendedGroupFindings(service),
    ...innerStrategyFindings(service),
    ...tokenAuthFindings(service),
  ];
}

/** Source: the CRD of KubeRay v1.7.0, in which only v1alpha1 lists rayStartParams as required. */
function startParamsFindings(service: ReadRayService): Finding[] {
  if (!needsStartParams(service.written)) return [];
  return groupsOf(service)
    .filter(({ spec }) => Object.keys(spec).length > 0 && spec.rayStartParams === undefined)
    .map(({ group, path }) => rayClusterSpec.finding('noStartParams', { path: at`${path}.rayStartParams`, data: { group } }));
}

function headServiceFindings({ cluster, places }: ReadRayService): Finding[] {
  const name = valueAt(cluster, 'headGroupSpec', 'headService', 'metadata', 'name');
  if (!name) return [];
  const path = at`${places.cluster}.headGroupSpec.headService.metadata.name`;
  return [rayClusterSpec.finding('headServiceName', { path, data: { name: seen(name) } })];
}

function groupFindings({ group, path, spec }: Group, { behaviour }: ReadRayService): Finding[] {
  const { minReplicas, maxReplicas } = spec;
  const params = START_PARAM_RESOURCES.filter((param) => (fieldsAt(spec, 'rayStartParams')[param] ?? '') !== '');
  const findings: Finding[] = [];
  if (isFields(spec.template) && listAt(spec.template, 'spec', 'containers').length === 0) {
    findings.push(rayClusterSpec.finding('noContainer', { path: at`${path}.template.spec.containers`, data: { group } }));
  }
  if (behaviour.judgesNumbers && typeof minReplicas === 'number' && typeof maxReplicas === 'number' && minReplicas > maxReplicas) {
    findings.push(rayClusterSpec.finding('emptyRange', { path: at`${path}.minReplicas`, data: { group, minReplicas, maxReplicas } }));
  }
  if (params.length > 0 && Object.keys(fieldsAt(spec, 'resources')).length > 0) {
    findings.push(rayClusterSpec.finding('resourcesTwice', { path: at`${path}.resources`, data: { group, params } }));
  }
  return [...findings, ...quantityFindings({ group, path, spec })];
}

/** Source: k/k pkg/apis/core/validation/validation.go, `ValidateResourceQuantityValue`. */
function quantityFindings({ group, path, spec }: Group): Finding[] {
  return listAt(spec, 'template', 'spec', 'containers').flatMap((fields, container) =>
    (['requests', 'limits'] as const).flatMap((kind) =>
      Object.entries(fieldsAt(fields, 'resources', kind)).flatMap(([resource, value]) => {
        if ((nanosOf(value) ?? 0n) >= 0n) return [];
        const place = at`${path}.template.spec.containers[${container}].resources.${kind}[${resource}]`;
        return rayClusterSpec.finding('negativeQuantity', { path: place, data: { group, container, kind, resource, value: seen(value) } });
      }),
    ),
  );
}

function suspendedGroupFindings(service: ReadRayService): Finding[] {
  if (service.cluster.enableInTreeAutoscaling !== true) return [];
  return groupsOf(service)
    .filter(({ spec }) => spec.suspend === true)
    .map(({ group, path }) => rayClusterSpec.finding('suspendedGroup', { path: at`${path}.suspend`, data: { group } }));
}

function innerStrategyFindings({ cluster, places }: ReadRayService): Finding[] {
  const type = valueAt(cluster, 'upgradeStrategy', 'type');
  if (!type) return [];
  return [rayClusterSpec.finding('innerStrategy', { path: at`${places.cluster}.upgradeStrategy.type`, data: { type: seen(type) } })];
}

function tokenAuthFindings({ cluster, places }: ReadRayService): Finding[] {
  if (valueAt(cluster, 'authOptions', 'enableK8sTokenAuth') !== true) return [];
  return [rayClusterSpec.finding('tokenAuth', { path: at`${places.cluster}.authOptions.enableK8sTokenAuth`, data: {} })];
}

function isServePort(name: unknown): boolean {
  return typeof name === 'string' && (name === 'serve' || name.startsWith('serve-'));
}

/**
 * A head that lists ports without one for Serve: the operator takes the spec, then fails at every reconcile for want of a Service port.
 *
 * Source: KubeRay v1.7.0 `common/service.go`, BuildServeService.
 */
export function servePortFindings({ cluster, places }: ReadRayService): Finding[] {
  const ports = listAt(cluster, 'headGroupSpec', 'template', 'spec', 'containers', 0, 'ports');
  const names = ports.map((port) => valueAt(port, 'name'));
  if (ports.length === 0 || names.some(isServePort)) return [];
  const path = at`${places.cluster}.headGroupSpec.template.spec.containers[0].ports`;
  return [rayClusterSpec.finding('noServePort', { path, data: { names: names.map(seen) } })];
}
