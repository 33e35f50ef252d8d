import { childPath } from '../../../core/field-path';
import { fieldsAt, namespaceOf } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { isInt32 } from '../../../core/int-or-percent';
import type { PlanContext } from '../../../cluster/context';
import type { ReplicaRange, SystemRollout, Workload } from '../../../cluster/workload';
import { resourceOf } from '../../../core/rollout';
import { workloadOf } from '../../../workloads/workload-of';
import { podMetadataOf, predictorPods } from '../deployments';
import { trafficFindings } from '../rules/invalid-revision';
import { annotatedOf } from '../service';
import type { Service, ServiceComponent } from '../service';
import { storageClaimsOf } from '../storage';
import { knativeConfigOf } from './config';
import { REVISION } from './kind';
import type { SettledRevision } from './kind';
import { revisionScale } from './scale';

function podMetadata(service: Service, { name, spec }: ServiceComponent, ownName: string): Fields {
  const { labels, annotations } = podMetadataOf(service, spec, name, ownName);
  // Knative puts the Revision's name into `app`.
  const { app: _app, ...kept } = fieldsAt({ labels }, 'labels');
  return { labels: { ...kept, 'serving.knative.dev/service': ownName }, annotations };
}

/** The range of Knative's autoscaler; undefined where it has no upper end, or nothing to move. @param maxScale of config-autoscaler; 0 is none */
function replicaRange({ spec }: ServiceComponent, ownName: string, minScale: number, maxScale: number): ReplicaRange | undefined {
  const maximum = isInt32(spec.maxReplicas) && spec.maxReplicas > 0 ? spec.maxReplicas : maxScale;
  if (maximum <= minScale) return undefined;
  return { by: `PodAutoscaler of "${ownName}"`, minimum: minScale, maximum };
}

function revisionWorkload(service: Service, component: ServiceComponent, ownName: string, context: PlanContext): Workload {
  const { name, path, spec } = component;
  const config = knativeConfigOf(context);
  const scale = revisionScale(service, spec, context.versions, config);
  const settled: SettledRevision = { strategy: null, provenance: [], scale };
  return workloadOf(
    REVISION,
    {
      settled,
      workload: {
        name: ownName,
        namespace: namespaceOf(service.object),
        template: { metadata: podMetadata(service, component, ownName), spec: name === 'predictor' ? predictorPods(spec) : spec },
        podPath: path,
        strategyPath: childPath(path, 'minReplicas'),
        claims: storageClaimsOf(spec, path),
        // From the serving runtime, from inferenceservice-config, and those of the sidecar that Knative adds.
        resourcesAreFilledIn: true,
        strategyOwner: 'knative',
        replicaRange: replicaRange(component, ownName, scale.minScale, config.maxScale),
      },
      count: { steady: scale.minScale, start: { replicas: scale.minScale } },
      review: { containers: [], metadata: annotatedOf(service, name) },
    },
    context,
  );
}

/** How a change of a component rolls out in mode Knative: there is no Deployment of KServe's, and no strategy. */
export function planRevision(service: Service, component: ServiceComponent, context: PlanContext): SystemRollout {
  const { object } = service;
  const namespace = namespaceOf(object);
  const planned = {
    system: 'kserve',
    resource: resourceOf(object, service.name, namespace, component.name),
    strategy: null,
    provenance: [],
  } as const;
  const findings = trafficFindings(component);
  if (findings.length > 0) return { ...planned, simulation: null, findings };
  const ownName = `${service.name}-${component.name}`;
  const workload = revisionWorkload(service, component, ownName, context);
  const place = namespace === undefined ? {} : { namespace };
  return {
    ...planned,
    simulation: workload.rollout!.simulation,
    creates: [{ apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: ownName, ...place, replicas: workload.replicas }],
    pods: { of: 'workload', workload },
    findings,
  };
}
