/** Both limits of a rolling update, validated or not. */
interface RollingLimits<Limit> {
  readonly maxSurge: Limit;
  readonly maxUnavailable: Limit;
}

/** Returns the limits that the API server stores: each limit that is missing or null is filled in separately. */
export function applyLimitDefaults<Limit>(
  specified: Partial<RollingLimits<Limit>> | null | undefined,
  defaults: RollingLimits<Limit>,
): RollingLimits<Limit> {
  return { maxSurge: specified?.maxSurge ?? defaults.maxSurge, maxUnavailable: specified?.maxUnavailable ?? defaults.maxUnavailable };
}
