/** Replaces the package picocolors in a browser, which has no terminal to colour. */
function plain(text: string): string {
  return text;
}

const NONE = { bold: plain, dim: plain, green: plain, red: plain, yellow: plain, cyan: plain };

export default { createColors: () => NONE };
