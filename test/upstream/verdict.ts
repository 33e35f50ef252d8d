import type { Finding } from '../../src/core/findings/finding';

/** The recorded verdict of the API server on an object. */
export interface Verdict {
  /** The fields that were sent in addition to a valid selector and template. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** The error of the decoder, which stops at the first field of a wrong type. */
  readonly undecodable?: string;
  /** The fields that fieldValidation=Strict refuses. */
  readonly unknown?: readonly string[];
  /** The violated rules. */
  readonly errors?: readonly { readonly type: string; readonly field: string; readonly detail: string }[];
  /** The stored fields; null if the object is refused. */
  readonly stored: Readonly<Record<string, unknown>> | null;
}

/** Extracts the field that Go's decoder could not read: `… Go struct field DeploymentSpec.spec.replicas of type int32`. */
function undecodableField(text: string): string {
  return /Go struct field \w+\.(\S+) of type/.exec(text)?.[1] ?? text;
}

function sorted(paths: readonly string[]): string[] {
  return [...new Set(paths)].toSorted();
}

/** Errors of two zero limits. The server treats a malformed value as 0, so next to one they report the same problem again. */
const TWO_ZEROS: readonly string[] = ['may not be 0 when `maxSurge` is 0', 'cannot be 0 when maxSurge is 0'];

/** Returns the errors that each need a finding. */
function errorsOf({ errors = [] }: Verdict) {
  const malformed = errors.some((error) => error.detail.includes('valid percent string'));
  return errors.filter((error) => !(malformed && TWO_ZEROS.includes(error.detail)));
}

/** Returns the fields that the server refuses and those that it drops. */
function serverPaths(verdict: Verdict) {
  const refused =
    verdict.undecodable === undefined ? errorsOf(verdict).map((error) => error.field) : [undecodableField(verdict.undecodable)];
  return { refused: sorted(refused), dropped: sorted((verdict.unknown ?? []).map((text) => /"(.+)"/.exec(text)![1]!)) };
}

/** Returns the fields that our findings report as refused and as dropped. */
function ourPaths(findings: readonly Finding[]) {
  const refused = findings.filter((finding) => finding.severity === 'error');
  const dropped = findings.filter((finding) => finding.code === 'input/unknown-field');
  return { refused: sorted(refused.map((finding) => finding.path)), dropped: sorted(dropped.map((finding) => finding.path)) };
}

/**
 * Describes on one line how our findings differ from the server's verdict; undefined if they do not. Go's decoder names only one field of a
 * wrong type, so for an undecodable object we may report more fields, including the decoder's.
 */
export function difference(verdict: Verdict, findings: readonly Finding[]): string | undefined {
  const server = serverPaths(verdict);
  const ours = ourPaths(findings);
  const same =
    verdict.undecodable === undefined ? JSON.stringify(server) === JSON.stringify(ours) : ours.refused.includes(server.refused[0]!);
  return same ? undefined : JSON.stringify({ spec: verdict.spec, server, ours });
}
