/** The strategy that KServe documents for all nodes of a multinode predictor, as an advice names it. */
export const BOTH_FOR_MULTINODE = 'type: RollingUpdate, maxSurge: 100% and maxUnavailable: 0%';
