import { getFieldsAt, getListAt, getValueAt } from '../core/manifest/manifest';
import type { UpgradeStage } from '../systems/kuberay/stages';
import { memoizePerProgram } from './program-context';
import { toSafeText } from '../core/text/value-text';

/** The stages of an upgrade by Git, as their HTTPRoutes show them, and the stage of the program. */
interface StagedRoute {
  /** Backends and weights of each stage, as text. */
  readonly weights: readonly string[];
  readonly stage: number;
}

const stagedRoutes = memoizePerProgram((): StagedRoute[] => []);

/** Returns the backends of an HTTPRoute and their weights as text. Empty for any other object. */
function formatWeights(route: unknown): string {
  const backends = getListAt(getFieldsAt(route, 'spec'), 'rules').flatMap((rule) => getListAt(rule, 'backendRefs'));
  return backends.map((backend) => `${toSafeText(getValueAt(backend, 'name'))}=${toSafeText(getValueAt(backend, 'weight'))}`).join(' ');
}

/** Remembers the stages of an upgrade, for the preview of its route. */
export function recordStages(stages: readonly UpgradeStage[], stage: number): void {
  const routeOf = ({ objects }: UpgradeStage) => objects.find(({ kind }) => kind === 'HTTPRoute');
  stagedRoutes().push({ weights: stages.map((each) => formatWeights(routeOf(each))), stage });
}

/**
 * Describes an update of a route that skips stages. The component cannot order such an update: the capacity of the target must be ready before
 * the traffic moves, and the other capacity may only shrink afterwards, but one update changes each object once.
 */
export function describeStageJump(old: unknown, next: unknown): string | undefined {
  const [before, after] = [formatWeights(old), formatWeights(next)];
  const route = stagedRoutes().findLast(({ weights, stage }) => after !== '' && weights[stage] === after && weights.includes(before));
  if (!route) return undefined;
  const { weights, stage } = route;
  // Several stages have the same weights, because a stage changes either the capacity or the traffic.
  const candidates = weights.flatMap((each, number) => (each === before ? [number] : []));
  const from = candidates.toSorted((a, b) => Math.abs(a - stage) - Math.abs(b - stage))[0]!;
  if (Math.abs(from - stage) <= 1) return undefined;
  return (
    `! from stage ${from} to ${stage} at once: traffic moves to capacity that is only requested, while the pods that serve it now are deleted; set ` +
    `stage: ${from < stage ? from + 1 : from - 1} instead, and continue once its pods are ready`
  );
}
