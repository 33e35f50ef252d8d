import type { Finding } from '../core/finding';
import type { IntOrPercent } from '../core/int-or-percent';
import type { Manifest } from '../core/manifest';
import { DEFAULT_VERSIONS } from '../core/versions';
import { DAEMON_SET } from './daemonset/kind';
import type { DaemonSetUpdateStrategySpec } from './daemonset/types';
import { DEPLOYMENT } from './deployment/kind';
import type { RolloutKind } from './rollout-kind';
import type { DeploymentStrategySpec } from './deployment/types';
import { checkForeignOwner } from './rules/foreign-owner';
import { reportWrongKind } from './rules/policy-kind';
import { STATEFUL_SET } from './statefulset/kind';
import type { StatefulSetUpdateStrategySpec } from './statefulset/types';

/** What both kinds of policy set. */
export interface PolicyProps {
  /** Old revisions kept for a rollback. @default - left as the workload has it; Kubernetes' own default is 10 */
  readonly revisionHistory?: number;
  /** Desired replicas. @default - left as the workload has it */
  readonly replicas?: number;
}

/** Replaces pods step by step. */
export interface StatelessRollingUpdateProps extends PolicyProps {
  readonly update: 'RollingUpdate';
  /** Pods above the desired replicas. @default 25% (Kubernetes) */
  readonly maxSurge?: IntOrPercent;
  /** Pods of the desired replicas that may be unavailable. @default 25% (Kubernetes) */
  readonly maxUnavailable?: IntOrPercent;
}

/** Takes all old pods down, then brings all new ones up. */
export interface StatelessRecreateProps extends PolicyProps {
  readonly update: 'Recreate';
}

/** How a stateless service (a Deployment) is updated; the attributes of the gopaddle guide, "Deployment Strategy for Stateless Service". */
export type StatelessPolicyProps = StatelessRollingUpdateProps | StatelessRecreateProps;

/** Replaces pods one after another, from the highest ordinal down. */
export interface StatefulRollingUpdateProps extends PolicyProps {
  readonly update: 'RollingUpdate';
  /** Pods with an index below it keep the old version, also when they are deleted. @default 0 */
  readonly partition?: number;
}

/** Replaces a pod only when someone deletes it. */
export interface StatefulOnDeleteProps extends PolicyProps {
  readonly update: 'OnDelete';
}

/** How a stateful service (a StatefulSet) is updated; the attributes of the gopaddle guide, "Deployment Strategy for Stateful Service". */
export type StatefulPolicyProps = StatefulRollingUpdateProps | StatefulOnDeleteProps;

interface CommonFields {
  readonly replicas?: number;
  readonly revisionHistoryLimit?: number;
}

/** The fields that a stateless policy sets in a Deployment's spec. Each replaces what the spec has at that name. */
export interface StatelessPolicy {
  readonly kind: 'Deployment';
  readonly spec: CommonFields & { readonly strategy: DeploymentStrategySpec };
}

/** The fields that a stateful policy sets in a StatefulSet's spec. Each replaces what the spec has at that name. */
export interface StatefulPolicy {
  readonly kind: 'StatefulSet';
  readonly spec: CommonFields & { readonly updateStrategy: StatefulSetUpdateStrategySpec };
}

/** The Deployment fields that a stateless policy means. Limits beside Recreate stay in, so that `policyFindings` can refuse them. */
export function buildStatelessPolicy(props: StatelessPolicyProps): StatelessPolicy {
  const { maxSurge, maxUnavailable } = props as Partial<StatelessRollingUpdateProps>;
  const rollingUpdate = pickDefinedFields({ maxSurge, maxUnavailable });
  const strategy = { type: props.update, ...(rollingUpdate && { rollingUpdate }) };
  return { kind: 'Deployment', spec: { ...buildCommonFields(props), strategy } };
}

/** The StatefulSet fields that a stateful policy means. A partition beside OnDelete stays in, so that `policyFindings` can refuse it. */
export function buildStatefulPolicy(props: StatefulPolicyProps): StatefulPolicy {
  const { partition } = props as Partial<StatefulRollingUpdateProps>;
  const rollingUpdate = pickDefinedFields({ partition });
  const updateStrategy = { type: props.update, ...(rollingUpdate && { rollingUpdate }) };
  return { kind: 'StatefulSet', spec: { ...buildCommonFields(props), updateStrategy } };
}

/** The guide's revision history of 10 is what Kubernetes keeps where nothing is said, so a workload that says something keeps that. */
function buildCommonFields({ replicas, revisionHistory }: PolicyProps): CommonFields {
  return { ...(replicas !== undefined && { replicas }), ...(revisionHistory !== undefined && { revisionHistoryLimit: revisionHistory }) };
}

/** The fields that have a value; undefined where none has. */
function pickDefinedFields<T extends object>(fields: T): T | undefined {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return entries.length > 0 ? (Object.fromEntries(entries) as T) : undefined;
}

/** How many nodes of a DaemonSet may be without an available pod at once: the old pod goes first. */
export interface DaemonSetUnavailableProps {
  /** Nodes without an available pod, from 1; percentages of the nodes are rounded up. At most 100%. */
  readonly maxUnavailable: IntOrPercent;
  readonly maxSurge?: never;
  readonly update?: 'RollingUpdate';
  /** Old revisions kept for a rollback. @default - left as the DaemonSet has it; Kubernetes' own default is 10 */
  readonly revisionHistory?: number;
}

/** How many nodes of a DaemonSet may have a new pod beside the old one at once: the new pod comes first. */
export interface DaemonSetSurgeProps {
  /** Nodes with two pods, from 1; percentages of the nodes are rounded up. At most 100%. `maxUnavailable: 0` is written beside it. */
  readonly maxSurge: IntOrPercent;
  readonly maxUnavailable?: never;
  readonly update?: 'RollingUpdate';
  /** Old revisions kept for a rollback. @default - left as the DaemonSet has it; Kubernetes' own default is 10 */
  readonly revisionHistory?: number;
}

/** Replaces a pod only when someone deletes it. */
export interface DaemonSetOnDeleteProps {
  readonly update: 'OnDelete';
  readonly maxSurge?: never;
  readonly maxUnavailable?: never;
  /** Old revisions kept for a rollback. @default - left as the DaemonSet has it; Kubernetes' own default is 10 */
  readonly revisionHistory?: number;
}

/** How a DaemonSet is updated: one of the limits, since the API server refuses both. */
export type DaemonSetPolicyProps = DaemonSetUnavailableProps | DaemonSetSurgeProps | DaemonSetOnDeleteProps;

/** The fields that a policy sets in a DaemonSet's spec. Each replaces what the spec has at that name. */
export interface DaemonPolicy {
  readonly kind: 'DaemonSet';
  readonly spec: { readonly updateStrategy: DaemonSetUpdateStrategySpec; readonly revisionHistoryLimit?: number };
}

/**
 * The DaemonSet fields that a policy means. maxSurge alone would meet the API server's default of 1 for maxUnavailable and be refused,
 * so 0 is written beside it. Both limits stay in, so that `policyFindings` can refuse them.
 * Beside OnDelete limits mean nothing, and the API server takes them.
 */
export function buildDaemonPolicy({ update, maxSurge, maxUnavailable, revisionHistory }: DaemonSetPolicyProps): DaemonPolicy {
  const unavailable = maxSurge === undefined ? maxUnavailable : (maxUnavailable ?? 0);
  const rollingUpdate = pickDefinedFields({ maxSurge, maxUnavailable: unavailable });
  const updateStrategy = { type: update ?? 'RollingUpdate', ...(rollingUpdate && { rollingUpdate }) };
  return { kind: 'DaemonSet', spec: { updateStrategy, ...(revisionHistory !== undefined && { revisionHistoryLimit: revisionHistory }) } };
}

/** Any policy on workloads of apps/v1. */
export type WorkloadPolicy = StatelessPolicy | StatefulPolicy | DaemonPolicy;

const ROLLOUT_KINDS: Readonly<Record<WorkloadPolicy['kind'], RolloutKind>> = {
  Deployment: DEPLOYMENT,
  StatefulSet: STATEFUL_SET,
  DaemonSet: DAEMON_SET,
};

/**
 * What is wrong with applying a policy to an object: the wrong kind (alone, an error), values that the API server would refuse (errors),
 * an owner that would undo it (a warning).
 */
export function validateWorkloadPolicy(policy: WorkloadPolicy, object: Manifest): Finding[] {
  if (object.apiVersion !== 'apps/v1' || object.kind !== policy.kind) return [reportWrongKind(policy.kind, object)];
  const kind = ROLLOUT_KINDS[policy.kind];
  const patchedObject: Manifest = { apiVersion: object.apiVersion, kind: object.kind, spec: policy.spec };
  return [...kind.validate(patchedObject, DEFAULT_VERSIONS), ...checkForeignOwner(object, kind.strategyPath)];
}
