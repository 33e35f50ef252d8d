import { formatAttributes } from '../svg/markup';
import type { MarkupAttributes } from '../svg/markup';

/** An element of a page; its children are markup already. It always has an end: HTML reads `<span/>` as a span that goes on. */
export function renderHtmlElement(name: string, attributes: MarkupAttributes, ...children: readonly string[]): string {
  return `<${name}${formatAttributes(attributes)}>${children.join('')}</${name}>`;
}
