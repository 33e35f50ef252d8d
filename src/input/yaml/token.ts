/** Notation of a scalar. The type of a plain scalar depends on its text. */
export type ScalarStyle = 'plain' | 'quoted' | 'block';

interface ScalarToken {
  readonly kind: 'scalar';
  readonly at: number;
  readonly text: string;
  readonly style: ScalarStyle;
}

interface NamedToken {
  readonly kind: 'anchor' | 'alias' | 'tag';
  readonly at: number;
  /** Name of the anchor, or the expanded tag: `tag:yaml.org,2002:int` for `!!int`. */
  readonly name: string;
}

/** Token that begins, ends or joins nodes. */
export interface MarkToken {
  readonly kind:
    | 'directive'
    | 'document-start'
    | 'document-end'
    | 'stream-end'
    | 'block-list'
    | 'block-map'
    | 'block-end'
    | 'list-start'
    | 'list-end'
    | 'map-start'
    | 'map-end'
    | 'entry'
    | 'comma'
    | 'key'
    | 'value';
  readonly at: number;
}

export type Token = ScalarToken | NamedToken | MarkToken;
