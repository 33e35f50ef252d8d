/** Both limits of a rolling update, of whatever type they are so far. */
interface RollingLimits<Limit> {
  readonly maxSurge: Limit;
  readonly maxUnavailable: Limit;
}

/** The limits that the API server stores: each that is left out, or null, is filled in on its own. */
export function applyLimitDefaults<Limit>(
  specified: Partial<RollingLimits<Limit>> | null | undefined,
  defaults: RollingLimits<Limit>,
): RollingLimits<Limit> {
  return { maxSurge: specified?.maxSurge ?? defaults.maxSurge, maxUnavailable: specified?.maxUnavailable ?? defaults.maxUnavailable };
}
