/** Bars beside each other, each with its name and figure. */
export interface BarChart {
  readonly title: string;
  /** What the figures are in, as it stands behind them: `s`. */
  readonly unit: string;
  readonly bars: readonly { readonly name: string; readonly value: number }[];
}

const WIDTH = 760;
const NAMES = 290;
const FIGURES = 60;
const ROW = 34;
const TOP = 44;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** An SVG whose bars begin at 0, so that their lengths stand to each other as the figures do. */
export function barChart({ title, unit, bars }: BarChart): string {
  const most = Math.max(...bars.map(({ value }) => value));
  const height = TOP + ROW * bars.length + 10;
  const rows = bars.map(({ name, value }, index) => {
    const y = TOP + ROW * index;
    const length = Math.max(1, (value / most) * (WIDTH - NAMES - FIGURES));
    return `  <text x="${NAMES - 10}" y="${y + 17}" text-anchor="end">${escaped(name)}</text>
  <rect x="${NAMES}" y="${y + 2}" width="${length.toFixed(1)}" height="${ROW - 12}" rx="2" fill="${index === 0 ? '#0072b2' : '#9a9a9a'}"/>
  <text x="${(NAMES + length + 8).toFixed(1)}" y="${y + 17}">${value.toFixed(2)} ${unit}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}" font-family="system-ui, sans-serif" font-size="14">
  <style>text { fill: #1c2128 } @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } }</style>
  <text x="10" y="24" font-weight="600">${escaped(title)}</text>
${rows.join('\n')}
</svg>
`;
}
