import type { CelFunc } from '@bufbuild/cel';
import { URL_GETTERS, parseGoUrl, isRequestUrl, parseQuery } from '../go-url';
import { unwrapKubernetesValueAs } from '../kubernetes-value';
import { assertValue } from './function-kit';
import type { FunctionKit } from './function-kit';

/** Creates the functions of URLs. */
export function createUrlFunctions({ types: { OWN, STRING }, wrapOwn, func, method }: FunctionKit): CelFunc[] {
  const urls = [
    func('url', [STRING], (text: string) => wrapOwn({ type: 'url', value: assertValue(parseGoUrl(text), 'no URL') })),
    func('isURL', [STRING], isRequestUrl),
    ...Object.entries(URL_GETTERS).map(([name, part]) =>
      method(name, OWN, [], (value) => part(unwrapKubernetesValueAs(value, 'url').value)),
    ),
    method('getQuery', OWN, [], (value) => parseQuery(unwrapKubernetesValueAs(value, 'url').value)),
  ];

  return urls;
}
