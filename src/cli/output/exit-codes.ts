/** Exit codes of the commands. */
export const EXIT = {
  /** The command ran, and its check passed, if it has one. */
  done: 0,
  /** The check of the command failed. */
  failed: 1,
  /** The command could not run. */
  unable: 2,
} as const;

const UNABLE = `${EXIT.unable} the command could not run`;

/** Exit codes in the help of each command. */
export const EXIT_CODES = {
  plan: `Exit codes: ${EXIT.done} planned, with or without findings; ${UNABLE}, or a side of the change could not be rendered.`,
  check: `Exit codes: ${EXIT.done} no finding at or above the threshold; ${EXIT.failed} such a finding, a failure of --require-planned, or fixes of a SARIF log that take too long; ${UNABLE}, or a side of the change could not be rendered.`,
  explain: `Exit codes: ${EXIT.done} explained; ${UNABLE}, or the resource, component or field does not exist.`,
  diff: `Exit codes: ${EXIT.done} compared, with or without differences; ${EXIT.failed} with --fail-on-riskier, if a change is riskier; ${UNABLE}, or a side could not be rendered.`,
  upgrade: `Exit codes: ${EXIT.done} planned; ${EXIT.failed} with --fail-on, if a finding is at or above that severity; ${UNABLE}, or what the upgrade rolls is not known.`,
  advise: `Exit codes: ${EXIT.done} every goal is met, or none is given; ${EXIT.failed} a goal cannot be met; ${UNABLE}, or a part of the input could not be read.`,
  snapshot: `Exit codes: ${EXIT.done} written; ${UNABLE}, and nothing is written.`,
  verify: `Exit codes: ${EXIT.done} every rollout ended as planned, late or not; ${EXIT.failed} one did not, or --timeout was over; ${UNABLE}.`,
  fix: `Exit codes: ${EXIT.done} all possible fixes made; ${EXIT.failed} with --dry-run, if a file would change; ${UNABLE}, or the input exceeds a budget.`,
} as const;
