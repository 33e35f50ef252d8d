import type { ChangedObject, PlanContext, RolloutSystem } from '../../cluster/context/context';
import type { SystemRollout } from '../../cluster/rollout/system-rollout';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { getValueAt, groupOf, kindKeyOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { ServiceRole } from '../../core/document/service-plan';
import { planWorkload } from '../../workloads/plan-workload';
import { computeArgoRolloutEffect } from './effects';
import { ARGO_ROLLOUT } from './kind';
import {
  checkReferencedDeployment,
  computeReferencedDeploymentEffect,
  findOwningRollout,
  planReferencedDeployment,
} from './referenced-deployment';
import { ARGO_ROLLOUTS_RULES } from './rules';
import { findRolloutTemplate } from './template';
import { checkRolloutFields } from './validation';

const ROLLOUTS = { group: 'argoproj.io', kind: 'Rollout' };

function isRollout(object: Manifest): boolean {
  return object.kind === ROLLOUTS.kind && groupOf(object) === ROLLOUTS.group;
}

/** Strategy fields that name a Service, with the part that it has. */
const ROLE_FIELDS: readonly (readonly [strategy: string, field: string, role: ServiceRole])[] = [
  ['canary', 'stableService', 'stable'],
  ['canary', 'canaryService', 'canary'],
  ['blueGreen', 'activeService', 'active'],
  ['blueGreen', 'previewService', 'preview'],
];

/** Lists the Services whose selector the controller restricts to the pods of one version. */
function listServiceRoles(object: Manifest): ReadonlyMap<string, ServiceRole> {
  return new Map(
    ROLE_FIELDS.flatMap(([strategy, field, role]) => {
      const name = getValueAt(object, 'spec', 'strategy', strategy, field);
      return typeof name === 'string' ? [[name, role] as const] : [];
    }),
  );
}

function planObject(object: Manifest, context: PlanContext): SystemRollout[] {
  const rollout = isRollout(object) ? undefined : findOwningRollout(object, context);
  if (rollout) return [planReferencedDeployment(object, rollout, context)];
  const planned = { ...planWorkload(ARGO_ROLLOUT, object, context), serviceRoles: listServiceRoles(object) };
  const found = checkReferencedDeployment(object, context);
  return [found.length === 0 ? planned : { ...planned, findings: [...planned.findings, ...found] }];
}

/** Reports whether a PodTemplate, which other kinds have the pods of, differs or is deleted although no Rollout in view has them. */
function isTemplateOfUnseen({ old, next }: ChangedObject): boolean {
  if (!old || kindKeyOf(old.object) !== '/PodTemplate' || isDeepEqual(old.object.template, next?.object.template)) return false;
  const hasTemplate = (rollout: Manifest) => findRolloutTemplate(rollout, old.context)?.sourceObject === old.object;
  return !old.context.objects.some((object) => isRollout(object) && hasTemplate(object));
}

/** The system for Rollouts of Argo Rollouts: canary and blue-green. */
export const argoRolloutsSystem: RolloutSystem = {
  name: ARGO_ROLLOUT.system,
  rules: () => ARGO_ROLLOUTS_RULES,
  recognises: isRollout,
  droppedFields: (object, versions) => checkRolloutFields(object, ARGO_ROLLOUT.validationSpec, versions),
  needsInView: { kinds: [ROLLOUTS] },
  claims: (object, context) => findOwningRollout(object, context) !== undefined,
  plan: planObject,
  concernsUnseenPods: isTemplateOfUnseen,
  hasScale: true,
  effects: (old, next, isSameTemplate) => [
    (isRollout(next.object) ? computeArgoRolloutEffect : computeReferencedDeploymentEffect)(old, next, isSameTemplate),
  ],
  templateHolder: (object, context) =>
    isRollout(object) ? findRolloutTemplate(object, context)?.sourceObject : findOwningRollout(object, context),
};
