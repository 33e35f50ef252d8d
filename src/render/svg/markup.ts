import { escapeForTerminal } from '../../core/text/escape-output';
import { getPaintAttributes } from './theme';

const MARKUP_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text of the input for SVG and HTML, also in attributes. */
export function escapeMarkup(text: string): string {
  return escapeForTerminal(text).replaceAll(/[&<>"']/g, (character) => MARKUP_ENTITIES[character]!);
}

/** Attributes of an element. An undefined value leaves the attribute out. */
export type MarkupAttributes = Readonly<Record<string, string | number | undefined>>;

/** Rounds a coordinate to a tenth: `12.3`. */
export function roundCoordinate(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Formats attributes for a tag, each after a space. */
export function formatAttributes(attributes: MarkupAttributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? roundCoordinate(value) : escapeMarkup(String(value))}"`)
    .join('');
}

/** Renders an element of a picture, with the attributes of its classes. Its children are markup. */
export function renderSvgElement(name: string, attributes: MarkupAttributes, ...children: readonly string[]): string {
  const inner = children.join('');
  const { class: className, ...others } = attributes;
  const paint = className === undefined ? {} : getPaintAttributes(String(className));
  const open = `<${name}${formatAttributes({ class: className, ...paint, ...others })}`;
  return inner === '' ? `${open}/>` : `${open}>${inner}</${name}>`;
}

/** Renders text at a position of a picture. */
export function renderSvgText(text: string, attributes: MarkupAttributes): string {
  return renderSvgElement('text', attributes, escapeMarkup(text));
}
