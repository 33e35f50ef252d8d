import { childPath, fieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { isFields } from '../../core/manifest';
import { RememberedByValues } from '../../core/remembered';
import { strategyOfIntent } from '../../workloads/deployment/intent';
import type { RolloutIntent } from '../../workloads/deployment/intent';
import { intentFindings } from '../../workloads/deployment/rules/invalid-intent';
import { deploymentStrategyFindings } from '../../workloads/deployment/validation';
import { limitAt } from './platform-limits';
import type { Limit } from './platform-limits';
import { isGiven } from './precedence';
import { bothIntentsFinding } from './rules/invalid-levels';
import type { PlainComponent } from './service';
import type { ComponentProps } from './types';

/** The user level of one component: what it asks for, and what is wrong with it. */
export interface UserLevel {
  /** Undefined where the component asks for nothing. */
  readonly strategy: unknown;
  readonly findings: readonly Finding[];
}

/**
 * What a component asks for, as a Deployment strategy.
 *
 * TypeScript refuses most mistakes. JavaScript and JSON bring them here: words that are no mode and no type, fields of another form,
 * numbers in quotes, and both limits 0.
 */
export function userLevelOf(component: PlainComponent, props: ComponentProps): UserLevel {
  const { rollout, deploymentStrategy } = props;
  if (!isGiven(rollout)) {
    const findings = deploymentStrategyFindings(deploymentStrategy, { path: fieldPath(component, 'deploymentStrategy') });
    return { strategy: deploymentStrategy ?? undefined, findings };
  }
  if (isGiven(deploymentStrategy)) {
    return { strategy: undefined, findings: [bothIntentsFinding(fieldPath(component, 'rollout'), component)] };
  }
  const asked = askedIn(rollout);
  const known = asked && SOUND.get(asked);
  if (known) return known;
  const path = fieldPath(component, 'rollout');
  const malformed = intentFindings(rollout, path);
  if (malformed.length > 0) return { strategy: undefined, findings: malformed };
  const strategy = strategyOfIntent(rollout as RolloutIntent);
  const findings = deploymentStrategyFindings(strategy, { path }).map((finding) => {
    const limit = limitAt(finding);
    return limit === undefined ? finding : { ...finding, path: limitPath(component, props, limit) };
  });
  const level = { strategy, findings };
  return asked && findings.length === 0 ? SOUND.keep(asked, level) : level;
}

/** The fields of a rollout and their values; undefined where a value is none, which is not the same as a field that is left out. */
function askedIn(rollout: unknown): readonly unknown[] | undefined {
  if (!isFields(rollout)) return undefined;
  const asked: unknown[] = [];
  for (const field of Object.keys(rollout)) {
    if (!isGiven(rollout[field])) return undefined;
    asked.push(field, rollout[field]);
  }
  return asked;
}

/** Of a thousand services most ask for one of a few rollouts, and of one with nothing wrong no place is told. */
const SOUND = new RememberedByValues<UserLevel>();

/** The prop that a limit comes from: `predictor.rollout.ratio`, `predictor.deploymentStrategy.rollingUpdate.maxSurge`. */
export function limitPath(component: PlainComponent, { rollout }: ComponentProps, limit: Limit): FieldPath {
  if (!isFields(rollout)) return fieldPath(component, 'deploymentStrategy', 'rollingUpdate', limit);
  return childPath(fieldPath(component, 'rollout'), 'mode' in rollout ? 'ratio' : limit);
}
