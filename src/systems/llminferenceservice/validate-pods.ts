import { toFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { getFieldsAt, isFields, getListAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { collectTemplateFindings } from '../../workloads/leader-worker-set/templates';
import type { TemplateValidation } from '../../workloads/leader-worker-set/templates';
import { validateWorkloadPod } from '../../workloads/workload-validation';
import type { LlmComponent } from './components';
import { reportLlmTemplateRefused } from './rules/llm-template-refused';

/** What stands for whatever a preset has. */
const PRESET_PLACEHOLDER = 'preset';

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const;

/** A probe of which the user writes but the times, or a request without its port: what it asks is the preset's. */
function fillProbe(probe: Fields): Fields {
  if (HANDLERS.every((handler) => probe[handler] === undefined)) return { ...probe, tcpSocket: { port: PRESET_PLACEHOLDER } };
  return isFields(probe.httpGet) ? { ...probe, httpGet: { port: PRESET_PLACEHOLDER, ...probe.httpGet } } : probe;
}

function fillContainer(container: unknown): unknown {
  if (!isFields(container)) return container;
  const probes = PROBES.flatMap((name) => {
    const probe = container[name];
    return isFields(probe) ? [[name, fillProbe(probe)] as const] : [];
  });
  return { image: PRESET_PLACEHOLDER, ...container, ...Object.fromEntries(probes) };
}

function listMountNames(container: unknown): string[] {
  return getListAt({ container }, 'container', 'volumeMounts').flatMap((mount) => {
    const { name } = getFieldsAt({ mount }, 'mount');
    return typeof name === 'string' ? [name] : [];
  });
}

/**
 * A pod as far as its user writes it, with what a preset may fill in: images, what probes ask, a container where there is none, and the volume of each mount.
 *
 * KServe merges the presets and the object by the names of containers and volumes, and what the object has wins.
 * Source: kserve pkg/controller/v1alpha2/llmisvc/config_merge.go, `MergeSpecs`.
 */
function fillPod(pod: Fields): Fields {
  const containers = getListAt(pod, 'containers');
  const initContainers = getListAt(pod, 'initContainers');
  const volumes = getListAt(pod, 'volumes');
  const named = new Set(volumes.map((volume) => getFieldsAt({ volume }, 'volume').name));
  const mounted = new Set([...containers, ...initContainers].flatMap(listMountNames).filter((name) => !named.has(name)));
  return {
    ...pod,
    containers: containers.length > 0 ? containers.map(fillContainer) : [{ name: 'main', image: PRESET_PLACEHOLDER }],
    ...(initContainers.length > 0 && { initContainers: initContainers.map(fillContainer) }),
    volumes: [...volumes, ...[...mounted].map((name) => ({ name, emptyDir: {} }))],
  };
}

function validatePod(pod: Fields, path: FieldPath, of: TemplateValidation['members'], kubernetesVersion: string): TemplateValidation {
  const findings = validateWorkloadPod(fillPod(pod), kubernetesVersion, path);
  return { path, members: of, isRejected: findings.some(({ severity }) => severity === 'error'), findings };
}

/** The API server's verdicts on what is made of the pods of a component; the leader's first. */
export function validateLlmPods(
  { path, spec, template, templatePath, groupSize }: LlmComponent,
  kubernetesVersion: string,
): readonly TemplateValidation[] {
  const leader = validatePod(template, templatePath, 'leaders', kubernetesVersion);
  if (groupSize === undefined || groupSize === 1) return [leader];
  return [leader, validatePod(getFieldsAt(spec, 'worker'), toFieldPath`${path}.worker`, 'workers', kubernetesVersion)];
}

/** What becomes of a component by the verdicts on its pods, and why. */
export function collectLlmPodFindings({ groupSize, objectName }: LlmComponent, validated: readonly TemplateValidation[]): Finding[] {
  if (groupSize !== undefined) return collectTemplateFindings(validated);
  return validated.flatMap(({ path, isRejected, findings }) =>
    isRejected ? [reportLlmTemplateRefused(path, objectName), ...findings] : findings,
  );
}
