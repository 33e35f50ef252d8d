import { YamlCursor, isWord } from './yaml-cursor';
import { CODES, codesOf } from './yaml-characters';

const { EXCLAMATION } = CODES;

const URI = codesOf(";/?:@&=+$,.!~*'()[]%");

const TAG_PREFIX = 'tag:yaml.org,2002:';

/** The names of anchors and aliases, and the tags. */
export abstract class YamlNames extends YamlCursor {
  protected word(): string {
    const begin = this.at;
    while (isWord(this.character())) this.at++;
    return this.text.slice(begin, this.at);
  }

  protected verbatimTag(): string {
    const { at } = this;
    this.at += 2;
    const name = this.uri();
    if (name === '' || this.text[this.at] !== '>') this.fail('tag', at);
    this.at++;
    return name;
  }

  /** `!!int`, `!int`, or `!` alone. No directive gives a meaning to other handles, such as `!e!int`. */
  protected shortTag(): string {
    const { at } = this;
    this.at++;
    const word = this.word();
    if (this.character() !== EXCLAMATION) return `!${word}${this.uri()}`;
    this.at++;
    const suffix = this.uri();
    if (word !== '' || suffix === '') this.fail('tag', at);
    return TAG_PREFIX + suffix;
  }

  private uri(): string {
    const begin = this.at;
    while (isWord(this.character()) || URI.has(this.character())) this.at++;
    const written = this.text.slice(begin, this.at);
    if (!written.includes('%')) return written;
    try {
      return decodeURIComponent(written);
    } catch {
      return this.fail('tag', begin);
    }
  }
}
