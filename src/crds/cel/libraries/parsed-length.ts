/** Maximum length of a text that is read as a number or as a regular expression. The time for this grows faster than the length. */
export const MAX_PARSED_LENGTH = 10_000;
