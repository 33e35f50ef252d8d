import type { IConstruct } from 'constructs';
import type { Source } from '../core/findings/finding';
import { findCallSite, parseCallSite } from '../props/call-site';

/** Errors created together with a construct. Their stacks are only formatted if a message needs them. */
const traces = new WeakMap<IConstruct, Error>();

/** Errors created when a policy was applied to an object last. */
const policyTraces = new WeakMap<IConstruct, Error>();

/** Remembers the line of the user's code that creates a construct. */
export function recordCallSite(construct: IConstruct): void {
  traces.set(construct, new Error());
}

/** Remembers the line of the user's code that applies a policy to an object. */
export function recordPolicyCallSite(object: IConstruct): void {
  policyTraces.set(object, new Error());
}

/** Returns the trace of the policy that was applied to an object last, or undefined if it has none. */
export function policyTraceOf(object: IConstruct): Error | undefined {
  return policyTraces.get(object);
}

/** Returns the trace of a construct, or of the closest scope that has one. */
export function traceOf(construct: IConstruct): Error | undefined {
  const scope = construct.node.scopes.toReversed().find((each) => traces.has(each));
  return scope && traces.get(scope);
}

/** Returns the line of the user's code that created a construct: `src/main.ts:12:3`. Undefined for constructs of other packages. */
export function callSiteOf(construct: IConstruct): string | undefined {
  const trace = traceOf(construct);
  return trace && findCallSite(trace);
}

/** The fields that a policy writes. */
const POLICY_FIELD = /^spec\.(?:strategy|updateStrategy|replicas|revisionHistoryLimit)(?:\.|$)/;

/** Returns the line of the user's code that wrote a field of an object: the policy that did, or else the construct that created the object. */
export function locateField(object: IConstruct, path: string): Source | undefined {
  const trace = (POLICY_FIELD.test(path) ? policyTraces.get(object) : undefined) ?? traceOf(object);
  const callSite = trace && findCallSite(trace);
  return callSite === undefined ? undefined : parseCallSite(callSite);
}
