import type { PlanContext, RolloutSystem, SystemEffect } from '../../cluster/context';
import type { SystemRollout } from '../../cluster/workload';
import { deepEqual } from '../../core/deep-equal';
import { WHOLE_OBJECT } from '../../core/field-path';
import { fieldsAt, groupOf, nameOf, namespaceOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { Provenance } from '../../core/provenance';
import { resourceOf } from '../../core/rollout';
import { unknownFieldFinding } from '../../core/rules/unknown-field';
import { ofKind, schemaProblems } from '../../core/schema';
import { typeFinding } from '../../cluster/refusals';
import { applicationsOf } from './applications';
import { syncDuration } from './duration';
import { ARGO_CD_RULES } from './rules';
import { contentsFindings } from './rules/contents-not-judged';
import { operatorFindings } from './rules/invalid-operator';
import { noStepsFindings } from './rules/no-steps';
import { orderFindings } from './rules/order-not-guaranteed';
import { overlapFindings } from './rules/overlapping-steps';
import { flagFindings } from './rules/progressive-syncs-off';
import { quotedMaxUpdateFindings } from './rules/quoted-max-update';
import { unknownFindings } from './rules/unknown-applications';
import { unmatchedFindings } from './rules/unmatched-applications';
import { zeroMaxUpdateFindings } from './rules/zero-max-update';
import { SET_SCHEMA } from './schema';
import { simulateRollingSync } from './simulate';
import { isFlagOn, strategyOf } from './steps';
import { rollingSyncBehaviour } from './versions';

/** ApplicationSets with a RollingSync: the others leave it to each Application when it syncs. */
function isStepwise(object: Manifest): boolean {
  return object.kind === 'ApplicationSet' && groupOf(object) === 'argoproj.io' && strategyOf(object).type === 'rolling-sync';
}

function typeProvenance(isOn: boolean): Provenance[] {
  const written = { field: 'type', value: 'RollingSync', layer: 'user' };
  if (isOn) return [{ ...written, reason: 'written in the ApplicationSet', overridden: [] }];
  const lost = { layer: 'user', value: 'RollingSync', reason: 'the controller runs without --enable-progressive-syncs' };
  return [{ field: 'type', value: 'AllAtOnce', layer: 'argo-cd-default', reason: 'progressive syncs are off', overridden: [lost] }];
}

function planSet(object: Manifest, context: PlanContext): SystemRollout {
  const resource = resourceOf(object, nameOf(object), namespaceOf(object));
  const problems = schemaProblems(object, SET_SCHEMA, WHOLE_OBJECT);
  const mistyped = ofKind(problems, 'wrong-type').map((problem) => typeFinding(problem));
  const dropped = ofKind(problems, 'unknown').map((problem) => unknownFieldFinding(problem));
  if (mistyped.length > 0)
    return { system: 'argo-cd', resource, strategy: null, provenance: [], simulation: null, findings: [...mistyped, ...dropped] };
  const flag = isFlagOn(context.input);
  const isOn = flag ?? true;
  const written = strategyOf(object);
  const strategy = isOn ? written : ({ type: 'all-at-once' } as const);
  const steps = written.type === 'rolling-sync' ? written.steps : [];
  const ofSteps = [
    ...dropped,
    ...flagFindings(flag),
    ...noStepsFindings(written),
    ...operatorFindings(steps),
    ...quotedMaxUpdateFindings(steps),
  ];
  const planned = {
    system: 'argo-cd',
    resource,
    strategy: fieldsAt(object, 'spec', 'strategy'),
    provenance: typeProvenance(isOn),
  } as const;
  const behaviour = rollingSyncBehaviour(context.versions['argo-cd']);
  const applications = applicationsOf(object, context.clusters?.length ? context.clusters : undefined);
  if (typeof applications === 'string') return { ...planned, simulation: null, findings: [...ofSteps, ...unknownFindings(applications)] };
  const simulation = simulateRollingSync(strategy, applications, behaviour);
  const findings = isOn
    ? [
        ...unmatchedFindings(simulation, steps),
        ...zeroMaxUpdateFindings(simulation),
        ...overlapFindings(steps, applications, context.versions['argo-cd']),
        ...orderFindings(simulation),
      ]
    : [];
  const duration = syncDuration(simulation, context.startupSeconds);
  const contents = contentsFindings(simulation, context.startupSeconds);
  return { ...planned, simulation, ...(duration && { duration }), findings: [...ofSteps, ...findings, ...contents] };
}

/** Another template or other generators reach the Applications, step by step; the strategy alone reaches none. */
function setEffect(old: Manifest, next: Manifest): SystemEffect {
  const [before, after] = [fieldsAt(old, 'spec'), fieldsAt(next, 'spec')];
  const reaches = !deepEqual(before.template, after.template) || !deepEqual(before.generators, after.generators);
  return { effect: reaches || !deepEqual(before.templatePatch, after.templatePatch) ? 'roll' : 'settings' };
}

/** The ApplicationSets of Argo CD that sync their Applications in steps. */
export const argoCdSystem: RolloutSystem = {
  name: 'argo-cd',
  rules: () => ARGO_CD_RULES,
  recognises: isStepwise,
  plan: (object, context) => [planSet(object, context)],
  effects: (old, next) => [setEffect(old.object, next.object)],
};
