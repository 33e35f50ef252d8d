import { checkDuplicateResource, duplicateResource } from '../../../src/core/rules/duplicate-resource';
import { testRule } from '../../rule-tester';

function configMap(name: string, namespace = 'shop'): string {
  return `apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, namespace: ${namespace} }
`;
}

testRule(duplicateResource, {
  valid: [
    { name: 'another name', yaml: `${configMap('a')}---\n${configMap('b')}` },
    { name: 'another namespace', yaml: `${configMap('a')}---\n${configMap('a', 'other')}` },
    { name: 'two files, as a base and its overlay', yaml: `# base.yaml\n${configMap('a')}# overlay.yaml\n${configMap('a')}` },
  ],
  invalid: [
    {
      name: 'one name twice in one file',
      yaml: `${configMap('a')}---\n${configMap('a')}`,
      findings: [
        {
          messageId: 'duplicate',
          severity: 'error',
          data: { resource: 'ConfigMap shop/a', first: { file: 'example.yaml', line: 3 } },
        },
      ],
    },
  ],
});

test('the first of many copies is located once, since that reads its document again', () => {
  const objects = Array.from({ length: 100 }, () => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }));
  const located: unknown[] = [];
  const findings = checkDuplicateResource(
    objects,
    () => undefined,
    (object) => {
      located.push(object);
      return { file: 'a.yaml', line: 1 };
    },
  );

  expect(findings).toHaveLength(99);
  expect(located).toHaveLength(100);
});
