/**
 * Where an old pod that is not available takes up maxUnavailable before it is deleted.
 * Elsewhere the first round takes away as many available pods as the limit says, whatever is down already (k/k#123232;
 * backported by #127774 and #127775).
 *
 * Source: k/k pkg/controller/daemon/update.go, `rollingUpdate`, and the changelogs of the patches named.
 */
export const COUNTS_UNREADY_OLD_PODS = [
  ['0', false],
  ['1.28.15', true],
  ['1.29', false],
  ['1.29.10', true],
  ['1.30', false],
  ['1.30.6', true],
] as const;
