import type { SyntaxProblem } from '../../core/findings/input-problem';
import { DocumentError } from './document-error';
import { MAX_LEVELS } from '../../core/values/levels';
import { NODES_PER_TIME_CHECK } from './read-limits';
import type { ReadLimits } from './read-limits';
import type { Token } from './token';
import { YamlTokenizer } from './tokenizer';

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly at: number;
  readonly text: string;
  /** Whether its text determines its type: it has no quotes and is not a block. */
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
  readonly pairs: readonly YamlPair[];
}

/** Alias of an earlier node in the text, which may enclose the alias. */
export interface AliasNode {
  readonly kind: 'alias';
  readonly at: number;
  readonly anchor: string;
  readonly target: YamlNode;
}

export interface YamlPair {
  readonly key: YamlNode;
  readonly value: YamlNode;
}

export type YamlNode = ScalarNode | ListNode | MapNode | AliasNode;

/** Anchor and tag before the content of a node. */
interface NodeProperties {
  readonly anchor?: string;
  readonly tag?: string;
}

type TokenKind = Token['kind'];

const ENDS_ITEM: ReadonlySet<TokenKind> = new Set(['entry', 'block-end']);
const ENDS_PAIR: ReadonlySet<TokenKind> = new Set(['key', 'value', 'block-end']);
const ENDS_ITEM_OF_MAP: ReadonlySet<TokenKind> = new Set([...ENDS_ITEM, ...ENDS_PAIR]);
const ENDS_DOCUMENT: ReadonlySet<TokenKind> = new Set(['document-start', 'document-end', 'stream-end']);

/** The tree of the first document of a text. */
interface FirstDocument {
  /** Absent if the document is empty. */
  readonly root?: YamlNode;
  /** Error of text after the root. kubectl drops this text. */
  readonly trailing?: DocumentError;
  /** Offset of the mark that ends the document before the text ends. kubectl drops what follows. */
  readonly restAt?: number;
}

/** Parses the first document of a text into a tree. Source: go.yaml.in/yaml v2.4.2. */
class Parser {
  private readonly tokens: YamlTokenizer;
  private readonly anchors = new Map<string, YamlNode>();

  private nodes = 0;

  constructor(
    text: string,
    private readonly limits: ReadLimits | undefined,
  ) {
    this.tokens = new YamlTokenizer(text);
  }

  parseDocument(): FirstDocument {
    if (this.tokens.peek().kind === 'stream-end') return {};
    const isMarked = this.acceptToken('document-start');
    if (isMarked && ENDS_DOCUMENT.has(this.tokens.peek().kind)) return this.locateRest();
    const root = this.parseNode(true, false, 1);
    const trailing = this.detectTrailingText();
    return { root, ...(trailing ? { trailing } : this.locateRest()) };
  }

  private locateRest(): Pick<FirstDocument, 'restAt'> {
    const { kind, at } = this.tokens.peek();
    return kind === 'stream-end' ? {} : { restAt: at };
  }

  /** Creates the error of text after the value of the document. kubectl drops it, but not if its tokens are invalid. */
  private detectTrailingText(): DocumentError | undefined {
    const { kind, at } = this.tokens.peek();
    if (ENDS_DOCUMENT.has(kind)) return undefined;
    return this.tokens.createError(kind === 'directive' ? 'directive' : 'behind-value', at);
  }

  private fail(fault: SyntaxProblem, { at, kind }: Token): never {
    return this.tokens.fail(kind === 'directive' ? 'directive' : fault, at);
  }

  private checkTime({ at }: Token): void {
    if (++this.nodes % NODES_PER_TIME_CHECK !== 0 || !this.limits?.isLate()) return;
    throw new DocumentError(at, { kind: 'over-budget', budget: 'seconds', limit: this.limits.budget.seconds });
  }

  private acceptToken(kind: TokenKind): boolean {
    if (this.tokens.peek().kind !== kind) return false;
    this.tokens.next();
    return true;
  }

  private parseProperties(): NodeProperties {
    const { tokens } = this;
    const first = tokens.peek();
    if (first.kind !== 'anchor' && first.kind !== 'tag') return {};
    tokens.next();
    const second = tokens.peek();
    const isPair = (second.kind === 'anchor' || second.kind === 'tag') && second.kind !== first.kind;
    if (isPair) tokens.next();
    for (const token of isPair ? [first, second] : [first]) if (token.kind === 'tag' && token.name === undefined) this.fail('tag', token);
    return { [first.kind]: first.name, ...(isPair && { [second.kind]: second.name }) };
  }

  private registerAnchor<Node extends YamlNode>({ anchor }: NodeProperties, node: Node): Node {
    if (anchor !== undefined) this.anchors.set(anchor, node);
    return node;
  }

  /**
   * @param isBlock - whether the node may be a block, which is not allowed inside brackets
   * @param mayBeLevel - whether the node may be a list whose items have the column of the key before it
   */
  private parseNode(isBlock: boolean, mayBeLevel: boolean, level: number): YamlNode {
    const token = this.tokens.peek();
    this.checkTime(token);
    if (token.kind === 'alias') return this.parseAlias(token.name, token);
    const properties = this.parseProperties();
    const first = this.tokens.peek();
    const { kind, at } = first;
    if (first.kind === 'scalar') {
      this.tokens.next();
      return this.registerAnchor(properties, {
        kind: 'scalar',
        at,
        text: first.text,
        isPlain: first.style === 'plain',
        tag: properties.tag,
      });
    }
    const isList = kind === 'list-start' || (isBlock && kind === 'block-list') || (mayBeLevel && kind === 'entry');
    const isMap = kind === 'map-start' || (isBlock && kind === 'block-map');
    if ((isList || isMap) && level > MAX_LEVELS) throw new DocumentError(at, { kind: 'too-deep', levels: MAX_LEVELS });
    if (isList) {
      const items: YamlNode[] = [];
      const node = this.registerAnchor(properties, { kind: 'list', at, items });
      this.fillList(items, kind, level);
      return node;
    }
    if (isMap) {
      const pairs: YamlPair[] = [];
      const node = this.registerAnchor(properties, { kind: 'map', at, pairs });
      if (kind === 'map-start') this.fillFlowMap(pairs, level);
      else this.fillBlockMap(pairs, level);
      return node;
    }
    if (properties.anchor === undefined && properties.tag === undefined) this.fail('no-value', first);
    return this.registerAnchor(properties, { ...this.createEmptyScalar(token), tag: properties.tag });
  }

  private parseAlias(anchor: string, token: Token): AliasNode {
    this.tokens.next();
    const target = this.anchors.get(anchor);
    if (target === undefined) throw new DocumentError(token.at, { kind: 'alias-without-anchor', anchor });
    return { kind: 'alias', at: token.at, anchor, target };
  }

  private createEmptyScalar({ at }: Token): ScalarNode {
    return { kind: 'scalar', at, text: '', isPlain: true, tag: undefined };
  }

  private fillList(items: YamlNode[], kind: TokenKind, level: number): void {
    if (kind === 'list-start') return this.fillFlowList(items, level);
    const isLevel = kind === 'entry';
    if (!isLevel) this.tokens.next();
    const ends = isLevel ? ENDS_ITEM_OF_MAP : ENDS_ITEM;
    for (let token = this.tokens.peek(); token.kind === 'entry'; token = this.tokens.peek()) {
      this.tokens.next();
      items.push(ends.has(this.tokens.peek().kind) ? this.createEmptyScalar(token) : this.parseNode(true, false, level + 1));
    }
    if (!isLevel && !this.acceptToken('block-end')) this.fail('no-item', this.tokens.peek());
  }

  private fillBlockMap(pairs: YamlPair[], level: number): void {
    this.tokens.next();
    const part = (before: Token) =>
      ENDS_PAIR.has(this.tokens.peek().kind) ? this.createEmptyScalar(before) : this.parseNode(true, true, level + 1);
    for (let token = this.tokens.peek(); token.kind === 'key'; token = this.tokens.peek()) {
      this.tokens.next();
      const key = part(token);
      const colon = this.tokens.peek();
      pairs.push({ key, value: this.acceptToken('value') ? part(colon) : this.createEmptyScalar(colon) });
    }
    if (!this.acceptToken('block-end')) this.fail('no-key', this.tokens.peek());
  }

  /** Yields the first token of each entry inside brackets. Commas separate the entries, and a trailing comma is allowed. */
  private *parseEntries(end: 'list-end' | 'map-end'): Generator<Token> {
    this.tokens.next();
    const isOpen = end === 'list-end' ? 'list-open' : 'map-open';
    for (let isFirst = true; !this.acceptToken(end); isFirst = false) {
      if (!isFirst && !this.acceptToken('comma')) this.fail(isOpen, this.tokens.peek());
      const token = this.tokens.peek();
      if (ENDS_DOCUMENT.has(token.kind)) this.fail(isOpen, token);
      if (isFirst || token.kind !== end) yield token;
    }
  }

  private fillFlowList(items: YamlNode[], level: number): void {
    for (const token of this.parseEntries('list-end')) {
      const at = token.at;
      items.push(
        token.kind === 'key'
          ? { kind: 'map', at, pairs: [this.parseFlowPair('list-end', level + 1)] }
          : this.parseNode(false, false, level + 1),
      );
    }
  }

  private fillFlowMap(pairs: YamlPair[], level: number): void {
    for (const token of this.parseEntries('map-end')) {
      if (token.kind === 'key') pairs.push(this.parseFlowPair('map-end', level));
      else pairs.push({ key: this.parseNode(false, false, level + 1), value: this.createEmptyScalar(token) });
    }
  }

  private parseFlowPair(end: 'list-end' | 'map-end', level: number): YamlPair {
    const token = this.tokens.next();
    const isOver = (kind: TokenKind) => kind === 'comma' || kind === end;
    const { kind } = this.tokens.peek();
    const key = kind === 'value' || isOver(kind) ? this.createEmptyScalar(token) : this.parseNode(false, false, level + 1);
    const hasValue = this.acceptToken('value') && !isOver(this.tokens.peek().kind);
    return { key, value: hasValue ? this.parseNode(false, false, level + 1) : this.createEmptyScalar(token) };
  }
}

/**
 * Parses the first document of a text into a tree. Returns undefined if the text contains no document.
 *
 * @param limits - limits of the time for reading. @default - no limit
 * @throws DocumentError if the text is not YAML, or if the time budget is exceeded
 */
export function parseFirstDocument(text: string, limits?: ReadLimits): FirstDocument {
  return new Parser(text, limits).parseDocument();
}
