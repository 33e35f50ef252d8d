import { formatAttributes } from '../svg/markup';
import type { MarkupAttributes } from '../svg/markup';

/** Renders an element of a page. Its children are markup. It always has an end tag, because HTML reads `<span/>` as an open span. */
export function renderHtmlElement(name: string, attributes: MarkupAttributes, ...children: readonly string[]): string {
  return `<${name}${formatAttributes(attributes)}>${children.join('')}</${name}>`;
}
