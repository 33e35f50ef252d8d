import type { Finding } from '../core/findings/finding';
import type { IntOrPercent } from '../core/values/int-or-percent';
import { toFieldPath } from '../core/manifest/field-path';
import { getFieldsAt } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { drainTemplate } from './drain';
import type { DrainedTemplate, DrainIntent } from './drain';
import { DEFAULT_VERSIONS } from '../core/values/versions';
import { DAEMON_SET } from './daemonset/kind';
import type { DaemonSetUpdateStrategySpec } from './daemonset/types';
import { DEPLOYMENT } from './deployment/kind';
import type { RolloutKind } from './rollout-kind';
import type { GoalIntent } from './deployment/intent';
import type { DeploymentStrategySpec } from './deployment/types';
import { checkForeignOwner } from './rules/foreign-owner';
import { reportWrongKind } from './rules/policy-kind';
import { STATEFUL_SET } from './statefulset/kind';
import type { StatefulSetUpdateStrategySpec } from './statefulset/types';

/** The props that stateless and stateful policies share. */
export interface PolicyProps {
  /** Old revisions to keep for a rollback. @default - unchanged; the default of Kubernetes is 10 */
  readonly revisionHistory?: number;
  /** Desired replicas. @default - unchanged */
  readonly replicas?: number;
  /** How long requests may run while their pod is replaced. It changes the pod template. @default - unchanged */
  readonly drain?: DrainIntent;
}

/** Replaces pods step by step. */
export interface StatelessRollingUpdateProps extends PolicyProps {
  /** How pods are replaced: step by step. */
  readonly update: 'RollingUpdate';
  /** Pods in addition to the desired replicas. @default 25% (Kubernetes) */
  readonly maxSurge?: IntOrPercent;
  /** Desired replicas that may be unavailable. @default 25% (Kubernetes) */
  readonly maxUnavailable?: IntOrPercent;
}

/** Deletes all old pods, then creates all new ones. */
export interface StatelessRecreateProps extends PolicyProps {
  /** How pods are replaced: all old pods are deleted first. */
  readonly update: 'Recreate';
}

/** States what is wanted of a rollout, instead of its limits. The policy writes the best strategy for each workload that it is applied to. */
export interface GoalPolicyProps extends PolicyProps {
  /** The goal: `Rollout.goal({ available: 6, within: '15m' })`. */
  readonly rollout: GoalIntent;
  /** Version of Kubernetes that the strategy is for. @default - the default version of the plan */
  readonly kubernetes?: string;
  readonly update?: never;
}

/** A policy whose strategy depends on the workload. */
export interface PolicyGoal {
  readonly intent: GoalIntent;
  readonly kubernetes?: string;
  /** Nodes that the pods of a DaemonSet run on. */
  readonly nodes?: number;
}

/**
 * The update settings of a stateless service (a Deployment), with the attributes of the gopaddle guide, "Deployment Strategy for
 * Stateless Service".
 */
export type StatelessPolicyProps = StatelessRollingUpdateProps | StatelessRecreateProps | GoalPolicyProps;

/** Replaces pods one after another, from the highest ordinal down. */
export interface StatefulRollingUpdateProps extends PolicyProps {
  /** How pods are replaced: step by step. */
  readonly update: 'RollingUpdate';
  /** The index below which pods keep the old version, even after they are deleted. @default 0 */
  readonly partition?: number;
}

/** Replaces a pod only after it is deleted. */
export interface StatefulOnDeleteProps extends PolicyProps {
  /** How pods are replaced: only once a user deletes them. */
  readonly update: 'OnDelete';
}

/**
 * The update settings of a stateful service (a StatefulSet), with the attributes of the gopaddle guide, "Deployment Strategy for
 * Stateful Service".
 */
export type StatefulPolicyProps = StatefulRollingUpdateProps | StatefulOnDeleteProps | GoalPolicyProps;

interface CommonFields {
  readonly replicas?: number;
  readonly revisionHistoryLimit?: number;
}

/** The fields that a stateless policy sets in a Deployment's spec. Each replaces the field of the same name. */
export interface StatelessPolicy {
  readonly kind: 'Deployment';
  /** The goal that the strategy is resolved from. @default - the strategy is that of the spec */
  readonly goal?: PolicyGoal;
  readonly spec: CommonFields & { readonly strategy: DeploymentStrategySpec };
  readonly drain?: DrainIntent;
}

/** The fields that a stateful policy sets in a StatefulSet's spec. Each replaces the field of the same name. */
export interface StatefulPolicy {
  readonly kind: 'StatefulSet';
  /** The goal that the strategy is resolved from. @default - the strategy is that of the spec */
  readonly goal?: PolicyGoal;
  readonly spec: CommonFields & { readonly updateStrategy: StatefulSetUpdateStrategySpec };
  readonly drain?: DrainIntent;
}

/** Builds the Deployment fields of a stateless policy. Limits with Recreate are kept, so that `validateWorkloadPolicy` can refuse them. */
export function buildStatelessPolicy(props: StatelessPolicyProps): StatelessPolicy {
  return withDrain(buildStatelessFields(props), props);
}

function buildStatelessFields(props: StatelessPolicyProps): StatelessPolicy {
  if (props.update === undefined && props.rollout !== undefined) {
    return { kind: 'Deployment', goal: readPolicyGoal(props), spec: { ...buildCommonFields(props), strategy: { type: 'RollingUpdate' } } };
  }
  const { maxSurge, maxUnavailable } = props as Partial<StatelessRollingUpdateProps>;
  const rollingUpdate = pickDefinedFields({ maxSurge, maxUnavailable });
  const strategy = { type: props.update, ...(rollingUpdate && { rollingUpdate }) };
  return { kind: 'Deployment', spec: { ...buildCommonFields(props), strategy } };
}

/**
 * Builds the StatefulSet fields of a stateful policy. A partition with OnDelete is kept, so that `validateWorkloadPolicy` can refuse it.
 */
export function buildStatefulPolicy(props: StatefulPolicyProps): StatefulPolicy {
  return withDrain(buildStatefulFields(props), props);
}

function buildStatefulFields(props: StatefulPolicyProps): StatefulPolicy {
  if (props.update === undefined && props.rollout !== undefined) {
    const spec = { ...buildCommonFields(props), updateStrategy: { type: 'RollingUpdate' } as const };
    return { kind: 'StatefulSet', goal: readPolicyGoal(props), spec };
  }
  const { partition } = props as Partial<StatefulRollingUpdateProps>;
  const rollingUpdate = pickDefinedFields({ partition });
  const updateStrategy = { type: props.update, ...(rollingUpdate && { rollingUpdate }) };
  return { kind: 'StatefulSet', spec: { ...buildCommonFields(props), updateStrategy } };
}

function withDrain<Policy extends object>(policy: Policy, { drain }: { readonly drain?: DrainIntent }): Policy {
  return drain === undefined ? policy : { ...policy, drain };
}

/**
 * Returns the pod template of a workload with the drain of a policy; undefined if the policy has none.
 *
 * @throws IntentError if the server of the pods cannot finish such a request
 */
export function drainPolicyTemplate({ drain }: { readonly drain?: DrainIntent }, workloadSpec: unknown): DrainedTemplate | undefined {
  if (drain === undefined) return undefined;
  const { metadata, spec } = getFieldsAt(workloadSpec, 'template');
  return drainTemplate({ metadata, spec }, drain, { prop: 'drain', podPath: toFieldPath`spec.template.spec` });
}

/**
 * Builds the fields that all policies share. The guide's revision history of 10 is the default of Kubernetes, so it is not written over
 * an existing value.
 */
function buildCommonFields({ replicas, revisionHistory }: PolicyProps): CommonFields {
  return { ...(replicas !== undefined && { replicas }), ...(revisionHistory !== undefined && { revisionHistoryLimit: revisionHistory }) };
}

function readPolicyGoal({ rollout, kubernetes }: Pick<GoalPolicyProps, 'rollout' | 'kubernetes'>): PolicyGoal {
  return { intent: rollout, ...(kubernetes !== undefined && { kubernetes }) };
}

/** Returns the fields that have a value, or undefined if none has. */
function pickDefinedFields<T extends object>(fields: T): T | undefined {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return entries.length > 0 ? (Object.fromEntries(entries) as T) : undefined;
}

/** Limits how many nodes of a DaemonSet may be without an available pod at once. The old pod is deleted first. */
export interface DaemonSetUnavailableProps {
  /** Nodes without an available pod, at least 1 and at most 100%. Percentages of the nodes are rounded up. */
  readonly maxUnavailable: IntOrPercent;
  readonly maxSurge?: never;
  /** How pods are replaced: step by step. @default RollingUpdate */
  readonly update?: 'RollingUpdate';
  /** Old revisions to keep for a rollback. @default - unchanged; the default of Kubernetes is 10 */
  readonly revisionHistory?: number;
  /** How long requests may run while their pod is replaced. It changes the pod template. @default - unchanged */
  readonly drain?: DrainIntent;
}

/** Limits how many nodes of a DaemonSet may run a new pod in addition to the old one at once. The new pod is created first. */
export interface DaemonSetSurgeProps {
  /**
   * Nodes with two pods, at least 1 and at most 100%. Percentages of the nodes are rounded up. The policy also writes `maxUnavailable:
   * 0`.
   */
  readonly maxSurge: IntOrPercent;
  readonly maxUnavailable?: never;
  /** How pods are replaced: step by step. @default RollingUpdate */
  readonly update?: 'RollingUpdate';
  /** Old revisions to keep for a rollback. @default - unchanged; the default of Kubernetes is 10 */
  readonly revisionHistory?: number;
  /** How long requests may run while their pod is replaced. It changes the pod template. @default - unchanged */
  readonly drain?: DrainIntent;
}

/** Replaces a pod only after it is deleted. */
export interface DaemonSetOnDeleteProps {
  /** How pods are replaced: only once a user deletes them. */
  readonly update: 'OnDelete';
  readonly maxSurge?: never;
  readonly maxUnavailable?: never;
  /** Old revisions to keep for a rollback. @default - unchanged; the default of Kubernetes is 10 */
  readonly revisionHistory?: number;
  /** How long requests may run while their pod is replaced. It changes the pod template. @default - unchanged */
  readonly drain?: DrainIntent;
}

/** The update settings of a DaemonSet. Only one limit can be set, since the API server refuses both. */
export type DaemonSetPolicyProps = DaemonSetUnavailableProps | DaemonSetSurgeProps | DaemonSetOnDeleteProps | DaemonSetGoalProps;

/** States what is wanted of a rollout, instead of its limit. */
export interface DaemonSetGoalProps extends Omit<GoalPolicyProps, 'replicas'> {
  /** Nodes that the pods run on, since no object says how many there are. */
  readonly nodes: number;
  readonly maxSurge?: never;
  readonly maxUnavailable?: never;
}

/** The fields that a policy sets in a DaemonSet's spec. Each replaces the field of the same name. */
export interface DaemonPolicy {
  readonly kind: 'DaemonSet';
  /** The goal that the strategy is resolved from. @default - the strategy is that of the spec */
  readonly goal?: PolicyGoal;
  readonly spec: { readonly updateStrategy: DaemonSetUpdateStrategySpec; readonly revisionHistoryLimit?: number };
  readonly drain?: DrainIntent;
}

/**
 * Builds the DaemonSet fields of a policy. With only maxSurge, the API server would default maxUnavailable to 1 and refuse it,
 * so maxUnavailable: 0 is written too. If both limits are set, they are kept, so that `validateWorkloadPolicy` can refuse them.
 * With OnDelete, limits have no effect, and the API server accepts them.
 */
export function buildDaemonPolicy(props: DaemonSetPolicyProps): DaemonPolicy {
  return withDrain(buildDaemonFields(props), props);
}

function buildDaemonFields(props: DaemonSetPolicyProps): DaemonPolicy {
  const { update, maxSurge, maxUnavailable, revisionHistory } = props;
  if ('rollout' in props) {
    const spec = { updateStrategy: { type: 'RollingUpdate' } as const, ...buildCommonFields(props) };
    return { kind: 'DaemonSet', goal: { ...readPolicyGoal(props), nodes: props.nodes }, spec };
  }
  const unavailable = maxSurge === undefined ? maxUnavailable : (maxUnavailable ?? 0);
  const rollingUpdate = pickDefinedFields({ maxSurge, maxUnavailable: unavailable });
  const updateStrategy = { type: update ?? 'RollingUpdate', ...(rollingUpdate && { rollingUpdate }) };
  return { kind: 'DaemonSet', spec: { updateStrategy, ...(revisionHistory !== undefined && { revisionHistoryLimit: revisionHistory }) } };
}

/** Any policy for workloads of apps/v1. */
export type WorkloadPolicy = StatelessPolicy | StatefulPolicy | DaemonPolicy;

const ROLLOUT_KINDS: Readonly<Record<WorkloadPolicy['kind'], RolloutKind>> = {
  Deployment: DEPLOYMENT,
  StatefulSet: STATEFUL_SET,
  DaemonSet: DAEMON_SET,
};

/**
 * Validates applying a policy to an object. It reports values that the API server would refuse (errors) and an owner that would undo
 * the change (a warning). For an object of the wrong kind it reports only that (an error).
 */
export function validateWorkloadPolicy(policy: WorkloadPolicy, object: Manifest): Finding[] {
  if (object.apiVersion !== 'apps/v1' || object.kind !== policy.kind) return [reportWrongKind(policy.kind, object)];
  const kind = ROLLOUT_KINDS[policy.kind];
  const patchedObject: Manifest = { apiVersion: object.apiVersion, kind: object.kind, spec: policy.spec };
  return [...kind.validate(patchedObject, DEFAULT_VERSIONS), ...checkForeignOwner(object, kind.strategyPath)];
}
