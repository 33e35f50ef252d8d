/** Which component refuses a value, and in which object. By default, the API server refuses the value in the object itself. */
export interface RejectionSource {
  /** Name of the component in messages. @default the API server */
  readonly by?: string;
  /**
   * Name of the component that writes the Deployment with the refused value: `the operator`. Unset if the value is refused in the object
   * itself.
   */
  readonly writer?: string;
}

/** Formats which component refuses a value, for a sentence such as `maxSurge is 0, which the API server refuses`. */
export function formatRejectionSource({ by = 'the API server', writer }: RejectionSource): string {
  return writer === undefined ? `${by} refuses` : `${by} refuses in the Deployment that ${writer} writes`;
}

/** Returns the rejection source as data of a finding, without default values. */
export function toRejectionSourceData({ by, writer }: RejectionSource): RejectionSource {
  return { ...(by !== undefined && { by }), ...(writer !== undefined && { writer }) };
}
