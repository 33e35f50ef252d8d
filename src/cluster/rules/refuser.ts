/** Who refuses a value: the API server the object itself, or the Deployment that an operator makes of it. */
export interface Refused {
  /** @default object */
  readonly by?: 'object' | 'operator-deployment';
}

/** As a part of a sentence: `the API server refuses`. */
export function refuser(by: Refused['by'] = 'object'): string {
  return by === 'object' ? 'the API server refuses' : 'the API server refuses in the Deployment that the operator writes';
}
