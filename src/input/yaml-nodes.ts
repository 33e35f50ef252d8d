import type { SyntaxProblem } from '../core/reading-problem';
import type { Spending } from './budget';
import { DocumentError } from './document-error';
import type { Token } from './yaml-token';
import { Tokens } from './yaml-tokens';

/** Levels of maps and lists that one document may have. */
export const MAX_LEVELS = 1_000;

/** How many nodes are read between two looks at the clock. */
export const NODES_PER_LOOK = 10_000;

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly at: number;
  readonly text: string;
  /** Does its text say what it is: written without quotes, and not as a block? */
  readonly isPlain: boolean;
  readonly tag: string | undefined;
}

export interface ListNode {
  readonly kind: 'list';
  readonly at: number;
  readonly items: readonly YamlNode[];
}

export interface MapNode {
  readonly kind: 'map';
  readonly at: number;
  readonly pairs: readonly Pair[];
}

/** Stands for a node before it in the text, which may be one around it. */
export interface AliasNode {
  readonly kind: 'alias';
  readonly at: number;
  readonly anchor: string;
  readonly target: YamlNode;
}

export interface Pair {
  readonly key: YamlNode;
  readonly value: YamlNode;
}

export type YamlNode = ScalarNode | ListNode | MapNode | AliasNode;

/** What stands before the content of a node. */
interface Properties {
  readonly anchor?: string;
  readonly tag?: string;
}

type TokenKind = Token['kind'];

const ENDS_ITEM: ReadonlySet<TokenKind> = new Set(['entry', 'block-end']);
const ENDS_PAIR: ReadonlySet<TokenKind> = new Set(['key', 'value', 'block-end']);
const ENDS_ITEM_OF_MAP: ReadonlySet<TokenKind> = new Set([...ENDS_ITEM, ...ENDS_PAIR]);
const ENDS_DOCUMENT: ReadonlySet<TokenKind> = new Set(['document-start', 'document-end', 'stream-end']);

/** The first document of a text as a tree. Source: go.yaml.in/yaml v2.4.2. */
class Parser {
  private readonly tokens: Tokens;
  private readonly anchors = new Map<string, YamlNode>();

  private nodes = 0;

  constructor(
    text: string,
    private readonly spending: Spending | undefined,
  ) {
    this.tokens = new Tokens(text);
  }

  document(): YamlNode | undefined {
    if (this.tokens.peek().kind === 'stream-end') return undefined;
    const isMarked = this.takes('document-start');
    if (isMarked && ENDS_DOCUMENT.has(this.tokens.peek().kind)) return undefined;
    const node = this.node(true, false, 1);
    const behind = this.tokens.peek();
    if (!ENDS_DOCUMENT.has(behind.kind)) this.fail('behind-value', behind);
    return node;
  }

  private fail(fault: SyntaxProblem, { at }: Token): never {
    return this.tokens.fail(fault, at);
  }

  private checkTime({ at }: Token): void {
    if (++this.nodes % NODES_PER_LOOK !== 0 || !this.spending?.isLate()) return;
    throw new DocumentError(at, { kind: 'over-budget', budget: 'seconds', limit: this.spending.budget.seconds });
  }

  private takes(kind: TokenKind): boolean {
    if (this.tokens.peek().kind !== kind) return false;
    this.tokens.next();
    return true;
  }

  private properties(): Properties {
    const { tokens } = this;
    const first = tokens.peek();
    if (first.kind !== 'anchor' && first.kind !== 'tag') return {};
    tokens.next();
    const second = tokens.peek();
    const isPair = (second.kind === 'anchor' || second.kind === 'tag') && second.kind !== first.kind;
    if (isPair) tokens.next();
    return { [first.kind]: first.name, ...(isPair && { [second.kind]: second.name }) };
  }

  private anchored<Node extends YamlNode>({ anchor }: Properties, node: Node): Node {
    if (anchor !== undefined) this.anchors.set(anchor, node);
    return node;
  }

  /**
   * @param isBlock - may it be a block, as between brackets it may not?
   * @param mayBeLevel - may it be a list whose items are no further in than the key before it?
   */
  private node(isBlock: boolean, mayBeLevel: boolean, level: number): YamlNode {
    const token = this.tokens.peek();
    this.checkTime(token);
    if (token.kind === 'alias') return this.alias(token.name, token);
    const properties = this.properties();
    const first = this.tokens.peek();
    const { kind, at } = first;
    if (first.kind === 'scalar') {
      this.tokens.next();
      return this.anchored(properties, { kind: 'scalar', at, text: first.text, isPlain: first.style === 'plain', tag: properties.tag });
    }
    const isList = kind === 'list-start' || (isBlock && kind === 'block-list') || (mayBeLevel && kind === 'entry');
    const isMap = kind === 'map-start' || (isBlock && kind === 'block-map');
    if ((isList || isMap) && level > MAX_LEVELS) throw new DocumentError(at, { kind: 'too-deep', levels: MAX_LEVELS });
    if (isList) {
      const items: YamlNode[] = [];
      const node = this.anchored(properties, { kind: 'list', at, items });
      this.fillList(items, kind, level);
      return node;
    }
    if (isMap) {
      const pairs: Pair[] = [];
      const node = this.anchored(properties, { kind: 'map', at, pairs });
      if (kind === 'map-start') this.fillFlowMap(pairs, level);
      else this.fillBlockMap(pairs, level);
      return node;
    }
    if (properties.anchor === undefined && properties.tag === undefined) this.fail('no-value', first);
    return this.anchored(properties, { ...this.empty(token), tag: properties.tag });
  }

  private alias(anchor: string, token: Token): AliasNode {
    this.tokens.next();
    const target = this.anchors.get(anchor);
    if (target === undefined) throw new DocumentError(token.at, { kind: 'alias-without-anchor', anchor });
    return { kind: 'alias', at: token.at, anchor, target };
  }

  private empty({ at }: Token): ScalarNode {
    return { kind: 'scalar', at, text: '', isPlain: true, tag: undefined };
  }

  private fillList(items: YamlNode[], kind: TokenKind, level: number): void {
    if (kind === 'list-start') return this.fillFlowList(items, level);
    const isLevel = kind === 'entry';
    if (!isLevel) this.tokens.next();
    const ends = isLevel ? ENDS_ITEM_OF_MAP : ENDS_ITEM;
    for (let token = this.tokens.peek(); token.kind === 'entry'; token = this.tokens.peek()) {
      this.tokens.next();
      items.push(ends.has(this.tokens.peek().kind) ? this.empty(token) : this.node(true, false, level + 1));
    }
    if (!isLevel && !this.takes('block-end')) this.fail('no-item', this.tokens.peek());
  }

  private fillBlockMap(pairs: Pair[], level: number): void {
    this.tokens.next();
    const part = (before: Token) => (ENDS_PAIR.has(this.tokens.peek().kind) ? this.empty(before) : this.node(true, true, level + 1));
    for (let token = this.tokens.peek(); token.kind === 'key'; token = this.tokens.peek()) {
      this.tokens.next();
      const key = part(token);
      const colon = this.tokens.peek();
      pairs.push({ key, value: this.takes('value') ? part(colon) : this.empty(colon) });
    }
    if (!this.takes('block-end')) this.fail('no-key', this.tokens.peek());
  }

  /** Between brackets commas stand between the entries, and one may stand behind the last. */
  private *entries(end: 'list-end' | 'map-end'): Generator<Token> {
    this.tokens.next();
    const isOpen = end === 'list-end' ? 'list-open' : 'map-open';
    for (let isFirst = true; !this.takes(end); isFirst = false) {
      if (!isFirst && !this.takes('comma')) this.fail(isOpen, this.tokens.peek());
      const token = this.tokens.peek();
      if (ENDS_DOCUMENT.has(token.kind)) this.fail(isOpen, token);
      if (isFirst || token.kind !== end) yield token;
    }
  }

  private fillFlowList(items: YamlNode[], level: number): void {
    for (const token of this.entries('list-end')) {
      const at = token.at;
      items.push(
        token.kind === 'key' ? { kind: 'map', at, pairs: [this.flowPair('list-end', level + 1)] } : this.node(false, false, level + 1),
      );
    }
  }

  private fillFlowMap(pairs: Pair[], level: number): void {
    for (const token of this.entries('map-end')) {
      if (token.kind === 'key') pairs.push(this.flowPair('map-end', level));
      else pairs.push({ key: this.node(false, false, level + 1), value: this.empty(token) });
    }
  }

  private flowPair(end: 'list-end' | 'map-end', level: number): Pair {
    const token = this.tokens.next();
    const isOver = (kind: TokenKind) => kind === 'comma' || kind === end;
    const { kind } = this.tokens.peek();
    const key = kind === 'value' || isOver(kind) ? this.empty(token) : this.node(false, false, level + 1);
    const hasValue = this.takes('value') && !isOver(this.tokens.peek().kind);
    return { key, value: hasValue ? this.node(false, false, level + 1) : this.empty(token) };
  }
}

/**
 * The tree of the first document of a text; undefined where it holds none.
 *
 * @param spending - the time that reading takes is held to its budget. @default - as long as it takes
 * @throws DocumentError for whatever is no YAML, and after that time
 */
export function parseFirst(text: string, spending?: Spending): YamlNode | undefined {
  return new Parser(text, spending).document();
}
