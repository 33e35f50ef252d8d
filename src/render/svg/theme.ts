/** Meaning of a shape in a picture. Each has a colour and also a pattern, a dash or a word, so that no reader depends on colours. */
export type ChartRole = 'old' | 'new' | 'starting' | 'floor' | 'ceiling' | 'budget' | 'capacity' | 'stop' | 'left' | 'desired';

/**
 * The colours of Okabe and Ito, which are distinguishable with any kind of colour blindness, on a light and on a dark background.
 * Source: Okabe, Ito, "Color Universal Design", 2008.
 */
const ROLE_COLOURS: Readonly<Record<ChartRole | 'ground' | 'ink' | 'quiet' | 'rule', readonly [light: string, dark: string]>> = {
  old: ['#9aa3af', '#7b8694'],
  new: ['#0072b2', '#3b9ddd'],
  starting: ['#56b4e9', '#8fd0f5'],
  floor: ['#b34700', '#ff9a4d'],
  ceiling: ['#7a3e8c', '#d29be0'],
  budget: ['#00734f', '#3ec9a0'],
  capacity: ['#e8d48a', '#57501f'],
  stop: ['#c21807', '#ff6b5e'],
  left: ['#d8dce2', '#343b45'],
  desired: ['#4b5563', '#aab4c0'],
  ground: ['#ffffff', '#14181d'],
  ink: ['#1b1f24', '#e8ebee'],
  quiet: ['#5b6470', '#a3adb8'],
  rule: ['#e3e6ea', '#2b323a'],
};

function renderCssVariables(ground: 0 | 1): string {
  return Object.entries(ROLE_COLOURS)
    .map(([name, colours]) => `--${name}:${colours[ground]}`)
    .join(';');
}

const FILLED_ROLES: readonly ChartRole[] = ['old', 'new', 'capacity', 'left'];
const STROKED_ROLES: readonly ChartRole[] = ['floor', 'ceiling', 'budget', 'stop', 'desired', 'new', 'old'];
const ROLE_DASHES: Partial<Record<ChartRole, string>> = { ceiling: '6 4', budget: '2 3', desired: '1 4' };

/** Style of pictures, for a single file or for a page with many of them. */
export const CHART_STYLE = [
  `:root,svg{${renderCssVariables(0)}}`,
  `@media (prefers-color-scheme:dark){:root,svg{${renderCssVariables(1)}}}`,
  // Paper is always white.
  `@media print{:root,svg{${renderCssVariables(0)}}}`,
  'svg .b{fill:var(--ground)}svg text{font:12px system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:var(--ink)}',
  'svg .h{font-size:15px;font-weight:600}svg .q{fill:var(--quiet)}svg .e{text-anchor:end}svg .m{text-anchor:middle}',
  'svg .stop-t{fill:var(--stop);font-weight:600}',
  'svg .l-pause{fill:none;stroke:var(--ink);stroke-width:3}',
  'svg .rule{stroke:var(--rule);stroke-width:1}svg .axis{stroke:var(--quiet);stroke-width:1}',
  'svg .starting{fill:url(#rk-starting)}svg .gone{fill:url(#rk-gone)}svg .refused{fill:url(#rk-refused)}svg .over{fill:none;stroke:var(--ground);stroke-width:1;opacity:.55}',
  ...FILLED_ROLES.map((role) => `svg .${role}{fill:var(--${role})}`),
  ...STROKED_ROLES.map((role) => {
    const dash = ROLE_DASHES[role] === undefined ? '' : `;stroke-dasharray:${ROLE_DASHES[role]}`;
    return `svg .l-${role}{fill:none;stroke:var(--${role});stroke-width:2${dash}}`;
  }),
].join('');

/** Stripes for pods that are not ready, pods that do not fit, and rows that are left out: a second sign in addition to their colours. */
export const SVG_PATTERNS =
  '<defs>' +
  '<pattern id="rk-starting" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">' +
  '<rect width="6" height="6" style="fill:var(--starting)"/><rect width="2" height="6" style="fill:var(--ground);opacity:.7"/></pattern>' +
  '<pattern id="rk-gone" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">' +
  '<rect width="6" height="6" style="fill:var(--ground)"/><rect width="1.5" height="6" style="fill:var(--quiet);opacity:.6"/></pattern>' +
  '<pattern id="rk-refused" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">' +
  '<rect width="8" height="8" style="fill:var(--ground)"/><rect width="3" height="8" style="fill:var(--stop)"/></pattern>' +
  '</defs>';
