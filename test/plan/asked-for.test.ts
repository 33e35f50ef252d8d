import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readFiles } from '../../src/input/read';
import type { InputObjects } from '../../src/input/read';
import { isAskedFor } from '../../src/plan/asked-for';
import { planInput } from '../../src/plan/plan';
import { FILE_KINDS } from '../../src/plan/registry';

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things.example.com
  labels: {app: things}
spec:
  group: example.com
  versions: [{name: v1, schema: {openAPIV3Schema: {type: object}}}]
`;
const OUTLINE = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com', labels: { app: 'things' } },
};

const read = (text: string): InputObjects => readFiles([{ file: 'app.yaml', content: text }], { keeps: isAskedFor, kinds: FILE_KINDS });

test('of what no plan looks into, what it is and its metadata are kept', () => {
  expect(read(CRD).objects).toEqual([OUTLINE]);
});

test('what counts is the whole of it: the kind that stands last, as for kubectl', () => {
  const [object] = read(`${CRD.replace('spec:', 'apiVersion: apps/v1\nspec:')}kind: Deployment\n`).objects;
  expect(object).toEqual(expect.objectContaining({ apiVersion: 'apps/v1', kind: 'Deployment', spec: expect.anything() }));
});

test('one that cannot be read is found, and so is a key that stands twice in it', () => {
  expect(read(`${CRD}---\n${CRD}  scope: [\n`).findings.map(({ code, source }) => [code, source?.line])).toEqual([
    ['input/unreadable', 18],
  ]);
  expect(read(`${CRD}  group: example.org\n`).findings.map(({ code, path }) => [code, path])).toEqual([
    ['input/duplicate-key', 'spec.group'],
  ]);
});

test('an object whose spec decides what it is, such as one with rolling_update, is kept whole', () => {
  const text = 'apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec: {strategy: {rolling_update: {max_surge: 1}}}\n';
  expect(read(text).objects).toEqual([expect.objectContaining({ spec: { strategy: { rolling_update: { max_surge: 1 } } } })]);
});

/** The YAML of the pages, page by page. */
const PAGES = readdirSync(join(__dirname, '../../docs'), { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  .map((page) => Array.from(page.matchAll(/```yaml\n(.*?)```/gs), ([, text]) => text!).join('---\n'))
  .filter((text) => text !== '');

test('the plan is the same as of whole objects', () => {
  const plan = (text: string, keeps?: typeof isAskedFor) => {
    const { objects, findings, files, locations } = readFiles([{ file: 'app.yaml', content: text }], { keeps, kinds: FILE_KINDS });
    return planInput({ objects, findings, files, locate: locations.locate, textOf: locations.textOf });
  };
  expect(PAGES.length).toBeGreaterThan(50);
  for (const page of [...PAGES, CRD]) expect(plan(page, isAskedFor)).toEqual(plan(page));
});
