import { toFieldPath } from '../../src/core/field-path';
import { appendMapKeyLazily, appendLazily, resolveLazyPath } from '../../src/core/lazy-field-path';

test('a lazy path consists of its parent path and a field, an item or a map entry', () => {
  const containers = appendLazily(toFieldPath`spec.template.spec`, 'containers');
  expect(resolveLazyPath(toFieldPath`spec`)).toBe('spec');
  expect(resolveLazyPath(appendLazily(appendLazily(containers, 1), 'image'))).toBe('spec.template.spec.containers[1].image');
  expect(resolveLazyPath(appendLazily(containers, 'app'))).toBe('spec.template.spec.containers.app');
  expect(resolveLazyPath(appendMapKeyLazily(toFieldPath`metadata.labels`, 'app'))).toBe('metadata.labels[app]');
});
