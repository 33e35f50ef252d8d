/** The bars of a check: it fails where a finding is as bad or worse. The first holds where none is given. */
export const BARS = ['error', 'warning', 'info', 'never'] as const;

/** What a check may fail on. */
export type Bar = (typeof BARS)[number];
