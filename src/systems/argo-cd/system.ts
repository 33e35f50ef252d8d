import type { PlanContext, RolloutSystem, SystemEffect } from '../../cluster/context/context';
import type { SystemRollout } from '../../cluster/rollout/system-rollout';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { ROOT_PATH } from '../../core/manifest/field-path';
import { getFieldsAt, groupOf, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { Provenance } from '../../core/document/provenance';
import { toResourceRef } from '../../core/document/rollout';
import { createUnknownFieldFindings } from '../../core/rules/unknown-field';
import { filterProblems, findSchemaProblems } from '../../core/values/schema';
import { buildTypeFinding } from '../../cluster/rules/type-errors';
import { generateApplications, areKnown } from './applications';
import { computeSyncDuration } from './duration';
import { ARGO_CD_RULES } from './rules';
import { checkContentsNotChecked } from './rules/contents-not-checked';
import { checkInvalidOperator } from './rules/invalid-operator';
import { checkNoSteps } from './rules/no-steps';
import { checkOrderNotGuaranteed } from './rules/order-not-guaranteed';
import { checkOverlappingSteps } from './rules/overlapping-steps';
import { checkProgressiveSyncsOff } from './rules/progressive-syncs-off';
import { checkQuotedMaxUpdate } from './rules/quoted-max-update';
import { checkNoApplications, checkUnknownApplications } from './rules/unknown-applications';
import { checkUnmatchedApplications } from './rules/unmatched-applications';
import { checkZeroMaxUpdate } from './rules/zero-max-update';
import { APPLICATION_SET_SCHEMA } from './schema';
import { simulateRollingSync } from './simulate';
import { hasProgressiveSyncs, assertSimulable, parseApplicationSetStrategy } from './steps';
import { rollingSyncBehaviourOf } from './versions';

/** Reports whether an object is an ApplicationSet with a RollingSync. With any other strategy each Application decides when it syncs. */
function isStepwise(object: Manifest): boolean {
  return (
    object.kind === 'ApplicationSet' && groupOf(object) === 'argoproj.io' && parseApplicationSetStrategy(object).type === 'rolling-sync'
  );
}

function buildTypeProvenance(isOn: boolean): Provenance[] {
  const written = { field: 'type', value: 'RollingSync', layer: 'user' };
  if (isOn) return [{ ...written, reason: 'written in the ApplicationSet', overridden: [] }];
  const overridden = { layer: 'user', value: 'RollingSync', reason: 'the controller runs without --enable-progressive-syncs' };
  return [{ field: 'type', value: 'AllAtOnce', layer: 'argo-cd-default', reason: 'progressive syncs are off', overridden: [overridden] }];
}

function planApplicationSet(object: Manifest, context: PlanContext): SystemRollout {
  const resource = toResourceRef(object, nameOf(object), namespaceOf(object));
  const problems = findSchemaProblems(object, APPLICATION_SET_SCHEMA, ROOT_PATH);
  const mistyped = filterProblems(problems, 'wrong-type').map((problem) => buildTypeFinding(problem));
  const dropped = createUnknownFieldFindings(problems);
  if (mistyped.length > 0)
    return { system: 'argo-cd', resource, strategy: null, provenance: [], simulation: null, findings: [...mistyped, ...dropped] };
  const flag = hasProgressiveSyncs(context.input);
  const isOn = flag ?? true;
  const written = parseApplicationSetStrategy(object);
  const strategy = isOn ? written : ({ type: 'all-at-once' } as const);
  const steps = written.type === 'rolling-sync' ? written.steps : [];
  const stepFindings = [
    ...dropped,
    ...checkProgressiveSyncsOff(flag),
    ...checkNoSteps(written),
    ...checkInvalidOperator(steps),
    ...checkQuotedMaxUpdate(steps),
  ];
  const planned = {
    system: 'argo-cd',
    resource,
    strategy: getFieldsAt(object, 'spec', 'strategy'),
    provenance: buildTypeProvenance(isOn),
  } as const;
  const behaviour = rollingSyncBehaviourOf(context.versions['argo-cd']);
  const applications = generateApplications(object, context.clusters?.length ? context.clusters : undefined);
  if (!areKnown(applications))
    return { ...planned, simulation: null, findings: [...stepFindings, ...checkUnknownApplications(applications)] };
  assertSimulable(steps, applications);
  const simulation = simulateRollingSync(strategy, applications, behaviour);
  const findings = isOn
    ? [
        ...checkUnmatchedApplications(simulation, steps),
        ...checkZeroMaxUpdate(simulation),
        ...checkOverlappingSteps(steps, applications, context.versions['argo-cd']),
        ...checkOrderNotGuaranteed(simulation),
      ]
    : [];
  const duration = computeSyncDuration(simulation, context.startupSeconds);
  const contents = checkContentsNotChecked(simulation, context.startupSeconds);
  return {
    ...planned,
    simulation,
    ...(duration && { duration }),
    findings: [...stepFindings, ...checkNoApplications(applications), ...findings, ...contents],
  };
}

/** Returns the effect of an edit: changed templates or generators reach the Applications step by step, a changed strategy reaches none. */
function computeApplicationSetEffect(old: Manifest, next: Manifest): SystemEffect {
  const [before, after] = [getFieldsAt(old, 'spec'), getFieldsAt(next, 'spec')];
  const reaches = !isDeepEqual(before.template, after.template) || !isDeepEqual(before.generators, after.generators);
  return { effect: reaches || !isDeepEqual(before.templatePatch, after.templatePatch) ? 'roll' : 'settings' };
}

/** The system for ApplicationSets of Argo CD that sync their Applications in steps. */
export const argoCdSystem: RolloutSystem = {
  name: 'argo-cd',
  rules: () => ARGO_CD_RULES,
  recognises: isStepwise,
  droppedFields: (object) => createUnknownFieldFindings(findSchemaProblems(object, APPLICATION_SET_SCHEMA, ROOT_PATH)),
  plan: (object, context) => [planApplicationSet(object, context)],
  effects: (old, next) => [computeApplicationSetEffect(old.object, next.object)],
};
