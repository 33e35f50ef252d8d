import type { PlanContext } from '../../cluster/context/context';
import { listContainersAt } from '../../cluster/rollout/located-template';
import type { ReplicaRange, Workload } from '../../cluster/rollout/workload';
import type { SystemRollout } from '../../cluster/rollout/system-rollout';
import { toFieldPath } from '../../core/manifest/field-path';
import { getFieldsAt } from '../../core/manifest/manifest';
import { toResourceRef } from '../../core/document/rollout';
import { buildPodWorkload } from '../../workloads/build-pod-workload';
import { knativeConfigOf } from '../../workloads/revision/config';
import { computeRevisionTermination } from '../../workloads/revision/termination';
import { buildRevisionUpdate, countRevisionPods } from '../../workloads/revision/kind';
import { resolveScale } from '../../workloads/revision/scale';
import type { RevisionScale } from '../../workloads/revision/scale';
import { checkInvalidScale } from './rules/invalid-scale';
import { checkInvalidTraffic } from './rules/invalid-traffic';
import { checkPinnedTraffic } from './rules/pinned-traffic';
import { findScaleAnnotation, MIN_SCALE_KEY, parsePodCount } from './scale-annotations';
import { POD_PATH, readKnativeService, readRevisionAnnotation, TEMPLATE_PATH } from './service';
import type { KnativeService } from './service';

function resolveServiceScale(service: KnativeService, context: PlanContext): RevisionScale {
  const config = knativeConfigOf(context);
  const readAnnotation = (name: string) => readRevisionAnnotation(service, name);
  return resolveScale(
    {
      readAnnotation,
      minScale: parsePodCount(findScaleAnnotation(service.template, 'minimum')?.value) ?? 0,
      trafficPercent: service.latestPercent,
    },
    context.versions.knative,
    config,
  );
}

/** Returns the fewest pods of a service: its min-scale. */
export function minScaleOf(service: KnativeService, context: PlanContext): number {
  return resolveServiceScale(service, context).minScale;
}

function resolveRange(service: KnativeService, minScale: number, context: PlanContext): ReplicaRange | undefined {
  const maximum = parsePodCount(findScaleAnnotation(service.template, 'maximum')?.value) || knativeConfigOf(context).maxScale;
  return maximum > minScale ? { by: `PodAutoscaler of "${service.name}"`, minimum: minScale, maximum } : undefined;
}

function buildServiceWorkload(service: KnativeService, context: PlanContext): Workload {
  const { object, name, namespace, template, podSpec } = service;
  const scale = resolveServiceScale(service, context);
  const metadata = getFieldsAt(template, 'metadata');
  const range = resolveRange(service, scale.minScale, context);
  const changed = context.changedPods?.(object);
  const { kind, effective } = buildRevisionUpdate(scale, changed);
  return buildPodWorkload(
    kind,
    {
      effective,
      workload: {
        name,
        ...(namespace !== undefined && { namespace }),
        template: {
          metadata: { ...metadata, labels: { ...getFieldsAt(metadata, 'labels'), 'serving.knative.dev/service': name } },
          spec: podSpec,
        },
        podPath: POD_PATH,
        strategyPath: toFieldPath`${TEMPLATE_PATH}.metadata.annotations[${MIN_SCALE_KEY}]`,
        controlsTermination: true,
        strategyOwner: 'knative-service',
        ...(range && { replicaRange: range }),
      },
      count: countRevisionPods(scale, changed),
      // Knative adds its own probe to every pod.
      writtenPods: () => ({
        containers: listContainersAt(podSpec, POD_PATH, true),
        metadata: [{ value: metadata, path: toFieldPath`${TEMPLATE_PATH}.metadata` }],
      }),
    },
    context,
  );
}

/** Plans a Service of Knative: a new Revision next to the old one. */
export function planKnativeService(object: KnativeService['object'], context: PlanContext): SystemRollout {
  const service = readKnativeService(object);
  const { name, namespace } = service;
  const planned = { system: 'knative', resource: toResourceRef(object, name, namespace), strategy: null, provenance: [] } as const;
  const refused = [...checkInvalidScale(object), ...checkInvalidTraffic(object)];
  if (refused.length > 0) return { ...planned, simulation: null, findings: refused };
  const workload = buildServiceWorkload(service, context);
  const termination = computeRevisionTermination(service.podSpec.timeoutSeconds, context);
  return {
    ...planned,
    simulation: workload.rollout?.simulation ?? null,
    ...(termination && { termination }),
    pods: { kind: 'workload', workload },
    findings: checkPinnedTraffic(service),
  };
}
