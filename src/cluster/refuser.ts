/** Who refuses a value: the API server in the object itself, unless something else is said. */
export interface Refused {
  /** Who does, as a message names it. @default the API server */
  readonly by?: string;
  /** Who writes the Deployment in which it is refused: `the operator`; absent where it is refused in the object itself. */
  readonly writer?: string;
}

/** As a part of a sentence: `the API server refuses`. */
export function refuser({ by = 'the API server', writer }: Refused): string {
  return writer === undefined ? `${by} refuses` : `${by} refuses in the Deployment that ${writer} writes`;
}

/** Of what is known of a value, who refuses it: as data of a finding, which leaves out what is as usual. */
export function refusedBy({ by, writer }: Refused): Refused {
  return { ...(by !== undefined && { by }), ...(writer !== undefined && { writer }) };
}
