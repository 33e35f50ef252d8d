/** Who refuses a value: the API server in the object itself, unless something else is said. */
export interface RejectionSource {
  /** Who does, as a message names it. @default the API server */
  readonly by?: string;
  /** Who writes the Deployment in which it is refused: `the operator`; absent where it is refused in the object itself. */
  readonly writer?: string;
}

/** As a part of a sentence: `the API server refuses`. */
export function formatRejectionSource({ by = 'the API server', writer }: RejectionSource): string {
  return writer === undefined ? `${by} refuses` : `${by} refuses in the Deployment that ${writer} writes`;
}

/** Of what is known of a value, who refuses it: as data of a finding, which leaves out what is as usual. */
export function toRejectionSourceData({ by, writer }: RejectionSource): RejectionSource {
  return { ...(by !== undefined && { by }), ...(writer !== undefined && { writer }) };
}
