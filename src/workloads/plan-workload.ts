import type { PlanContext } from '../cluster/context';
import type { SystemRollout } from '../cluster/workload';
import { at, childPath } from '../core/field-path';
import type { Finding } from '../core/finding';
import { fieldsAt, isFields, listAt, nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { resourceOf } from '../core/rollout';
import { together } from '../core/together';
import { appliedReplicas } from './replicas';
import type { RolloutKind } from './rollout-kind';
import type { Settled } from './settled';
import { countAfter, workloadOf } from './workload-of';
import { wholeWorkloadFindings } from './workload-validation';

function isRefused(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/** Is a strategy written at all? An empty one sets nothing. */
function isWritten(strategy: unknown): boolean {
  return isFields(strategy) && Object.keys(strategy).length > 0;
}

const METADATA_PATH = at`spec.template.metadata`;
const POD_PATH = at`spec.template.spec`;
const CONTAINERS_PATH = at`spec.template.spec.containers`;

/** Everything that the API server refuses in an object, and what it drops: one finding a place, that about the rollout first. */
export function validationFindings<S extends Settled>(kind: RolloutKind<S>, object: Manifest, version: string): readonly Finding[] {
  const found = kind.validate(object, version);
  const others = wholeWorkloadFindings(object, kind.whole, version);
  if (found.length === 0 || others.length === 0) return together(found, others);
  const places = new Set<string>(found.map(({ path }) => path));
  return [...found, ...others.filter(({ path }) => !places.has(path))];
}

/** How a change of an object of apps/v1 rolls out, and what its kind has to say of it. */
export function planWorkload<S extends Settled>(kind: RolloutKind<S>, object: Manifest, context: PlanContext): SystemRollout {
  const version = context.versions.kubernetes;
  const namespace = namespaceOf(object);
  const resource = resourceOf(object, nameOf(object), namespace);
  const validation = validationFindings(kind, object, version);
  if (isRefused(validation))
    return { system: 'kubernetes', resource, strategy: null, provenance: [], simulation: null, findings: validation };

  const spec = fieldsAt(object, 'spec');
  const template = fieldsAt(spec, 'template');
  const changed = context.changedPods?.(object);
  const settled = kind.settle(object, version);
  const pods = { name: resource.name, namespace, template: kind.podTemplate(template) };
  const writtenStrategy = spec[kind.strategyPath.slice('spec.'.length)];
  const workload = workloadOf(
    kind,
    {
      settled,
      workload: { ...pods, podPath: POD_PATH, strategyPath: kind.strategyPath, names: kind.names },
      minReadySeconds: spec.minReadySeconds,
      count: countAfter(kind.count(object, { ...pods, kind: kind.kind, replicas: 0 }, context), changed),
      review: {
        containers: listAt(template, 'spec', 'containers').map((value, index) => ({
          value,
          path: childPath(CONTAINERS_PATH, index),
        })),
        metadata: [{ value: template.metadata, path: METADATA_PATH }],
        isPaused: kind.isHeld(object),
        deadline: kind.deadline(spec),
        writtenReplicas: appliedReplicas(spec, changed),
        writtenInto: isWritten(writtenStrategy) ? object : undefined,
      },
    },
    context,
  );
  const { strategy, provenance } = settled;
  return {
    system: 'kubernetes',
    resource,
    pods: { of: 'workload', workload },
    strategy,
    provenance,
    simulation: workload.rollout?.simulation ?? null,
    findings: validation,
  };
}
