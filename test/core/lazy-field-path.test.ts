import { toFieldPath } from '../../src/core/field-path';
import { appendMapKeyLazily, appendLazily, resolveLazyPath } from '../../src/core/lazy-field-path';

test('a place has the path of what holds it, and below it a field, an item or the entry of a map', () => {
  const containers = appendLazily(toFieldPath`spec.template.spec`, 'containers');
  expect(resolveLazyPath(toFieldPath`spec`)).toBe('spec');
  expect(resolveLazyPath(appendLazily(appendLazily(containers, 1), 'image'))).toBe('spec.template.spec.containers[1].image');
  expect(resolveLazyPath(appendLazily(containers, 'app'))).toBe('spec.template.spec.containers.app');
  expect(resolveLazyPath(appendMapKeyLazily(toFieldPath`metadata.labels`, 'app'))).toBe('metadata.labels[app]');
});
