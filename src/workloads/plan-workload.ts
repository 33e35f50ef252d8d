import type { PlanContext } from '../cluster/context';
import type { SystemRollout } from '../cluster/workload';
import { at } from '../core/field-path';
import type { Finding } from '../core/finding';
import { fieldsAt, isFields, listAt, nameOf, namespaceOf, valueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { resourceOf } from '../core/rollout';
import type { RolloutKind } from './rollout-kind';
import type { Settled } from './settled';
import { countAfter, workloadOf } from './workload-of';

function isRefused(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/** Is a strategy written at all? An empty one sets nothing. */
function isWritten(strategy: unknown): boolean {
  return isFields(strategy) && Object.keys(strategy).length > 0;
}

/** The replicas that an object of apps/v1 has, for an apply to put back. */
function writtenReplicas({ replicas }: Fields) {
  return typeof replicas === 'number' ? { writtenReplicas: { path: at`spec.replicas`, replicas, writer: 'apply' } as const } : {};
}

/** How a change of an object of apps/v1 rolls out, and what its kind has to say of it. */
export function planWorkload<S extends Settled>(kind: RolloutKind<S>, object: Manifest, context: PlanContext): SystemRollout {
  const version = context.versions.kubernetes;
  const namespace = namespaceOf(object);
  const planned = { system: 'kubernetes', resource: resourceOf(object, nameOf(object), namespace) } as const;
  const validation = kind.validate(object, version);
  if (isRefused(validation)) return { ...planned, strategy: null, provenance: [], simulation: null, findings: validation };

  const spec = fieldsAt(object, 'spec');
  const template = fieldsAt(spec, 'template');
  const settled = kind.settle(object, version);
  const pods = { name: nameOf(object), ...(namespace !== undefined && { namespace }), template: kind.podTemplate(template) };
  const isPaused = kind.isHeld(object);
  const deadline = kind.deadline(spec);
  const writtenStrategy = spec[kind.strategyPath.slice('spec.'.length)];
  const workload = workloadOf(
    kind,
    {
      settled,
      workload: { ...pods, podPath: at`spec.template.spec`, strategyPath: kind.strategyPath },
      minReadySeconds: spec.minReadySeconds,
      count: countAfter(kind.count(object, { ...pods, kind: kind.kind, replicas: 0 }, context), context.changedPods?.(object)),
      review: {
        containers: listAt(template, 'spec', 'containers').map((value, index) => ({
          value,
          path: at`spec.template.spec.containers[${index}]`,
        })),
        metadata: [{ value: valueAt(template, 'metadata'), path: at`spec.template.metadata` }],
        isPaused,
        ...(deadline && { deadline }),
        ...writtenReplicas(spec),
        ...(isWritten(writtenStrategy) && { writtenInto: object }),
      },
    },
    context,
  );
  const { strategy, provenance } = settled;
  return {
    ...planned,
    pods: { of: 'workload', workload },
    strategy,
    provenance,
    simulation: workload.rollout?.simulation ?? null,
    findings: validation,
  };
}
