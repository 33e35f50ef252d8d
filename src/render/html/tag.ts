import { attributesText } from '../svg/markup';
import type { Attributes } from '../svg/markup';

/** An element of a page; its children are markup already. It always has an end: HTML reads `<span/>` as a span that goes on. */
export function tag(name: string, attributes: Attributes, ...children: readonly string[]): string {
  return `<${name}${attributesText(attributes)}>${children.join('')}</${name}>`;
}
