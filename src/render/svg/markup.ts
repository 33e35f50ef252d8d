import { visible } from '../../core/visible';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text of the input as text of SVG and HTML, in an attribute too. */
export function escaped(text: string): string {
  return visible(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** What an element may have as the value of an attribute; undefined leaves the attribute out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** A number of a picture, to a tenth: `12.3`. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Attributes as they stand in a tag, each behind a space. */
export function attributesText(attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? rounded(value) : escaped(String(value))}"`)
    .join('');
}

/** An element of a picture; its children are markup already. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const inner = children.join('');
  const open = `<${name}${attributesText(attributes)}`;
  return inner === '' ? `${open}/>` : `${open}>${inner}</${name}>`;
}

/** Text at a place of a picture. */
export function label(text: string, attributes: Attributes): string {
  return element('text', attributes, escaped(text));
}
