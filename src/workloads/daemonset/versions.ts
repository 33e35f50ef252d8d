/**
 * From when on an old pod that is not available takes up maxUnavailable before it is deleted. Before, the first round takes away as many
 * available pods as the limit says, whatever is down already (k/k#123232).
 *
 * Source: k/k pkg/controller/daemon/update.go, `rollingUpdate`, of 1.30.0 and 1.31.0.
 */
export const COUNTS_UNREADY_OLD_PODS = [
  ['0', false],
  ['1.31', true],
] as const;
