import { UsageError } from './io';

/**
 * The renderer of a format by its name.
 *
 * @throws UsageError naming the formats that there are
 */
export function rendererOf<R>(renderers: Readonly<Record<string, R>>, format: string): R {
  if (Object.hasOwn(renderers, format)) return renderers[format]!;
  throw new UsageError(`--format ${format} is not offered; write one of ${Object.keys(renderers).join(', ')}`);
}
