import type { AnyRule, Finding } from '../../../core/findings/finding';
import type { PlanContext } from '../../context/context';
import type { RolloutPods } from '../../rollout/system-rollout';
import type { LocatedTemplate } from '../../rollout/located-template';
import { checkNoReadinessProbe, noReadinessProbe } from './no-readiness-probe';
import { checkNoPrestopDelay, noPrestopDelay } from './no-prestop-delay';
import { checkRequestsAborted, requestsAborted } from './requests-aborted';
import { checkSignalLost, signalLost } from './signal-lost';
import { checkStartupAnnotation, startupAnnotation } from './startup-annotation';
import { checkTerminationTooShort, terminationTooShort } from './termination-too-short';

/** A rule about the pods or containers of a template, whatever controller creates them. */
export interface PodRule {
  readonly rule: AnyRule;
  readonly check: (template: LocatedTemplate, context: PlanContext) => readonly Finding[];
  /** Codes of findings of the same rollout that follow those of this rule, by the kind of its pods. @default - its findings are last */
  readonly precedes?: Readonly<Partial<Record<RolloutPods['kind'], readonly string[]>>>;
}

const FOREIGN_OWNER = 'kubernetes/foreign-owner';
const AFTER_STARTUP: readonly string[] = ['kubernetes/progress-deadline-too-short', 'kubernetes/hpa-owns-replicas', FOREIGN_OWNER];

/** The rules about pods. `checkPodTemplates` runs them over every template of every rollout, in this order. */
export const POD_RULES: readonly PodRule[] = [
  { rule: startupAnnotation, check: checkStartupAnnotation, precedes: { workload: AFTER_STARTUP, groups: AFTER_STARTUP } },
  { rule: noReadinessProbe, check: checkNoReadinessProbe, precedes: { workload: [FOREIGN_OWNER] } },
  { rule: terminationTooShort, check: checkTerminationTooShort },
  { rule: requestsAborted, check: checkRequestsAborted },
  { rule: noPrestopDelay, check: checkNoPrestopDelay },
  { rule: signalLost, check: checkSignalLost },
];

/** The rules about the end of requests, for pods that a controller completes with what another object says. */
const TERMINATION_CHECKS: readonly PodRule['check'][] = [
  checkTerminationTooShort,
  checkRequestsAborted,
  checkNoPrestopDelay,
  checkSignalLost,
];

/** Reports how the requests of a template end when its pods are deleted. */
export function checkTermination(template: LocatedTemplate, context: PlanContext): Finding[] {
  return TERMINATION_CHECKS.flatMap((check) => check(template, context));
}
