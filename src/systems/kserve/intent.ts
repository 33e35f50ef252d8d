import type { Finding } from '../../core/finding';
import { isFields } from '../../core/manifest';
import { kubernetesFinding } from '../../cluster/catalogue';
import { strategyOfIntent } from '../../workloads/deployment/intent';
import type { RolloutIntent } from '../../workloads/deployment/intent';
import { intentFindings } from '../../workloads/deployment/intent-rules';
import { deploymentStrategyFindings } from '../../workloads/validation';
import { isGiven } from './precedence';
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
 * TypeScript refuses most mistakes. JavaScript and JSON bring them here: words that are no mode and no type, fields of another
 * form, numbers in quotes, and both limits 0.
 */
export function userLevelOf(component: string, props: ComponentProps): UserLevel {
  const { rollout, deploymentStrategy } = props;
  if (!isGiven(rollout)) {
    const findings = deploymentStrategyFindings(deploymentStrategy, `${component}.deploymentStrategy`);
    return { strategy: deploymentStrategy ?? undefined, findings };
  }
  const path = `${component}.rollout`;
  if (isGiven(deploymentStrategy)) {
    const message = `${component} has both rollout and deploymentStrategy, and both are its user level.`;
    return {
      strategy: undefined,
      findings: [kubernetesFinding('kubernetes/invalid-strategy', { path, message, help: 'Keep one of them.' })],
    };
  }
  const malformed = intentFindings(rollout, path);
  if (malformed.length > 0) return { strategy: undefined, findings: malformed };
  const strategy = strategyOfIntent(rollout as RolloutIntent);
  const findings = deploymentStrategyFindings(strategy, component).map((finding) => {
    const limit = finding.path.slice(`${component}.rollingUpdate.`.length);
    return { ...finding, path: limitPath(component, props, limit) };
  });
  return { strategy, findings };
}

/** The prop that a limit comes from: `predictor.rollout.ratio`, `predictor.deploymentStrategy.rollingUpdate.maxSurge`. */
export function limitPath(component: string, { rollout }: ComponentProps, limit: string): string {
  if (!isFields(rollout)) return `${component}.deploymentStrategy.rollingUpdate.${limit}`;
  return `${component}.rollout.${'mode' in rollout ? 'ratio' : limit}`;
}
