/** A deadlock of a rollout because its pods do not fit. */
export interface CapacityHalt {
  /** Wave (for a StatefulSet the batch) that never finishes, counted from 1. */
  readonly wave: number;
  readonly reason: 'insufficient-capacity';
}

export function createCapacityHalt(wave: number): CapacityHalt {
  return { wave, reason: 'insufficient-capacity' };
}

/** Returns the rows up to a wave, and how many rows before it are omitted. */
export function selectRowsUntil<Row extends { readonly wave: number }>(
  rows: readonly Row[],
  wave: number,
): { readonly waves: readonly Row[]; readonly elided?: number } {
  const waves = rows.filter((row) => row.wave <= wave);
  const elided = wave - waves.length;
  return { waves, ...(elided > 0 && { elided }) };
}
