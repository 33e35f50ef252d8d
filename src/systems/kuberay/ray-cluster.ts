import type { Finding } from '../../core/finding';
import { fieldsAt, isFields, listAt, valueAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { describeValue } from '../../core/shape';
import { kuberayFinding } from './catalogue';

const CONFIG = 'spec.rayClusterConfig';

/** Resources that Ray takes from rayStartParams as well as from `resources`. */
const START_PARAM_RESOURCES = ['num-cpus', 'num-gpus', 'memory', 'resources'];

interface Group {
  readonly name: string;
  readonly path: string;
  readonly spec: Fields;
}

function groupsOf(rayClusterConfig: unknown): Group[] {
  const head = { name: 'the head group', path: `${CONFIG}.headGroupSpec`, spec: fieldsAt(rayClusterConfig, 'headGroupSpec') };
  const workers = listAt(rayClusterConfig, 'workerGroupSpecs').map((spec, index) => ({
    name: `worker group ${describeValue(valueAt(spec, 'groupName'))}`,
    path: `${CONFIG}.workerGroupSpecs[${index}]`,
    spec: isFields(spec) ? spec : {},
  }));
  return [head, ...workers];
}

function refusal(path: string, message: string, help: string): Finding {
  return kuberayFinding('kuberay/ray-cluster-spec', { path, message, help });
}

/**
 * What the operator refuses in a rayClusterConfig. What is left out is not judged, since documents leave out whole pod templates.
 *
 * Source: KubeRay v1.7.0 `utils/validation.go`, ValidateRayClusterSpec and ValidateRayServiceSpec.
 */
export function rayClusterRefusals(rayClusterConfig: unknown): Finding[] {
  return [
    ...headServiceRefusals(rayClusterConfig),
    ...groupsOf(rayClusterConfig).flatMap(groupRefusals),
    ...suspendedGroupRefusals(rayClusterConfig),
    ...innerStrategyRefusals(rayClusterConfig),
    ...tokenRefusals(rayClusterConfig),
  ];
}

function headServiceRefusals(rayClusterConfig: unknown): Finding[] {
  const name = valueAt(rayClusterConfig, 'headGroupSpec', 'headService', 'metadata', 'name');
  if (!name) return [];
  return [
    refusal(
      `${CONFIG}.headGroupSpec.headService.metadata.name`,
      `The headService is named ${describeValue(name)}, but KubeRay names it itself and refuses a name of its own.`,
      'Delete the name.',
    ),
  ];
}

function groupRefusals({ name, path, spec }: Group): Finding[] {
  const podSpec = valueAt(spec, 'template', 'spec');
  const { minReplicas, maxReplicas } = spec;
  const params = START_PARAM_RESOURCES.filter((param) => param in fieldsAt(spec, 'rayStartParams'));
  const findings: Finding[] = [];
  if (isFields(podSpec) && listAt(podSpec, 'containers').length === 0) {
    findings.push(
      refusal(
        `${path}.template.spec.containers`,
        `${sentence(name)} has no container, and KubeRay refuses that.`,
        'Write the Ray container first.',
      ),
    );
  }
  if (typeof minReplicas === 'number' && typeof maxReplicas === 'number' && minReplicas > maxReplicas) {
    findings.push(
      refusal(
        `${path}.minReplicas`,
        `minReplicas ${minReplicas} of ${name} is above maxReplicas ${maxReplicas}, and KubeRay refuses that.`,
        `Write a minReplicas of at most ${maxReplicas}.`,
      ),
    );
  }
  if (params.length > 0 && Object.keys(fieldsAt(spec, 'resources')).length > 0) {
    findings.push(
      refusal(
        `${path}.resources`,
        `${sentence(name)} has resources both in rayStartParams (${params.join(', ')}) and in resources, and KubeRay refuses that.`,
        'Write them in resources alone.',
      ),
    );
  }
  return findings;
}

function suspendedGroupRefusals(rayClusterConfig: unknown): Finding[] {
  if (valueAt(rayClusterConfig, 'enableInTreeAutoscaling') !== true) return [];
  return groupsOf(rayClusterConfig)
    .filter(({ spec }) => spec.suspend === true)
    .map(({ name, path }) =>
      refusal(
        `${path}.suspend`,
        `${sentence(name)} is suspended while the in-tree autoscaler is on, and KubeRay refuses that.`,
        'Delete suspend, or set maxReplicas to 0.',
      ),
    );
}

function innerStrategyRefusals(rayClusterConfig: unknown): Finding[] {
  const type = valueAt(rayClusterConfig, 'upgradeStrategy', 'type');
  if (!type) return [];
  return [
    refusal(
      `${CONFIG}.upgradeStrategy.type`,
      `rayClusterConfig has an upgradeStrategy of its own, of type ${describeValue(type)}; KubeRay refuses the RayCluster that it makes ` +
        `from this.`,
      'Write upgradeStrategy under spec alone.',
    ),
  ];
}

function tokenRefusals(rayClusterConfig: unknown): Finding[] {
  if (valueAt(rayClusterConfig, 'authOptions', 'enableK8sTokenAuth') !== true) return [];
  return [
    refusal(
      `${CONFIG}.authOptions.enableK8sTokenAuth`,
      'enableK8sTokenAuth is true, and KubeRay refuses that in a RayService.',
      'Delete enableK8sTokenAuth.',
    ),
  ];
}

/**
 * A head that lists ports without one for Serve: the operator takes the spec, then fails at every reconcile for want of a Service port.
 *
 * Source: KubeRay v1.7.0 `common/service.go`, BuildServeService.
 */
export function servePortFindings(rayClusterConfig: unknown): Finding[] {
  const ports = listAt(rayClusterConfig, 'headGroupSpec', 'template', 'spec', 'containers', 0, 'ports');
  const names = ports.map((port) => valueAt(port, 'name'));
  if (ports.length === 0 || names.some((name) => typeof name === 'string' && (name === 'serve' || name.startsWith('serve-')))) return [];
  return [
    refusal(
      `${CONFIG}.headGroupSpec.template.spec.containers[0].ports`,
      `The head's ports (${names.map(describeValue).join(', ')}) hold none named "serve" or "serve-…", so KubeRay cannot make the Serve ` +
        `Service and fails at every reconcile.`,
      'Add { name: serve, containerPort: 8000 }, or delete all ports.',
    ),
  ];
}

function sentence(name: string): string {
  return `${name[0]!.toUpperCase()}${name.slice(1)}`;
}
