/**
 * Step between the compared cases of the largest recordings and tables: the gate compares every fourth one, so that it stays short. To compare
 * all, run `EVERY_RECORDING=1 npm run test:long`.
 */
export const RECORDING_STEP = process.env['EVERY_RECORDING'] ? 1 : 4;
