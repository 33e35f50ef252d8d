import type { Finding } from '../src/core/finding';

/** A finding without its text, which is made of the rest. */
export type Facts = Omit<Finding, 'message' | 'help'>;

/** What findings are made of: all but their text. */
export function factsOf(findings: readonly Finding[]): Facts[] {
  return findings.map(({ message: _message, help: _help, ...facts }) => facts);
}
