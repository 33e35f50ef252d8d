import { escapeMarkup } from '../svg/markup';

/** Inserts line break opportunities into paths and long names: after a slash, and before a dot or bracket that precedes a letter. */
export function insertWordBreaks(text: string): string {
  return escapeMarkup(text)
    .replaceAll(/\/(?=[^/\s])/g, '/<wbr/>')
    .replaceAll(/(?<=\w)([.[])(?=[a-zA-Z])/g, '<wbr/>$1');
}
