/** Who refuses a value: the API server the object itself, or the Deployment that an operator makes of it; or Fleet a fleet.yaml. */
export interface Refused {
  /** @default object */
  readonly by?: 'object' | 'operator-deployment' | 'fleet';
}

const REFUSERS = {
  object: 'the API server refuses',
  'operator-deployment': 'the API server refuses in the Deployment that the operator writes',
  fleet: 'Fleet refuses',
} as const;

/** As a part of a sentence: `the API server refuses`. */
export function refuser(by: Refused['by'] = 'object'): string {
  return REFUSERS[by];
}
