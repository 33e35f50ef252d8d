import { joinWords } from '../../core/text/text-format';
import type { OutputTarget } from '../../render/layout/output-target';
import { UsageError } from '../output/io';

/** Formats of each command; the first one is the default. */
export const OUTPUT_FORMATS = {
  plan: ['text', 'json', 'markdown', 'svg', 'html'],
  check: ['text', 'json', 'sarif', 'junit', 'github', 'gitlab'],
  explain: ['text', 'json'],
  upgrade: ['text', 'json', 'markdown', 'svg', 'html'],
  diff: ['text', 'json', 'markdown'],
  fix: ['text', 'json'],
  verify: ['text', 'json'],
  advise: ['text', 'json', 'markdown', 'svg', 'html'],
} as const;

/** Command with an option `--format`. */
export type FormattedCommand = keyof typeof OUTPUT_FORMATS;

/** Renderers for the formats of a command. */
export type Renderers<Command extends FormattedCommand, Printed> = Readonly<
  Record<(typeof OUTPUT_FORMATS)[Command][number], (printed: Printed, medium: OutputTarget) => string>
>;

/** Lists the formats of a command for its help: `text, json or markdown`. */
export function listFormats(command: FormattedCommand): string {
  return joinWords(OUTPUT_FORMATS[command], 'or');
}

/**
 * Returns the renderer of a format.
 *
 * @throws UsageError with the supported formats
 */
export function getRenderer<R>(renderers: Readonly<Record<string, R>>, format: string): R {
  if (Object.hasOwn(renderers, format)) return renderers[format]!;
  throw new UsageError(`--format ${format} is not supported; write one of ${Object.keys(renderers).join(', ')}`);
}
