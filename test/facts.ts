import type { Finding } from '../src/core/finding';

/** A finding without its text, which is made of the rest. */
export type Facts = Omit<Finding, 'message' | 'help'>;

/** What findings are made of: all but their text. */
export function factsOf(findings: readonly Finding[]): Facts[] {
  return findings.map(({ message: _message, help: _help, ...facts }) => facts);
}

/** A finding as a line of a text tells it, up to where its sentences begin: its code, and its path if it has one. */
const HEAD = /(\[(?:kubernetes|kserve|kuberay|fleet|baw|lws|argo-rollouts|argo-cd|guardrails|input)\/[a-z-]+\](?: \S+:)?) .*$/;

/** The lines of a text in which findings are told, without their sentences: `[shop/web] [kubernetes/invalid-strategy] spec.replicas:`. */
export function headsOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim().replace(HEAD, '$1'));
}
