import type { AdviceDocument } from '../core/document/advice';
import type * as PageModule from './html/advice-page';
import type * as SvgModule from './svg/advice-svg';

/**
 * Renders the front of each rollout as one SVG picture. It has no script and no external links, and a light and a dark theme.
 *
 * The drawing code is loaded with the first picture, as for plans.
 */
export function renderAdviceSvg(advice: AdviceDocument): string {
  const { drawAdviceSvg } = require('./svg/advice-svg') as typeof SvgModule;
  return drawAdviceSvg(advice);
}

/** Renders advice as one self-contained page: for each rollout the sentence, the picture and the table. */
export function renderAdviceHtml(advice: AdviceDocument): string {
  const { buildAdvicePage } = require('./html/advice-page') as typeof PageModule;
  return buildAdvicePage(advice);
}
