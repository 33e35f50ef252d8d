import type { CelFunc } from '@bufbuild/cel';
import { unwrapKubernetesValueAs } from '../kubernetes-value';
import { NAMED_FORMATS } from '../named-formats';
import type { FunctionKit } from './function-kit';

/** Creates the functions of named formats. */
export function createFormatFunctions({ types: { OWN, STRING }, wrapOwn, func, method }: FunctionKit): CelFunc[] {
  const format = (name: string) => wrapOwn({ type: 'format', value: name });
  const formats = [
    ...Object.keys(NAMED_FORMATS).map((name) => func(`format.${name}`, [], () => format(name))),
    func('format.named', [STRING], (name: string) => (Object.hasOwn(NAMED_FORMATS, name) ? [format(name)] : [])),
    method('validate', OWN, [STRING], (value, text: string) => {
      const messages = NAMED_FORMATS[unwrapKubernetesValueAs(value, 'format').value]!(text);
      return messages.length === 0 ? [] : [[...messages]];
    }),
  ];

  return formats;
}
