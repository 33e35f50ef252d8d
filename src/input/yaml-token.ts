/** How a scalar is written. What a plain one means depends on its text. */
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
  /** Of a tag the whole of it: `tag:yaml.org,2002:int` for `!!int`. */
  readonly name: string;
}

/** What begins, ends or joins something. */
export interface MarkToken {
  readonly kind:
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
