import { measureTextWidth } from '../../src/render/svg/text-width';

interface Word {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

function attributeOf(tag: string, name: string): string {
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
}

function unescaped(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Returns the texts of a picture with their positions. */
function wordsOf(markup: string): Word[] {
  return [...markup.matchAll(/<text([^>]*)>([^<]*)<\/text>/g)].map(([, tag = '', inner = '']) => {
    const classes = attributeOf(tag, 'class').split(' ');
    const text = unescaped(inner);
    const width = measureTextWidth(text, classes.includes('h') ? 15 : 12);
    const x = Number(attributeOf(tag, 'x'));
    const left = classes.includes('e') ? x - width : classes.includes('m') ? x - width / 2 : x;
    return { text, left, right: left + width, y: Number(attributeOf(tag, 'y')) };
  });
}

/** Returns pairs of texts that overlap, and texts that leave the picture. */
export function collisions(markup: string, width: number): string[] {
  const words = wordsOf(markup);
  const pairs = words.flatMap((a, index) =>
    words
      .slice(index + 1)
      .filter((b) => Math.abs(a.y - b.y) < 11 && a.left < b.right - 0.5 && b.left < a.right - 0.5)
      .map((b) => `${a.text} / ${b.text}`),
  );
  return [...pairs, ...words.filter(({ left, right }) => left < -0.5 || right > width + 0.5).map(({ text }) => `outside: ${text}`)];
}
