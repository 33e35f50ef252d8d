import { setOwnField } from '../../core/collections/set-own-field';
import { ROOT_PATH, appendToPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { toDisplayValue } from '../../core/text/display-value';
import { parseFirstDocument } from './parser';
import type { AliasNode, MapNode, YamlPair, ScalarNode, YamlNode } from './parser';
import { MAX_LEVELS } from '../../core/values/levels';
import { NODES_PER_TIME_CHECK } from './read-limits';
import type { ReadLimits } from './read-limits';
import { ScalarTagError, TEXT_KEY, resolveKey, resolveScalarValue } from './scalar';
import type { ScalarKey, ScalarValue } from './scalar';
import { DocumentError } from './document-error';
import { MAX_LOCATED_DUPLICATES } from './parsed-document';
import type { DuplicateKey, ParsedDocument } from './parsed-document';
import { withFinalLineBreak } from './split-documents';

/** Maximum number of aliases in one document. */
const MAX_ALIASES = 100;
/** Maximum number of values in one document with all aliases expanded. */
const MAX_ALIAS_VALUES = 1_000_000;

/**
 * Reports whether aliases make up more of the values of a document than kubectl's parser allows.
 *
 * Source: sigs.k8s.io/yaml 1.6 goyaml.v2/decode.go, `unmarshal` and `allowedAliasRatio`, which also count the document.
 */
function hasExcessiveAliases(fromAliases: number, values: number): boolean {
  const count = values + 1;
  const allowed = count <= 400_000 ? 0.99 : 0.99 - (0.89 * (count - 400_000)) / 3_600_000;
  return fromAliases > 100 && count > 1_000 && fromAliases / count > allowed;
}

/** Characters that kubectl's parser refuses. A byte order mark that is not at the very start makes the parser lose characters. */
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const FORBIDDEN_CHARACTER = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]|\p{Surrogate}|(?<!^)\ufeff/u;

function checkCharacters(text: string): void {
  const match = FORBIDDEN_CHARACTER.exec(text);
  if (!match) return;
  throw new DocumentError(match.index, { kind: 'control-character', code: match[0].charCodeAt(0) });
}

/** Value of an anchor, and what each of its aliases adds to the expanded document. */
interface AnchoredValue {
  readonly value: unknown;
  /** Number of values in it, and itself. */
  readonly size: number;
  /** Number of characters of these values. */
  readonly length: number;
  /** Number of lists and maps in each other: 2 for `[[1]]`. */
  readonly levels: number;
}

/** A boolean of YAML 1.1 that is text in YAML 1.2. */
const WORD = /^(?:y|n|yes|no|on|off)$/i;

class YamlConverter {
  readonly offsets = new Map<object, Record<string | number, number>>();
  readonly duplicateKeys: DuplicateKey[] = [];
  /** Keys and indexes of the maps and lists around the current node. */
  private readonly trail: (string | number)[] = [];
  /** Offset of the first word that is kept as text. */
  wordAt: number | undefined;
  /** The identities of the keys of each map that are not text. */
  private readonly identities = new Map<object, Map<string, ScalarKey['identity']>>();
  private readonly convertedNodes = new Map<YamlNode, AnchoredValue | 'open'>();
  private aliases = 0;
  /** Number of the values that aliases add. */
  private fromAliases = 0;
  /** Number of the fields that merges copy. */
  private merged = 0;
  private size = 0;
  private length = 0;
  /** Number of lists and maps around the current node. */
  private level = 0;
  /** Greatest number of lists and maps in each other that the current value reaches. */
  private deepest = 0;

  constructor(
    private readonly limits: ReadLimits | undefined,
    private readonly keepsWords: boolean,
  ) {}

  valueOf(node: YamlNode): unknown {
    this.size++;
    if (this.size % NODES_PER_TIME_CHECK === 0) this.checkTime(node);
    this.checkExpansion(node);
    if (node.kind === 'alias') return this.resolve(node);
    const { size, length, level, deepest } = this;
    this.convertedNodes.set(node, 'open');
    this.deepest = level;
    if (node.kind !== 'scalar') this.reachLevel(++this.level, node);
    const value = this.contentOf(node);
    this.length += node.kind === 'scalar' ? node.text.length + 1 : 1;
    this.convertedNodes.set(node, { value, size: this.size - size + 1, length: this.length - length, levels: this.deepest - level });
    this.level = level;
    this.deepest = Math.max(deepest, this.deepest);
    return value;
  }

  private checkTime({ at }: YamlNode): void {
    if (this.limits?.isLate()) throw new DocumentError(at, { kind: 'over-budget', budget: 'seconds', limit: this.limits.budget.seconds });
  }

  /** Counts the fields that a merge copies: merges within each other copy the same fields again. */
  private countMerged(fields: number, source: YamlNode): void {
    this.merged += fields;
    if (this.merged > MAX_ALIAS_VALUES) throw new DocumentError(source.at, { kind: 'aliases-too-large', values: MAX_ALIAS_VALUES });
    if (this.merged % NODES_PER_TIME_CHECK < fields) this.checkTime(source);
  }

  /** Checks the number of lists and maps in each other. The parser has checked that of the text, which aliases raise. */
  private reachLevel(level: number, { at }: YamlNode): void {
    if (level > MAX_LEVELS) throw new DocumentError(at, { kind: 'too-deep', levels: MAX_LEVELS });
    this.deepest = Math.max(this.deepest, level);
  }

  private contentOf(node: Exclude<YamlNode, AliasNode>): unknown {
    if (node.kind === 'map') return this.mapOf(node);
    if (node.kind === 'list') return this.listOf(node.items);
    return this.scalarOf(node);
  }

  private resolve(alias: AliasNode): unknown {
    this.aliases++;
    if (this.aliases > MAX_ALIASES) throw new DocumentError(alias.at, { kind: 'too-many-aliases', aliases: MAX_ALIASES });
    const { size } = this;
    const known = this.convertedNodes.get(alias.target);
    if (known === undefined) {
      const value = this.valueOf(alias.target);
      this.fromAliases += this.size - size;
      return value;
    }
    if (known === 'open') throw new DocumentError(alias.at, { kind: 'anchor-in-itself', anchor: alias.anchor });
    this.reachLevel(this.level + known.levels, alias);
    this.size += known.size;
    this.fromAliases += known.size;
    this.length += known.length;
    this.chargeAlias(known.length, alias);
    this.checkExpansion(alias);
    return known.value;
  }

  private chargeAlias(characters: number, { at }: AliasNode): void {
    if (!this.limits || this.limits.chargeAlias(characters)) return;
    const budget = 'alias-megabytes';
    throw new DocumentError(at, { kind: 'over-budget', budget, limit: this.limits.budget[budget] });
  }

  private checkExpansion({ at }: YamlNode): void {
    if (this.aliases === 0) return;
    if (this.size > MAX_ALIAS_VALUES) throw new DocumentError(at, { kind: 'aliases-too-large', values: MAX_ALIAS_VALUES });
    if (hasExcessiveAliases(this.fromAliases, this.size)) throw new DocumentError(at, { kind: 'syntax', fault: 'excessive-aliases' });
  }

  private isWord({ at, isPlain, tag, text }: ScalarNode): boolean {
    if (!this.keepsWords || !isPlain || tag !== undefined || !WORD.test(text)) return false;
    this.wordAt ??= at;
    return true;
  }

  private scalarOf(node: ScalarNode): ScalarValue {
    if (this.isWord(node)) return node.text;
    return convertTagErrors(node, () => resolveScalarValue(node));
  }

  private convertChild(part: string | number, node: YamlNode): unknown {
    this.trail.push(part);
    const value = this.valueOf(node);
    this.trail.pop();
    return value;
  }

  private pathOfDuplicate(key: string): FieldPath {
    return this.duplicateKeys.length < MAX_LOCATED_DUPLICATES ? appendToPath(ROOT_PATH, ...this.trail, key) : ROOT_PATH;
  }

  private listOf(items: readonly YamlNode[]): unknown[] {
    const list: unknown[] = [];
    const offsets: Record<number, number> = Object.create(null);
    this.offsets.set(list, offsets);
    for (const item of items) {
      offsets[list.length] = item.at;
      list.push(this.convertChild(list.length, item));
    }
    return list;
  }

  private mapOf(node: MapNode): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    const offsets: Record<string, number> = Object.create(null);
    const seenKeys = new Map<string, number>();
    this.offsets.set(map, offsets);
    for (const { key, value } of node.pairs) {
      if (isMergeKey(key)) {
        this.merge(key, value, map, offsets);
        continue;
      }
      const { name, identity } = this.keyOf(key);
      this.identify(map, name, identity, key.at);
      const first = seenKeys.get(name);
      if (first !== undefined) this.duplicateKeys.push({ path: this.pathOfDuplicate(name), key: name, at: key.at, first });
      seenKeys.set(name, key.at);
      setOwnField(map, name, this.convertChild(name, value));
      offsets[name] = key.at;
    }
    return map;
  }

  /** Merges in the order of the text, as kubectl's parser does: a merge after a field overrides the field. */
  private merge(key: YamlNode, source: YamlPair['value'], map: Record<string, unknown>, offsets: Record<string, number>): void {
    // kubectl's parser does not count this list.
    if (source.kind === 'list') this.size--;
    const merged = this.valueOf(source);
    const maps = source.kind === 'list' ? (merged as unknown[]).toReversed() : [merged];
    for (const from of maps) {
      if (typeof from !== 'object' || from === null || Array.isArray(from)) {
        throw new DocumentError(source.at, { kind: 'merge-without-map' });
      }
      const fields = Object.entries(from);
      this.countMerged(fields.length, source);
      for (const [name, value] of fields) {
        if (Object.hasOwn(map, name) && map[name] !== value)
          this.duplicateKeys.push({ path: this.pathOfDuplicate(name), key: name, at: key.at, first: offsets[name]!, isMerged: true });
        this.identify(map, name, this.identityOf(from, name), key.at);
        setOwnField(map, name, value);
      }
      Object.assign(offsets, this.offsets.get(from));
    }
  }

  private identityOf(map: object, name: string): ScalarKey['identity'] {
    return this.identities.get(map)?.get(name) ?? TEXT_KEY;
  }

  /**
   * Keeps the identity of a key of a map.
   *
   * @throws DocumentError if the map has another key of the same name, or the same key with another name: zero with the other sign
   */
  private identify(map: object, name: string, identity: ScalarKey['identity'], at: number): void {
    const otherZero = name === '0' ? '-0' : '0';
    const isOtherZero = identity === 'float 0' && Object.hasOwn(map, otherZero) && this.identityOf(map, otherZero) === identity;
    const isOtherKey = Object.hasOwn(map, name) && this.identityOf(map, name) !== identity;
    if (isOtherZero || isOtherKey) throw new DocumentError(at, { kind: 'ambiguous-key', key: name });
    if (identity === TEXT_KEY) return;
    const known = this.identities.get(map) ?? new Map<string, ScalarKey['identity']>();
    this.identities.set(map, known.set(name, identity));
  }

  private keyOf(node: YamlNode): ScalarKey {
    const value = this.valueOf(node);
    const scalar = node.kind === 'alias' ? node.target : node;
    const resolve = (key: ScalarNode) => (this.isWord(key) ? { name: key.text, identity: TEXT_KEY } : resolveKey(key));
    const key = scalar.kind === 'scalar' ? convertTagErrors(scalar, () => resolve(scalar)) : undefined;
    if (key === undefined) throw new DocumentError(node.at, { kind: 'key-not-text', value: toDisplayValue(value) });
    return key;
  }
}

function convertTagErrors<Value>({ at }: ScalarNode, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ScalarTagError)) throw error;
    throw new DocumentError(at, { kind: 'tag-unfit', text: error.text, type: error.type });
  }
}

const MERGE_TAG = 'tag:yaml.org,2002:merge';

function isMergeKey(key: YamlNode): boolean {
  if (key.kind !== 'scalar' || key.text !== '<<') return false;
  return key.tag === undefined ? key.isPlain : key.tag === MERGE_TAG || key.tag === '!';
}

/**
 * Reads the first YAML document of a text. Like kubectl, it ignores the rest of the text. The value of an empty text is null.
 *
 * Differs from kubectl on purpose: infinities and NaN are numbers, so that the finding about the field can name them.
 * kubectl fails to encode them.
 *
 * @param limits - limits of expanded aliases and for time. @default - at most 1,000,000 expanded values, and no time limit
 * @param keepsWords - whether words that are booleans only in YAML 1.1 are texts, as for kustomize
 * @throws DocumentError with the offset and the reason
 */
export function readDocument(text: string, limits?: ReadLimits, keepsWords = false): ParsedDocument {
  checkCharacters(text);
  const { root, trailing, restAt } = parseFirstDocument(withFinalLineBreak(text), limits);
  const converter = new YamlConverter(limits, keepsWords);
  const value = root === undefined ? null : converter.valueOf(root);
  if (trailing) throw new DocumentError(trailing.at, trailing.problem, value);
  return {
    value,
    duplicateKeys: converter.duplicateKeys,
    at: root?.at ?? 0,
    offsets: converter.offsets,
    ...(restAt !== undefined && { restAt }),
    wordAt: converter.wordAt,
  };
}
