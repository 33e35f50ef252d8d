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

test('the first objects are located once and before their copies, since to locate objects of two documents in turn reads both again each time', () => {
  const configMapOf = (name: string, document: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, annotations: { document } },
  });
  const objects = ['1', '2', '3'].flatMap((document) => ['a', 'b'].map((name) => configMapOf(name, document)));
  const located: string[] = [];
  const findings = checkDuplicateResource(
    [...objects, configMapOf('b', '4'), configMapOf('a', '4')],
    () => undefined,
    ({ metadata }) => {
      const line = Number(metadata!.annotations!.document);
      located.push(`${metadata!.name} in ${line}`);
      return { file: 'a.yaml', line };
    },
  );

  expect(located).toEqual(['a in 1', 'b in 1', 'a in 2', 'b in 2', 'a in 3', 'b in 3', 'b in 4', 'a in 4']);
  expect(findings.map(({ message, source }) => `${source!.line}: ${message}`)).toMatchInlineSnapshot(`
    [
      "2: ConfigMap a appears twice in one file or stream (the first is at a.yaml:1), but a cluster has only one object with that name.",
      "2: ConfigMap b appears twice in one file or stream (the first is at a.yaml:1), but a cluster has only one object with that name.",
      "3: ConfigMap a appears twice in one file or stream (the first is at a.yaml:1), but a cluster has only one object with that name.",
      "3: ConfigMap b appears twice in one file or stream (the first is at a.yaml:1), but a cluster has only one object with that name.",
      "4: ConfigMap b appears twice in one file or stream (the first is at a.yaml:1), but a cluster has only one object with that name.",
      "4: ConfigMap a appears twice in one file or stream (the first is at a.yaml:1), but a cluster has only one object with that name.",
    ]
  `);
});
