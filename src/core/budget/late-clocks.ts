let isAnyLate = false;

/** Resets the record of late clocks, at the beginning of a run. */
export function resetLateClocks(): void {
  isAnyLate = false;
}

/**
 * Records that a clock is past its end. The step that looked at it leaves something out, and its finding about that may be lost later, so a check
 * that must not pass without a word asks at its end.
 */
export function recordLateClock(): void {
  isAnyLate = true;
}

/** Reports whether a clock was found past its end since the beginning of the run. */
export function hasLateClock(): boolean {
  return isAnyLate;
}
