import { YamlCursor, isWordCharacter } from './cursor';
import { CHARACTER_CODES, toCodeSet } from './characters';

const { EXCLAMATION } = CHARACTER_CODES;

const URI = toCodeSet(";/?:@&=+$,.!~*'()[]%");

const TAG_PREFIX = 'tag:yaml.org,2002:';

/** Reads the names of anchors, aliases and tags. */
export abstract class YamlNames extends YamlCursor {
  protected readWord(): string {
    const begin = this.at;
    while (isWordCharacter(this.character())) this.at++;
    return this.text.slice(begin, this.at);
  }

  protected readVerbatimTag(): string {
    const { at } = this;
    this.at += 2;
    const name = this.readUri();
    if (name === '' || this.text[this.at] !== '>') this.fail('tag', at);
    this.at++;
    return name;
  }

  /** Reads `!!int`, `!int`, or only `!`. Returns undefined for another handle, such as `!e!int`: it needs a directive. */
  protected readShortTag(): string | undefined {
    const { at } = this;
    this.at++;
    const word = this.readWord();
    if (this.character() !== EXCLAMATION) return `!${word}${this.readUri()}`;
    this.at++;
    const suffix = this.readUri();
    if (suffix === '') this.fail('tag', at);
    return word === '' ? TAG_PREFIX + suffix : undefined;
  }

  private readUri(): string {
    const begin = this.at;
    while (isWordCharacter(this.character()) || URI.has(this.character())) this.at++;
    const encoded = this.text.slice(begin, this.at);
    if (!encoded.includes('%')) return encoded;
    try {
      return decodeURIComponent(encoded);
    } catch {
      return this.fail('tag', begin);
    }
  }
}
