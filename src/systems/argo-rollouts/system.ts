import { autoscalerOf } from '../../cluster/autoscaler';
import { appliedReplicas } from '../../workloads/replicas';
import type { PlanContext, RolloutSystem } from '../../cluster/context';
import type { SystemRollout } from '../../cluster/workload';
import { typeFinding } from '../../cluster/refusals';
import { at, childPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { isInt32 } from '../../core/int-or-percent';
import { fieldsAt, groupOf, isFields, listAt, nameOf, namespaceOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { Provenance } from '../../core/provenance';
import { resourceOf } from '../../core/rollout';
import { tooNewFinding, unknownFieldFinding } from '../../core/rules/unknown-field';
import { ofKind, schemaProblems } from '../../core/schema';
import { countAfter, workloadOf } from '../../workloads/workload-of';
import type { WorkloadRules } from '../../workloads/workload-validation';
import { wholeWorkloadFindings } from '../../workloads/workload-validation';
import { rolloutEffect } from './effects';
import { ARGO_ROLLOUT } from './kind';
import type { SettledRollout } from './kind';
import { ARGO_ROLLOUTS_RULES } from './rules';
import { rolloutFindings } from './rules/invalid-rollout';
import { ROLLOUT_SPEC, STRATEGY_SCHEMA } from './schema';
import { ROLLOUT_DEFAULTS, strategyOf } from './strategy';
import type { RolloutStrategy } from './strategy';
import { rolloutsBehaviour } from './versions';
import type { RolloutsBehaviour } from './versions';

const STRATEGY = at`spec.strategy`;
const POD_PATH = at`spec.template.spec`;

/** The controller judges a pod template by the code of ReplicaSets. */
const WHOLE: WorkloadRules = { spec: ROLLOUT_SPEC, strategyField: 'strategy', name: 'dns-subdomain' };

function isRollout(object: Manifest): boolean {
  return object.kind === 'Rollout' && groupOf(object) === 'argoproj.io';
}

function refersTo({ workloadRef }: Fields): Fields | undefined {
  return isFields(workloadRef) ? workloadRef : undefined;
}

/** The pod template: its own, or that of the workload that it names, where that is in view. */
function templateOf(rollout: Manifest, { objects }: PlanContext): Fields | undefined {
  const spec = fieldsAt(rollout, 'spec');
  const ref = refersTo(spec);
  if (!ref) return fieldsAt(spec, 'template');
  const named = objects.find(
    (object) =>
      object.apiVersion === ref.apiVersion &&
      object.kind === ref.kind &&
      nameOf(object) === ref.name &&
      namespaceOf(object) === namespaceOf(rollout),
  );
  return named && fieldsAt(named, 'spec', 'template');
}

/** Everything that the API server or the controller refuses, and what is dropped. */
function validationFindings(rollout: Manifest, context: PlanContext, behaviour: RolloutsBehaviour): Finding[] {
  const spec = fieldsAt(rollout, 'spec');
  const version = context.versions['argo-rollouts'];
  const problems = schemaProblems(spec.strategy, STRATEGY_SCHEMA, STRATEGY, { version });
  const mistyped = ofKind(problems, 'wrong-type').map((problem) => typeFinding(problem));
  return [
    ...mistyped,
    ...ofKind(problems, 'unknown').map((problem) => unknownFieldFinding(problem)),
    ...ofKind(problems, 'too-new').map((problem) => tooNewFinding(problem, 'argo-rollouts', version)),
    ...(mistyped.length > 0 ? [] : rolloutFindings(rollout, behaviour)),
    ...(refersTo(spec) ? [] : wholeWorkloadFindings(rollout, WHOLE, context.versions.kubernetes)),
  ];
}

function entry(field: string, value: unknown, isWritten: boolean): Provenance {
  const reason = isWritten ? 'written in the Rollout' : 'what the controller takes where nothing is written';
  return { field, value, layer: isWritten ? 'user' : 'argo-rollouts-default', reason, overridden: [] };
}

function provenanceOf(rollout: Manifest, strategy: RolloutStrategy): Provenance[] {
  const written = fieldsAt(rollout, 'spec', 'strategy', strategy.type);
  const isWritten = (name: string) => written[name] !== undefined && written[name] !== null;
  const kind = entry('type', strategy.type, true);
  if (strategy.type === 'blueGreen') {
    return [
      kind,
      entry(
        'scaleDownDelaySeconds',
        written.scaleDownDelaySeconds ?? ROLLOUT_DEFAULTS.scaleDownDelaySeconds,
        isWritten('scaleDownDelaySeconds'),
      ),
    ];
  }
  if (strategy.isRouted) return [kind];
  return [
    kind,
    ...(['maxSurge', 'maxUnavailable'] as const).map((name) => entry(name, written[name] ?? ROLLOUT_DEFAULTS[name], isWritten(name))),
  ];
}

function planRollout(object: Manifest, context: PlanContext): SystemRollout {
  const behaviour = rolloutsBehaviour(context.versions['argo-rollouts']);
  const namespace = namespaceOf(object);
  const resource = resourceOf(object, nameOf(object), namespace);
  const findings = validationFindings(object, context, behaviour);
  const read = strategyOf(object, behaviour);
  const planned = { system: 'argo-rollouts', resource } as const;
  if (!read || findings.some(({ severity }) => severity === 'error'))
    return { ...planned, strategy: null, provenance: [], simulation: null, findings };

  const spec = fieldsAt(object, 'spec');
  const strategy = fieldsAt(spec, 'strategy');
  const provenance = provenanceOf(object, read);
  const { progressDeadlineSeconds: deadline } = spec;
  const settled: SettledRollout = {
    strategy,
    provenance,
    object,
    read,
    behaviour,
    progressDeadlineSeconds: isInt32(deadline) ? deadline : ROLLOUT_DEFAULTS.progressDeadlineSeconds,
  };
  const template = templateOf(object, context);
  const changed = context.changedPods?.(object);
  const target = { name: resource.name, ...(namespace !== undefined && { namespace }) };
  const autoscaler = autoscalerOf(object, context);
  const replicas = isInt32(spec.replicas) ? spec.replicas : (autoscaler?.initial ?? ROLLOUT_DEFAULTS.replicas);
  const workload = workloadOf(
    ARGO_ROLLOUT,
    {
      settled,
      workload: {
        ...target,
        template: template ?? {},
        ...(template === undefined && { countOnly: true, sizePath: at`spec.replicas` }),
        podPath: POD_PATH,
        strategyPath: STRATEGY,
        names: { rollingUpdate: 'canary', maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' },
        strategyOwner: 'argo-rollouts',
      },
      minReadySeconds: spec.minReadySeconds,
      count: countAfter({ steady: replicas, start: { replicas }, autoscaler }, changed),
      review: {
        containers: refersTo(spec)
          ? []
          : listAt(template, 'spec', 'containers').map((value, index) => ({ value, path: childPath(POD_PATH, 'containers', index) })),
        metadata: refersTo(spec) ? [] : [{ value: fieldsAt(template).metadata, path: at`spec.template.metadata` }],
        isPaused: spec.paused === true,
        writtenReplicas: appliedReplicas(spec, changed),
      },
    },
    context,
  );
  return {
    ...planned,
    strategy,
    provenance,
    simulation: workload.rollout?.simulation ?? null,
    pods: { of: 'workload', workload },
    findings,
  };
}

/** The Rollouts of Argo Rollouts: canaries and blue-green. */
export const argoRolloutsSystem: RolloutSystem = {
  name: 'argo-rollouts',
  rules: ARGO_ROLLOUTS_RULES,
  recognises: isRollout,
  plan: (object, context) => [planRollout(object, context)],
  effects: (old, next) => [rolloutEffect(old, next)],
};
