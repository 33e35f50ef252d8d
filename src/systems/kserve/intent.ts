import { appendToPath, buildFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { isFields } from '../../core/manifest/manifest';
import { BoundedTupleMemo } from '../../core/collections/memoize';
import { resolveIntent } from '../../workloads/deployment/intent';
import type { RolloutIntent } from '../../workloads/deployment/intent';
import { validateIntent } from '../../workloads/deployment/rules/invalid-intent';
import { validateDeploymentStrategy } from '../../workloads/deployment/validation';
import { findLimitAt } from './platform-limits';
import type { Limit } from './platform-limits';
import { isNonNull } from './precedence';
import { reportBothIntents } from './rules/invalid-levels';
import type { TopLevelComponent } from './service';
import type { ComponentProps } from './types';

/** The user level of one component: the requested strategy, and the findings about it. */
export interface UserLevel {
  /** Undefined if the component requests no strategy. */
  readonly strategy: unknown;
  readonly findings: readonly Finding[];
}

/**
 * Resolves the strategy that a component requests, as a Deployment strategy.
 *
 * TypeScript prevents most mistakes. JavaScript and JSON can still pass them: unknown modes and types, malformed fields, quoted numbers,
 * and two limits of 0.
 */
export function resolveUserLevel(component: TopLevelComponent, props: ComponentProps): UserLevel {
  const { rollout, deploymentStrategy } = props;
  if (!isNonNull(rollout)) {
    const findings = validateDeploymentStrategy(deploymentStrategy, { path: buildFieldPath(component, 'deploymentStrategy') });
    return { strategy: deploymentStrategy ?? undefined, findings };
  }
  if (isNonNull(deploymentStrategy)) {
    return { strategy: undefined, findings: [reportBothIntents(buildFieldPath(component, 'rollout'), component)] };
  }
  const cacheKey = listRolloutValues(rollout);
  const cached = cacheKey && VALID_USER_LEVELS.get(cacheKey);
  if (cached) return cached;
  const path = buildFieldPath(component, 'rollout');
  const malformed = validateIntent(rollout, path);
  if (malformed.length > 0) return { strategy: undefined, findings: malformed };
  const strategy = resolveIntent(rollout as RolloutIntent);
  const findings = validateDeploymentStrategy(strategy, { path }).map((finding) => {
    const limit = findLimitAt(finding);
    return limit === undefined ? finding : { ...finding, path: resolveLimitPath(component, props, limit) };
  });
  const level = { strategy, findings };
  return cacheKey && findings.length === 0 ? VALID_USER_LEVELS.set(cacheKey, level) : level;
}

/** Returns the fields of a rollout with their values; undefined if a value is null or undefined, which differs from an omitted field. */
function listRolloutValues(rollout: unknown): readonly unknown[] | undefined {
  if (!isFields(rollout)) return undefined;
  const cacheKey: unknown[] = [];
  for (const field of Object.keys(rollout)) {
    if (!isNonNull(rollout[field])) return undefined;
    cacheKey.push(field, rollout[field]);
  }
  return cacheKey;
}

/** Most services use one of a few rollouts. Only levels without findings are cached, because findings have paths. */
const VALID_USER_LEVELS = new BoundedTupleMemo<UserLevel>();

/** Returns the prop that sets a limit: `predictor.rollout.ratio`, `predictor.deploymentStrategy.rollingUpdate.maxSurge`. */
export function resolveLimitPath(component: TopLevelComponent, { rollout }: ComponentProps, limit: Limit): FieldPath {
  if (!isFields(rollout)) return buildFieldPath(component, 'deploymentStrategy', 'rollingUpdate', limit);
  return appendToPath(buildFieldPath(component, 'rollout'), 'mode' in rollout ? 'ratio' : limit);
}
