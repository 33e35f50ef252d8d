/** Where a rollout stands still because its pods find no room. */
export interface CapacityHalt {
  /** The wave, of a StatefulSet the batch, that never ends; counted from 1. */
  readonly wave: number;
  readonly reason: 'insufficient-capacity';
}

export function createCapacityHalt(wave: number): CapacityHalt {
  return { wave, reason: 'insufficient-capacity' };
}

/** The rows up to one, and how many of those before it are left out. */
export function selectRowsUntil<Row extends { readonly wave: number }>(
  rows: readonly Row[],
  wave: number,
): { readonly waves: readonly Row[]; readonly elided?: number } {
  const waves = rows.filter((row) => row.wave <= wave);
  const elided = wave - waves.length;
  return { waves, ...(elided > 0 && { elided }) };
}
