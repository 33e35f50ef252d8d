import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt, isFields, getListAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { collectTemplateFindings } from '../../workloads/leader-worker-set/templates';
import type { TemplateValidation } from '../../workloads/leader-worker-set/templates';
import { validateWorkloadPod } from '../../workloads/workload-validation';
import type { LlmComponent } from './components';
import { reportLlmTemplateRefused } from './rules/llm-template-refused';

/** A placeholder for values that a preset fills in. */
const PRESET_PLACEHOLDER = 'preset';

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const;

/** Fills in a probe that has only times, or a request without a port. The preset provides the rest. */
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
 * Returns a pod with everything that a preset may fill in: images, probe handlers, a container if there is none, and a volume for each
 * mount.
 *
 * KServe merges the presets with the object by container and volume name; the object takes precedence.
 * Source: kserve pkg/controller/v1alpha2/llmisvc/config_merge.go, `MergeSpecs`.
 */
function fillPod(pod: Fields): Fields {
  const containers = getListAt(pod, 'containers');
  const initContainers = getListAt(pod, 'initContainers');
  const volumes = getListAt(pod, 'volumes');
  const volumeNames = new Set(volumes.map((volume) => getFieldsAt({ volume }, 'volume').name));
  const missingVolumes = new Set([...containers, ...initContainers].flatMap(listMountNames).filter((name) => !volumeNames.has(name)));
  return {
    ...pod,
    containers: containers.length > 0 ? containers.map(fillContainer) : [{ name: 'main', image: PRESET_PLACEHOLDER }],
    ...(initContainers.length > 0 && { initContainers: initContainers.map(fillContainer) }),
    volumes: [...volumes, ...[...missingVolumes].map((name) => ({ name, emptyDir: {} }))],
  };
}

function validatePod(pod: Fields, path: FieldPath, members: TemplateValidation['members'], kubernetesVersion: string): TemplateValidation {
  const findings = validateWorkloadPod(fillPod(pod), kubernetesVersion, path);
  return { path, members, isRejected: findings.some(({ severity }) => severity === 'error'), findings };
}

/** Validates the pods of a component like the API server, the leader's pod first. */
export function validateLlmPods(
  { path, spec, template, templatePath, groupSize }: LlmComponent,
  kubernetesVersion: string,
): readonly TemplateValidation[] {
  const leader = validatePod(template, templatePath, 'leaders', kubernetesVersion);
  if (groupSize === undefined || groupSize === 1) return [leader];
  return [leader, validatePod(getFieldsAt(spec, 'worker'), toFieldPath`${path}.worker`, 'workers', kubernetesVersion)];
}

/** Returns the findings about the pods of a component, with the outcome and its reason. */
export function collectLlmPodFindings({ groupSize, objectName }: LlmComponent, validations: readonly TemplateValidation[]): Finding[] {
  if (groupSize !== undefined) return collectTemplateFindings(validations);
  return validations.flatMap(({ path, isRejected, findings }) =>
    isRejected ? [reportLlmTemplateRefused(path, objectName), ...findings] : findings,
  );
}
