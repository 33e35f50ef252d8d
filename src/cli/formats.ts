import { joinWords } from '../core/text-format';
import type { OutputTarget } from '../render/output-target';
import { UsageError } from './io';

/** The formats that each command prints, the first where none is asked for. */
export const OUTPUT_FORMATS = {
  plan: ['text', 'json', 'markdown', 'svg', 'html'],
  check: ['text', 'json', 'sarif', 'junit', 'github', 'gitlab'],
  explain: ['text', 'json'],
  diff: ['text', 'json', 'markdown'],
  fix: ['text', 'json'],
} as const;

/** A command whose format can be chosen. */
export type FormattedCommand = keyof typeof OUTPUT_FORMATS;

/** What prints each format of a command. */
export type Renderers<Command extends FormattedCommand, Printed> = Readonly<
  Record<(typeof OUTPUT_FORMATS)[Command][number], (printed: Printed, medium: OutputTarget) => string>
>;

/** The formats of a command for its help: `text, json or markdown`. */
export function listFormats(command: FormattedCommand): string {
  return joinWords(OUTPUT_FORMATS[command], 'or');
}

/**
 * The renderer of a format by its name.
 *
 * @throws UsageError naming the formats that there are
 */
export function getRenderer<R>(renderers: Readonly<Record<string, R>>, format: string): R {
  if (Object.hasOwn(renderers, format)) return renderers[format]!;
  throw new UsageError(`--format ${format} is not offered; write one of ${Object.keys(renderers).join(', ')}`);
}
