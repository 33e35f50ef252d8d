let isAnyLate = false;

/** Forgets which clocks were late, at the beginning of a run. */
export function forgetLateClocks(): void {
  isAnyLate = false;
}

/**
 * Remembers that a clock is past its end. Whoever looked at it leaves something out, and a check that must not pass without a word asks for it at
 * the end, whatever became of the result in between.
 */
export function noteLateClock(): void {
  isAnyLate = true;
}

/** Reports whether a clock was found past its end since the beginning of the run. */
export function hasLateClock(): boolean {
  return isAnyLate;
}
