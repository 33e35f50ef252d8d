import type { Finding } from '../src/core/findings/finding';

/** A finding without its text, which is derived from the other fields. */
export type Facts = Omit<Finding, 'message' | 'help'>;

/** Returns findings without their text. */
export function factsOf(findings: readonly Finding[]): Facts[] {
  return findings.map(({ message: _message, help: _help, ...facts }) => facts);
}

/** Matches a line with a finding; the first group ends before its sentences: its code, and its path if it has one. */
const HEAD = /(\[(?:kubernetes|kserve|kuberay|fleet|baw|lws|argo-rollouts|argo-cd|guardrails|input)\/[a-z-]+\](?: \S+:)?) .*$/;

/** Returns the lines of a text, with findings shortened to their code and path: `[shop/web] [kubernetes/invalid-strategy] spec.replicas:`. */
export function headsOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim().replace(HEAD, '$1'));
}
