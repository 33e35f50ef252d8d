import { escapeForTerminal } from '../../core/escape-output';

const MARKUP_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text of the input as text of SVG and HTML, in an attribute too. */
export function escapeMarkup(text: string): string {
  return escapeForTerminal(text).replaceAll(/[&<>"']/g, (character) => MARKUP_ENTITIES[character]!);
}

/** What an element may have as the value of an attribute; undefined leaves the attribute out. */
export type MarkupAttributes = Readonly<Record<string, string | number | undefined>>;

/** A number of a picture, to a tenth: `12.3`. */
export function roundCoordinate(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Attributes as they stand in a tag, each behind a space. */
export function formatAttributes(attributes: MarkupAttributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? roundCoordinate(value) : escapeMarkup(String(value))}"`)
    .join('');
}

/** An element of a picture; its children are markup already. */
export function renderSvgElement(name: string, attributes: MarkupAttributes, ...children: readonly string[]): string {
  const inner = children.join('');
  const open = `<${name}${formatAttributes(attributes)}`;
  return inner === '' ? `${open}/>` : `${open}>${inner}</${name}>`;
}

/** Text at a place of a picture. */
export function renderSvgText(text: string, attributes: MarkupAttributes): string {
  return renderSvgElement('text', attributes, escapeMarkup(text));
}
