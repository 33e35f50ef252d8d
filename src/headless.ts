export { adviseManifests } from './advise/advise';
export type {
  AdviceAssumptions,
  AdviceDocument,
  AdvisedRollout,
  Candidate,
  Preference,
  RolloutFigures,
  RolloutGoal,
  RolloutWithoutAdvice,
  ScaledFigures,
  StrategyEdit,
  UnmetLimit,
} from './core/document/advice';
export type { IntOrPercent, IntOrPercentForms } from './core/values/int-or-percent';
export { diffPlans } from './change/diff/diff';
export type { ChangedServices } from './change/diff/diff-services';
export { planChange } from './change/plan-change';
export type { ChangeOptions } from './change/change-options';
export { planManifests } from './plan/plan';
export { planSources } from './plan/plan-sources';
export type { ManifestSource } from './plan/plan-sources';
export type { HtmlOptions } from './render/html/page';
export { renderPlanHtml, renderPlanSvg } from './render/pictures';
export type { SvgOptions } from './render/svg/plan-svg';
export { OptionError } from './core/errors/option-error';
export { InventoryError } from './systems/fleet/inventory';
export { CapacityError } from './cluster/capacity/parse-capacity';
export { VersionError } from './core/values/versions';
export type { UncomparedKind, UncomparedInput, PlanDiff } from './core/document/plan-diff';
export { diffRayServices, rollsBack } from './systems/kuberay/trigger';
export type { RayServiceChange, RayServiceDiff, Trigger } from './systems/kuberay/trigger';

export type * from './plan/public';
