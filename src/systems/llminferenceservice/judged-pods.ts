import { at } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { fieldsAt, isFields, listAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { templateFindings } from '../../workloads/leader-worker-set/templates';
import type { JudgedTemplate } from '../../workloads/leader-worker-set/templates';
import { workloadPodFindings } from '../../workloads/workload-validation';
import type { LlmComponent } from './components';
import { templateRefusedFinding } from './rules/llm-template-refused';

/** What stands for whatever a preset has. */
const OF_PRESET = 'preset';

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const;

/** A probe of which the user writes but the times, or a request without its port: what it asks is the preset's. */
function completedProbe(probe: Fields): Fields {
  if (HANDLERS.every((handler) => probe[handler] === undefined)) return { ...probe, tcpSocket: { port: OF_PRESET } };
  return isFields(probe.httpGet) ? { ...probe, httpGet: { port: OF_PRESET, ...probe.httpGet } } : probe;
}

function completedContainer(container: unknown): unknown {
  if (!isFields(container)) return container;
  const probes = PROBES.flatMap((name) => {
    const probe = container[name];
    return isFields(probe) ? [[name, completedProbe(probe)] as const] : [];
  });
  return { image: OF_PRESET, ...container, ...Object.fromEntries(probes) };
}

function mountsOf(container: unknown): string[] {
  return listAt({ container }, 'container', 'volumeMounts').flatMap((mount) => {
    const { name } = fieldsAt({ mount }, 'mount');
    return typeof name === 'string' ? [name] : [];
  });
}

/**
 * A pod as far as its user writes it, with what a preset may fill in: images, what probes ask, a container where there is none, and the volume of each mount.
 *
 * KServe merges the presets and the object by the names of containers and volumes, and what the object has wins.
 * Source: kserve pkg/controller/v1alpha2/llmisvc/config_merge.go, `MergeSpecs`.
 */
function completedPod(pod: Fields): Fields {
  const containers = listAt(pod, 'containers');
  const initContainers = listAt(pod, 'initContainers');
  const volumes = listAt(pod, 'volumes');
  const named = new Set(volumes.map((volume) => fieldsAt({ volume }, 'volume').name));
  const mounted = new Set([...containers, ...initContainers].flatMap(mountsOf).filter((name) => !named.has(name)));
  return {
    ...pod,
    containers: containers.length > 0 ? containers.map(completedContainer) : [{ name: 'main', image: OF_PRESET }],
    ...(initContainers.length > 0 && { initContainers: initContainers.map(completedContainer) }),
    volumes: [...volumes, ...[...mounted].map((name) => ({ name, emptyDir: {} }))],
  };
}

function judgedPod(pod: Fields, path: FieldPath, of: JudgedTemplate['of'], kubernetesVersion: string): JudgedTemplate {
  const findings = workloadPodFindings(completedPod(pod), kubernetesVersion, path);
  return { path, of, isRefused: findings.some(({ severity }) => severity === 'error'), findings };
}

/** The API server's verdicts on what is made of the pods of a component; the leader's first. */
export function judgedPods(
  { path, spec, template, templatePath, groupSize }: LlmComponent,
  kubernetesVersion: string,
): readonly JudgedTemplate[] {
  const leader = judgedPod(template, templatePath, 'leaders', kubernetesVersion);
  if (groupSize === undefined || groupSize === 1) return [leader];
  return [leader, judgedPod(fieldsAt(spec, 'worker'), at`${path}.worker`, 'workers', kubernetesVersion)];
}

/** What becomes of a component by the verdicts on its pods, and why. */
export function podFindings({ groupSize, objectName }: LlmComponent, judged: readonly JudgedTemplate[]): Finding[] {
  if (groupSize !== undefined) return templateFindings(judged);
  return judged.flatMap(({ path, isRefused, findings }) =>
    isRefused ? [templateRefusedFinding(path, objectName), ...findings] : findings,
  );
}
