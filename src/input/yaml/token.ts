/** Notation of a scalar. The type of a plain scalar depends on its text. */
export type ScalarStyle = 'plain' | 'quoted' | 'block';

interface ScalarToken {
  readonly kind: 'scalar';
  readonly at: number;
  readonly text: string;
  readonly style: ScalarStyle;
}

interface NamedToken {
  readonly kind: 'anchor' | 'alias';
  readonly at: number;
  readonly name: string;
}

interface TagToken {
  readonly kind: 'tag';
  readonly at: number;
  /** The expanded tag: `tag:yaml.org,2002:int` for `!!int`. Undefined if its handle is not known, which is an error once the parser uses the token. */
  readonly name: string | undefined;
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

export type Token = ScalarToken | NamedToken | TagToken | MarkToken;
