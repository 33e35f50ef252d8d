/** A model that KServe serves, the least that a predictor needs. */
export const model = { modelFormat: { name: 'sklearn' } };
