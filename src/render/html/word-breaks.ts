import { escapeMarkup } from '../svg/markup';

/** Text whose paths and long names may go on in the next line behind a slash, a dot before a letter or a bracket. */
export function insertWordBreaks(text: string): string {
  return escapeMarkup(text)
    .replaceAll(/\/(?=[^/\s])/g, '/<wbr/>')
    .replaceAll(/(?<=\w)([.[])(?=[a-zA-Z])/g, '<wbr/>$1');
}
