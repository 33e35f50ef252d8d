import type { PlanContext } from '../cluster/context/context';
import { listContainersAt } from '../cluster/rollout/located-template';
import type { WrittenPods } from '../cluster/rollout/located-template';
import type { SystemRollout } from '../cluster/rollout/system-rollout';
import type { Workload } from '../cluster/rollout/workload';
import { toFieldPath } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import type { Finding } from '../core/findings/finding';
import { getFieldsAt, getListAt, getValueAt, isFields, nameOf, namespaceOf } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import { toResourceRef } from '../core/document/rollout';
import { joinLists } from '../core/text/join-lists';
import type { Versions } from '../core/values/versions';
import { getInlineTemplate } from './pod-template';
import type { InputTemplate } from './pod-template';
import { getDeclaredReplicas } from './replicas';
import type { ObjectKind } from './rollout-kind';
import type { EffectiveStrategy } from './effective-strategy';
import { applyChangeToPodCount, buildPodWorkload } from './build-pod-workload';
import { validateWorkloadObject } from './workload-validation';

function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/** Reports whether a strategy is specified. An empty one sets nothing. */
function isSpecified(strategy: unknown): boolean {
  return isFields(strategy) && Object.keys(strategy).length > 0;
}

const POD_PATH = toFieldPath`spec.template.spec`;
const CONTAINERS_PATH = toFieldPath`spec.template.spec.containers`;
const REPLICAS_PATH = toFieldPath`spec.replicas`;

/**
 * Reports everything that is refused or dropped in an object. There is one finding per path, and findings about the rollout take
 * precedence.
 */
export function validateObjectOfKind<S extends EffectiveStrategy>(
  kind: ObjectKind<S>,
  object: Manifest,
  versions: Versions,
): readonly Finding[] {
  const strategyFindings = kind.validate(object, versions);
  const objectFindings = validateWorkloadObject(object, kind.validationSpec, versions.kubernetes);
  if (strategyFindings.length === 0 || objectFindings.length === 0) return joinLists(strategyFindings, objectFindings);
  const paths = new Set<string>(strategyFindings.map(({ path }) => path));
  return [...strategyFindings, ...objectFindings.filter(({ path }) => !paths.has(path))];
}

/** The location of the pod template, or that it is not in the input. */
interface TemplateLocation {
  readonly podPath: FieldPath;
  readonly countOnly?: true;
  readonly sizePath?: FieldPath;
  readonly locateTemplate?: Workload['locateTemplate'];
}

function resolveTemplateLocation(located: InputTemplate | undefined, context: PlanContext): TemplateLocation {
  if (!located) return { podPath: POD_PATH, countOnly: true, sizePath: REPLICAS_PATH };
  const { path, sourceObject } = located;
  if (!sourceObject) return { podPath: POD_PATH, sizePath: CONTAINERS_PATH };
  return { podPath: toFieldPath`${path}.spec`, locateTemplate: (field) => context.locate(sourceObject, field) };
}

function collectWrittenPods({ template, path, sourceObject }: InputTemplate): WrittenPods {
  return {
    containers: listContainersAt(template.spec, toFieldPath`${path}.spec`),
    metadata: [{ value: template.metadata, path: toFieldPath`${path}.metadata` }],
    ...(sourceObject && { sourceObject }),
  };
}

function readClaimTemplates(spec: Fields): Pick<Workload, 'claimTemplates' | 'claimTemplateSpecs'> {
  const named = getListAt(spec, 'volumeClaimTemplates').flatMap((template) => {
    const name = getValueAt(template, 'metadata', 'name');
    return typeof name === 'string' ? [{ name, spec: getFieldsAt(template, 'spec') }] : [];
  });
  return { claimTemplates: named.map(({ name }) => name), claimTemplateSpecs: named.map((template) => template.spec) };
}

/** Builds the workload of an object that the API server accepts: its pods and where they are written, their number, and what the rules read. */
function buildWorkload<S extends EffectiveStrategy>(kind: ObjectKind<S>, object: Manifest, effective: S, context: PlanContext): Workload {
  const { strategyPath, strategyOwner, names } = kind;
  const [name, namespace] = [nameOf(object), namespaceOf(object)];
  const spec = getFieldsAt(object, 'spec');
  const located = kind.templateOf ? kind.templateOf(object, context) : getInlineTemplate(object);
  const changed = context.changedPods?.(object);
  const template = kind.podTemplate(located?.template ?? {});
  const { podPath, countOnly, sizePath, locateTemplate } = resolveTemplateLocation(located, context);
  const specifiedStrategy = spec[strategyPath.slice('spec.'.length)];
  const count = kind.count(object, { name, namespace, template, kind: kind.kind, replicas: 0 }, context);
  return buildPodWorkload(
    kind,
    {
      effective,
      workload: {
        name,
        namespace,
        template,
        podPath,
        countOnly,
        sizePath,
        locateTemplate,
        strategyPath,
        strategyOwner,
        names,
        ...(kind.traits.hasClaimTemplates && readClaimTemplates(spec)),
      },
      minReadySeconds: spec.minReadySeconds,
      count: applyChangeToPodCount(count, changed),
      ...(located && { writtenPods: () => collectWrittenPods(located) }),
      ruleInputs: {
        // A restart proceeds even while the object is paused.
        isPaused: kind.isPaused(object) && changed?.start?.isRestart !== true,
        deadline: kind.deadline(spec),
        declaredReplicas: getDeclaredReplicas(object, count.autoscaler, context),
        strategyObject: isSpecified(specifiedStrategy) ? object : undefined,
      },
    },
    context,
  );
}

/** Plans how a change of an object rolls out, with the findings of its kind. */
export function planWorkload<S extends EffectiveStrategy>(kind: ObjectKind<S>, object: Manifest, context: PlanContext): SystemRollout {
  const { system } = kind;
  const resource = toResourceRef(object, nameOf(object), namespaceOf(object));
  const findings = validateObjectOfKind(kind, object, context.versions);
  if (hasErrors(findings)) return { system, resource, strategy: null, provenance: [], simulation: null, findings };
  const effective = kind.resolveStrategy(object, context.versions);
  const workload = buildWorkload(kind, object, effective, context);
  const { strategy, provenance } = effective;
  const simulation = workload.rollout?.simulation ?? null;
  return { system, resource, pods: { kind: 'workload', workload }, strategy, provenance, simulation, findings };
}
