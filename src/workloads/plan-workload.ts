import type { PlanContext } from '../cluster/context';
import type { SystemRollout, Workload } from '../cluster/workload';
import { at, childPath } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import type { Finding } from '../core/finding';
import { fieldsAt, isFields, listAt, nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { resourceOf } from '../core/rollout';
import { together } from '../core/together';
import type { Versions } from '../core/versions';
import { ownTemplate } from './pod-template';
import type { PlacedTemplate } from './pod-template';
import { appliedReplicas } from './replicas';
import type { Review } from './review';
import type { ObjectKind } from './rollout-kind';
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
const REPLICAS_PATH = at`spec.replicas`;

const NOTHING_REVIEWED = { containers: [], metadata: [] } as const;

/** Everything that is refused in an object, and what is dropped: one finding a place, that about the rollout first. */
export function validationFindings<S extends Settled>(kind: ObjectKind<S>, object: Manifest, versions: Versions): readonly Finding[] {
  const found = kind.validate(object, versions);
  const others = wholeWorkloadFindings(object, kind.whole, versions.kubernetes);
  if (found.length === 0 || others.length === 0) return together(found, others);
  const places = new Set<string>(found.map(({ path }) => path));
  return [...found, ...others.filter(({ path }) => !places.has(path))];
}

/** What is known of the pod template beside the pods: where it stands, or that it is not in view. */
interface TemplatePlace {
  readonly podPath: FieldPath;
  readonly countOnly?: true;
  readonly sizePath?: FieldPath;
  readonly locateTemplate?: Workload['locateTemplate'];
}

function placeOf(placed: PlacedTemplate | undefined, context: PlanContext): TemplatePlace {
  if (!placed) return { podPath: POD_PATH, countOnly: true, sizePath: REPLICAS_PATH };
  const { path, holder } = placed;
  if (!holder) return { podPath: POD_PATH };
  return { podPath: at`${path}.spec`, locateTemplate: (field) => context.locate(holder, field) };
}

/** What the rules look at in a template of the object's own; one of another object is looked at where that is planned. */
function reviewedTemplate(placed: PlacedTemplate | undefined): Pick<Review, 'containers' | 'metadata'> {
  if (!placed || placed.holder) return NOTHING_REVIEWED;
  const { template } = placed;
  return {
    containers: listAt(template, 'spec', 'containers').map((value, index) => ({ value, path: childPath(CONTAINERS_PATH, index) })),
    metadata: [{ value: template.metadata, path: METADATA_PATH }],
  };
}

/** How a change of an object rolls out, and what its kind has to say of it. */
export function planWorkload<S extends Settled>(kind: ObjectKind<S>, object: Manifest, context: PlanContext): SystemRollout {
  const { system, strategyPath, strategyOwner, names } = kind;
  const { versions } = context;
  const namespace = namespaceOf(object);
  const resource = resourceOf(object, nameOf(object), namespace);
  const validation = validationFindings(kind, object, versions);
  if (isRefused(validation)) return { system, resource, strategy: null, provenance: [], simulation: null, findings: validation };

  const spec = fieldsAt(object, 'spec');
  const placed = kind.templateOf ? kind.templateOf(object, context) : ownTemplate(object);
  const changed = context.changedPods?.(object);
  const settled = kind.settle(object, versions);
  const { name } = resource;
  const template = kind.podTemplate(placed?.template ?? {});
  const { podPath, countOnly, sizePath, locateTemplate } = placeOf(placed, context);
  const { containers, metadata } = reviewedTemplate(placed);
  const writtenStrategy = spec[strategyPath.slice('spec.'.length)];
  const workload = workloadOf(
    kind,
    {
      settled,
      workload: { name, namespace, template, podPath, countOnly, sizePath, locateTemplate, strategyPath, strategyOwner, names },
      minReadySeconds: spec.minReadySeconds,
      count: countAfter(kind.count(object, { name, namespace, template, kind: kind.kind, replicas: 0 }, context), changed),
      review: {
        containers,
        metadata,
        // What is paused holds no restart.
        isPaused: kind.isHeld(object) && changed?.start?.isRestart !== true,
        deadline: kind.deadline(spec),
        writtenReplicas: appliedReplicas(spec, changed),
        writtenInto: isWritten(writtenStrategy) ? object : undefined,
      },
    },
    context,
  );
  const { strategy, provenance } = settled;
  return {
    system,
    resource,
    pods: { of: 'workload', workload },
    strategy,
    provenance,
    simulation: workload.rollout?.simulation ?? null,
    findings: validation,
  };
}
