/** What a command's exit code says. */
export const EXIT = {
  /** The command ran, and nothing that it judges is amiss. */
  done: 0,
  /** The command judges, and what it judges is at or above its bar. */
  failed: 1,
  /** The command could not run. */
  unable: 2,
} as const;

const UNABLE = `${EXIT.unable} the command could not run`;

/** The exit codes of each command, for its help. */
export const EXIT_CODES = {
  plan: `Exit codes: ${EXIT.done} planned, whatever was found; ${UNABLE}.`,
  check: `Exit codes: ${EXIT.done} nothing at or above the bar; ${EXIT.failed} something, or what --require-planned asks for; ${UNABLE}.`,
  explain: `Exit codes: ${EXIT.done} explained; ${UNABLE}, or there is no such resource, component or field.`,
  diff: `Exit codes: ${EXIT.done} compared, whatever differs; ${EXIT.failed} with --fail-on-riskier, when a change is riskier; ${UNABLE}.`,
  fix: `Exit codes: ${EXIT.done} fixed what could be; ${EXIT.failed} with --dry-run, when something would be written; ${UNABLE}.`,
} as const;
