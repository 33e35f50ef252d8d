import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { countPixels } from './png-pixels';

const GALLERY = path.resolve(__dirname, '../../docs/gallery');

/** Lists the colors of the rectangles of a picture, among which is its legend. Lines and texts have blended edges. */
function listRectColors(svg: string): string[] {
  const drawn = svg.replace(/<defs>.*<\/defs>/, '');
  const fills = [...drawn.matchAll(/<rect\b[^>]* fill="(#[\da-f]{6})"/g)].map(([, fill]) => fill!);
  return [...new Set(fills)].toSorted();
}

describe.each(readdirSync(GALLERY).filter((file) => file.endsWith('.svg')))('librsvg, which has no CSS variables, draws %s', (file) => {
  const svg = path.join(GALLERY, file);
  const counts = countPixels(execFileSync('rsvg-convert', [svg]));
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);

  test('in its colors', () => {
    const fills = listRectColors(readFileSync(svg, 'utf8'));

    expect(fills.length).toBeGreaterThan(1);
    expect(fills.filter((fill) => counts.has(fill))).toEqual(fills);
  });

  test('on white, and not black', () => {
    expect(counts.get('#ffffff')! / total).toBeGreaterThan(0.2);
    expect((counts.get('#000000') ?? 0) / total).toBeLessThan(0.01);
  });
});
