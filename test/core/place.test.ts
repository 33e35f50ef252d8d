import { at } from '../../src/core/field-path';
import { entryOf, inside, pathOf } from '../../src/core/place';

test('a place has the path of what holds it, and below it a field, an item or the entry of a map', () => {
  const containers = inside(at`spec.template.spec`, 'containers');
  expect(pathOf(at`spec`)).toBe('spec');
  expect(pathOf(inside(inside(containers, 1), 'image'))).toBe('spec.template.spec.containers[1].image');
  expect(pathOf(inside(containers, 'app'))).toBe('spec.template.spec.containers.app');
  expect(pathOf(entryOf(at`metadata.labels`, 'app'))).toBe('metadata.labels[app]');
});
