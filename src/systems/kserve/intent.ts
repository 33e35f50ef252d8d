import { childPath, fieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { isFields } from '../../core/manifest';
import { frozen, questionOf, Remembered } from '../../core/remembered';
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
  const path = fieldPath(component, 'rollout');
  if (isGiven(deploymentStrategy)) {
    return { strategy: undefined, findings: [bothIntentsFinding(path, component)] };
  }
  const question = questionOfRollout(rollout);
  const known = question === undefined ? undefined : SOUND.get(question);
  if (known) return known;
  const malformed = intentFindings(rollout, path);
  if (malformed.length > 0) return { strategy: undefined, findings: malformed };
  const strategy = strategyOfIntent(rollout as RolloutIntent);
  const findings = deploymentStrategyFindings(strategy, { path }).map((finding) => {
    const limit = limitAt(finding);
    return limit === undefined ? finding : { ...finding, path: limitPath(component, props, limit) };
  });
  const level = { strategy, findings };
  if (question !== undefined && findings.length === 0) SOUND.keep(question, frozen(level));
  return level;
}

/** A rollout as a question; undefined where a value is none, which text can't tell from another. */
function questionOfRollout(rollout: unknown): string | undefined {
  if (!isFields(rollout)) return undefined;
  const asked: unknown[] = [];
  for (const field of Object.keys(rollout)) {
    if (!isGiven(rollout[field])) return undefined;
    asked.push(field, rollout[field]);
  }
  return questionOf(...asked);
}

/** Of a thousand services most ask for one of a few rollouts, and of one with nothing wrong no place is told. */
const SOUND = new Remembered<UserLevel>();

/** The prop that a limit comes from: `predictor.rollout.ratio`, `predictor.deploymentStrategy.rollingUpdate.maxSurge`. */
export function limitPath(component: PlainComponent, { rollout }: ComponentProps, limit: Limit): FieldPath {
  if (!isFields(rollout)) return fieldPath(component, 'deploymentStrategy', 'rollingUpdate', limit);
  return childPath(fieldPath(component, 'rollout'), 'mode' in rollout ? 'ratio' : limit);
}
