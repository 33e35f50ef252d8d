/** Meaning of a shape in a picture. Each has a colour and also a pattern, a dash or a word, so that no reader depends on colours. */
export type ChartRole = 'old' | 'new' | 'starting' | 'floor' | 'ceiling' | 'budget' | 'capacity' | 'stop' | 'left' | 'desired';

/**
 * The colours of Okabe and Ito, which are distinguishable with any kind of colour blindness, on a light and on a dark background.
 * Source: Okabe, Ito, "Color Universal Design", 2008.
 */
const COLOURS = {
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
} as const satisfies Readonly<Record<ChartRole | 'ground' | 'ink' | 'quiet' | 'rule', readonly [light: string, dark: string]>>;

type ColourName = keyof typeof COLOURS;
type Theme = 'light' | 'dark';

function colourOf(name: ColourName, theme: Theme): string {
  return COLOURS[name][theme === 'light' ? 0 : 1];
}

/** What a class of a picture looks like: the names of its colours, and further attributes, which are the same in both themes. */
interface Paint {
  readonly fill?: ColourName;
  readonly stroke?: ColourName;
  readonly attributes?: Readonly<Record<string, string | number>>;
}

function paintLine(stroke: ColourName, width: number, dash?: string): Paint {
  return { stroke, attributes: { fill: 'none', 'stroke-width': width, ...(dash !== undefined && { 'stroke-dasharray': dash }) } };
}

const CLASS_PAINTS: Readonly<Record<string, Paint>> = {
  b: { fill: 'ground' },
  h: { attributes: { 'font-size': 15, 'font-weight': 600 } },
  q: { fill: 'quiet' },
  e: { attributes: { 'text-anchor': 'end' } },
  m: { attributes: { 'text-anchor': 'middle' } },
  'stop-t': { fill: 'stop', attributes: { 'font-weight': 600 } },
  'l-pause': paintLine('ink', 3),
  rule: paintLine('rule', 1),
  axis: paintLine('quiet', 1),
  over: { stroke: 'ground', attributes: { fill: 'none', 'stroke-width': 1, opacity: '.55' } },
  old: { fill: 'old' },
  new: { fill: 'new' },
  capacity: { fill: 'capacity' },
  left: { fill: 'left' },
  starting: { attributes: { fill: 'url(#rk-starting)' } },
  gone: { attributes: { fill: 'url(#rk-gone)' } },
  refused: { attributes: { fill: 'url(#rk-refused)' } },
  'l-floor': paintLine('floor', 2),
  'l-ceiling': paintLine('ceiling', 2, '6 4'),
  'l-budget': paintLine('budget', 2, '2 3'),
  'l-stop': paintLine('stop', 2),
  'l-desired': paintLine('desired', 2, '1 4'),
  'l-new': paintLine('new', 2),
  'l-old': paintLine('old', 2),
  'p-starting': { fill: 'starting' },
  'p-stop': { fill: 'stop' },
  // Points of the picture of advice: the more pods stay available, the calmer the colour. Each point also has its number.
  p: { stroke: 'ground', attributes: { 'stroke-width': 1 } },
  'p-most': { fill: 'new' },
  'p-some': { fill: 'starting' },
  'p-few': { fill: 'floor' },
  'p-none': { fill: 'stop' },
  'p-out': { fill: 'ground', stroke: 'quiet', attributes: { 'stroke-width': 1.5 } },
  'p-best': { stroke: 'ink', attributes: { fill: 'none', 'stroke-width': 2 } },
};

/**
 * Returns the presentation attributes of classes such as `e q`, in the light theme.
 *
 * Attributes are what every program that shows SVG understands. librsvg, ImageMagick and Inkscape know no CSS variables.
 */
export function getPaintAttributes(className: string): Readonly<Record<string, string | number>> {
  const paints = className.split(' ').map((name) => CLASS_PAINTS[name] ?? {});
  return Object.assign(
    {},
    ...paints.map(({ fill, stroke, attributes }) => ({
      ...(fill && { fill: colourOf(fill, 'light') }),
      ...(stroke && { stroke: colourOf(stroke, 'light') }),
      ...attributes,
    })),
  );
}

/** Attributes of the svg element of a picture: those of its texts. */
export const TEXT_ATTRIBUTES = {
  'font-family': 'system-ui, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif',
  'font-size': 12,
  fill: colourOf('ink', 'light'),
};

function renderDarkRule([name, { fill, stroke }]: readonly [string, Paint]): string {
  const declarations = [
    ...(fill ? [`fill:${colourOf(fill, 'dark')}`] : []),
    ...(stroke ? [`stroke:${colourOf(stroke, 'dark')}`] : []),
  ].join(';');
  return declarations === '' ? '' : `svg .${name}{${declarations}}`;
}

/** Style of pictures, for a single file or for a page with many of them: the dark theme. The attributes are the light one, also on paper. */
export const CHART_STYLE = [
  '@media screen and (prefers-color-scheme:dark){',
  `svg text{fill:${colourOf('ink', 'dark')}}`,
  ...Object.entries(CLASS_PAINTS).map(renderDarkRule),
  '}',
].join('');

function renderCssVariables(theme: Theme): string {
  const names = Object.keys(COLOURS) as ColourName[];
  return `:root{${names.map((name) => `--${name}:${colourOf(name, theme)}`).join(';')}}`;
}

/** The colours as CSS variables, for the page around the pictures. Paper is always white. */
export const COLOUR_VARIABLES = `${renderCssVariables('light')}@media screen and (prefers-color-scheme:dark){${renderCssVariables('dark')}}`;
