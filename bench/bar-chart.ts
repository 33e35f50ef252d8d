/** Horizontal bars, each with its name and value. */
export interface BarChart {
  readonly title: string;
  /** Unit, printed after each value: `s`. */
  readonly unit: string;
  readonly bars: readonly { readonly name: string; readonly value: number }[];
}

const WIDTH = 760;
const NAME_WIDTH = 290;
const VALUE_WIDTH = 60;
const ROW_HEIGHT = 34;
const TOP = 44;

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Renders an SVG. All bars start at 0, so their lengths are proportional to the values. */
export function renderBarChart({ title, unit, bars }: BarChart): string {
  const max = Math.max(...bars.map(({ value }) => value));
  const height = TOP + ROW_HEIGHT * bars.length + 10;
  const rows = bars.map(({ name, value }, index) => {
    const y = TOP + ROW_HEIGHT * index;
    const length = Math.max(1, (value / max) * (WIDTH - NAME_WIDTH - VALUE_WIDTH));
    return `  <text x="${NAME_WIDTH - 10}" y="${y + 17}" text-anchor="end">${escapeXml(name)}</text>
  <rect x="${NAME_WIDTH}" y="${y + 2}" width="${length.toFixed(1)}" height="${ROW_HEIGHT - 12}" rx="2" fill="${index === 0 ? '#0072b2' : '#9a9a9a'}"/>
  <text x="${(NAME_WIDTH + length + 8).toFixed(1)}" y="${y + 17}">${value.toFixed(2)} ${unit}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escapeXml(title)}" font-family="system-ui, sans-serif" font-size="14">
  <style>text { fill: #1c2128 } @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } }</style>
  <text x="10" y="24" font-weight="600">${escapeXml(title)}</text>
${rows.join('\n')}
</svg>
`;
}
