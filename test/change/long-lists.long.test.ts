/** A comparison looks up the items of a list by their key, so that one long list cannot use up the time of a run. */
import { planChange } from '../../src/headless';
import { deployment, podTemplate } from '../builders/workload';

function web(image: string, env: readonly object[]): object {
  const template = podTemplate({ image });
  const [container] = template.spec.containers;
  return deployment(
    { replicas: 4, template: { ...template, spec: { ...template.spec, containers: [{ ...container, env }] } } },
    { name: 'web' },
  );
}

const variables = Array.from({ length: 20_000 }, (_, index) => ({ name: `V${index}`, value: 'x' }));

test('20,000 new variables are compared in a few seconds', () => {
  const { change } = planChange([web('web:1', [])], [web('web:2', variables)]);
  expect(change.objects.map(({ effect }) => effect)).toEqual(['roll']);
}, 20_000);

test('so are 10,000 variables of one name', () => {
  const copies = (value: string) => Array.from({ length: 10_000 }, (_, index) => ({ name: 'V', value: `${value}${index}` }));
  const { change } = planChange([web('web:1', copies('a'))], [web('web:2', copies('b'))]);
  expect(change.objects.map(({ effect }) => effect)).toEqual(['roll']);
}, 20_000);
