import type { Finding } from '../../src/core/finding';

/** What the API server made of an object, as recorded. */
export interface Verdict {
  /** What was sent, beside a sound selector and template. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** The decoder's refusal: it stops at the first field of a wrong type. */
  readonly undecodable?: string;
  /** What fieldValidation=Strict refuses. */
  readonly unknown?: readonly string[];
  /** The rules broken. */
  readonly errors?: readonly { readonly type: string; readonly field: string; readonly detail: string }[];
  /** What is kept; null when refused. */
  readonly stored: Readonly<Record<string, unknown>> | null;
}

/** The field that Go's decoder could not read: `… Go struct field DeploymentSpec.spec.replicas of type int32`. */
function undecodableField(text: string): string {
  return /Go struct field \w+\.(\S+) of type/.exec(text)?.[1] ?? text;
}

function sorted(paths: readonly string[]): string[] {
  return [...new Set(paths)].toSorted();
}

/**
 * The errors of a verdict that call for a finding each. A malformed value counts as 0 to the server,
 * so beside it the rules of the two zeros say nothing more; one finding a problem.
 */
const TWO_ZEROS: readonly string[] = ['may not be 0 when `maxSurge` is 0', 'cannot be 0 when maxSurge is 0'];

function errorsOf({ errors = [] }: Verdict) {
  const malformed = errors.some((error) => error.detail.includes('valid percent string'));
  return errors.filter((error) => !(malformed && TWO_ZEROS.includes(error.detail)));
}

/** The fields that the server refuses, and those that it drops. */
function serverPaths(verdict: Verdict) {
  const refused =
    verdict.undecodable === undefined ? errorsOf(verdict).map((error) => error.field) : [undecodableField(verdict.undecodable)];
  return { refused: sorted(refused), dropped: sorted((verdict.unknown ?? []).map((text) => /"(.+)"/.exec(text)![1]!)) };
}

/** The fields that our findings refuse, and those that they say are dropped. */
function ourPaths(findings: readonly Finding[]) {
  const refused = findings.filter((finding) => finding.severity === 'error');
  const dropped = findings.filter((finding) => finding.code === 'input/unknown-field');
  return { refused: sorted(refused.map((finding) => finding.path)), dropped: sorted(dropped.map((finding) => finding.path)) };
}

/**
 * How our findings differ from the server's verdict, as a line; undefined where they do not. Go's decoder names one field of a wrong type
 * and looks no further, so of an undecodable object we may name more, among them the decoder's.
 */
export function difference(verdict: Verdict, findings: readonly Finding[]): string | undefined {
  const server = serverPaths(verdict);
  const ours = ourPaths(findings);
  const same =
    verdict.undecodable === undefined ? JSON.stringify(server) === JSON.stringify(ours) : ours.refused.includes(server.refused[0]!);
  return same ? undefined : JSON.stringify({ spec: verdict.spec, server, ours });
}
