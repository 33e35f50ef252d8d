/**
 * The versions in which an unavailable old pod counts against maxUnavailable before it is deleted.
 * In other versions the first round deletes as many available pods as the limit allows, regardless of unavailable ones (k/k#123232;
 * backported by #127774 and #127775).
 *
 * Source: k/k pkg/controller/daemon/update.go, `rollingUpdate`, and the changelogs of the listed patch releases.
 */
export const COUNTS_UNREADY_OLD_PODS = [
  ['0', false],
  ['1.28.15', true],
  ['1.29', false],
  ['1.29.10', true],
  ['1.30', false],
  ['1.30.6', true],
] as const;
