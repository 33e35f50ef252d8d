/** Both limits of a rolling update, of whatever type they are so far. */
interface RollingLimits<Limit> {
  readonly maxSurge: Limit;
  readonly maxUnavailable: Limit;
}

/** The limits that the API server stores: each that is left out, or null, is filled in on its own. */
export function filledLimits<Limit>(
  written: Partial<RollingLimits<Limit>> | null | undefined,
  defaults: RollingLimits<Limit>,
): RollingLimits<Limit> {
  return { maxSurge: written?.maxSurge ?? defaults.maxSurge, maxUnavailable: written?.maxUnavailable ?? defaults.maxUnavailable };
}
