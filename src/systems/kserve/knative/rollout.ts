import { appendToPath } from '../../../core/manifest/field-path';
import { getFieldsAt, namespaceOf } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { isInt32 } from '../../../core/values/int-or-percent';
import type { PlanContext } from '../../../cluster/context/context';
import { computeRevisionTermination } from '../../../workloads/revision/termination';
import type { ReplicaRange, Workload } from '../../../cluster/rollout/workload';
import type { SystemRollout } from '../../../cluster/rollout/system-rollout';
import { toResourceRef } from '../../../core/document/rollout';
import { buildPodWorkload } from '../../../workloads/build-pod-workload';
import { buildPodMetadata, buildPredictorPods } from '../deployments';
import { checkInvalidRevision } from '../rules/invalid-revision';
import { listAnnotationHolders } from '../service';
import type { KserveService, ServiceComponent } from '../service';
import { listStorageClaims } from '../storage';
import { listKserveContainers } from '../workload';
import { knativeConfigOf } from '../../../workloads/revision/config';
import { buildRevisionUpdate, countRevisionPods } from '../../../workloads/revision/kind';
import { resolveRevisionScale } from './scale';

function buildRevisionPodMetadata(service: KserveService, { name, spec }: ServiceComponent, ownName: string): Fields {
  const { labels, annotations } = buildPodMetadata(service, spec, name, ownName);
  // Knative sets `app` to the name of the Revision.
  const { app: _app, ...otherLabels } = getFieldsAt({ labels }, 'labels');
  return { labels: { ...otherLabels, 'serving.knative.dev/service': ownName }, annotations };
}

/**
 * Returns the range of Knative's autoscaler; undefined if it has no upper limit or nothing to scale.
 *
 * @param maxScale - of config-autoscaler; 0 is no limit
 */
function resolveReplicaRange({ spec }: ServiceComponent, ownName: string, minScale: number, maxScale: number): ReplicaRange | undefined {
  const maximum = isInt32(spec.maxReplicas) && spec.maxReplicas > 0 ? spec.maxReplicas : maxScale;
  if (maximum <= minScale) return undefined;
  return { by: `PodAutoscaler of "${ownName}"`, minimum: minScale, maximum };
}

function buildRevisionWorkload(service: KserveService, component: ServiceComponent, ownName: string, context: PlanContext): Workload {
  const { name, path, spec } = component;
  const config = knativeConfigOf(context);
  const scale = resolveRevisionScale(service, spec, context.versions, config);
  const changed = context.changedPods?.(service.object, name);
  const { kind, effective } = buildRevisionUpdate(scale, changed);
  const podSpec = name === 'predictor' ? buildPredictorPods(spec) : spec;
  return buildPodWorkload(
    kind,
    {
      effective,
      workload: {
        name: ownName,
        namespace: namespaceOf(service.object),
        template: {
          metadata: buildRevisionPodMetadata(service, component, ownName),
          spec: podSpec,
        },
        podPath: path,
        strategyPath: appendToPath(path, 'minReplicas'),
        claims: listStorageClaims(spec, path),
        // The defaults come from the serving runtime, from inferenceservice-config, and from the sidecar that Knative adds.
        hasDefaultedResources: true,
        controlsTermination: true,
        strategyOwner: 'knative',
        replicaRange: resolveReplicaRange(component, ownName, scale.minScale, config.maxScale),
      },
      count: countRevisionPods(scale, changed),
      // Knative adds its own probe to every pod.
      writtenPods: () => ({
        containers: listKserveContainers({ podSpec, podPath: path }).map((container) => ({ ...container, getsProbe: true })),
        metadata: listAnnotationHolders(service, name),
      }),
    },
    context,
  );
}

/** Plans the rollout of a component in mode Knative, where KServe creates no Deployment and there is no strategy. */
export function planRevision(service: KserveService, component: ServiceComponent, context: PlanContext): SystemRollout {
  const { object } = service;
  const namespace = namespaceOf(object);
  const planned = {
    system: 'kserve',
    resource: toResourceRef(object, service.name, namespace, component.name),
    strategy: null,
    provenance: [],
  } as const;
  const findings = checkInvalidRevision(component);
  if (findings.length > 0) return { ...planned, simulation: null, findings };
  const ownName = `${service.name}-${component.name}`;
  const workload = buildRevisionWorkload(service, component, ownName, context);
  const namespaceField = namespace === undefined ? {} : { namespace };
  const termination = computeRevisionTermination(component.spec.timeout, context);
  return {
    ...planned,
    simulation: workload.rollout?.simulation ?? null,
    ...(termination && { termination }),
    creates: [{ apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: ownName, ...namespaceField, replicas: workload.replicas }],
    pods: { kind: 'workload', workload },
    findings,
  };
}
