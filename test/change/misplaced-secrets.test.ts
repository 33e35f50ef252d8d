/** A Secret in a field of another object, such as after a wrong indentation: no message about the field shows its value. */
import { rolloutkit } from '../cli/command-line';

const SECRET = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's' },
  data: { password: 'aHVudGVyMg==' },
  stringData: { p: 'hunter2' },
};
const MAP = JSON.stringify(SECRET);
const TEXT = JSON.stringify('kind: Secret\nstringData:\n  p: hunter2\n');
const QUOTED = JSON.stringify(JSON.stringify(JSON.stringify({ kind: 'Secret', data: { p: 'aHVudGVyMg==' } })));

const config = (value: string) => `{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: ${value}}\n`;
const web = (containers: string, template = '') => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: ${containers}}${template}}
`;
const service = (port: string) => `{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {ports: [{port: ${port}, targetPort: 1}]}}\n`;
const WEB = web('[{name: web, image: "web:1"}]');

test.each<[what: string, old: string, next: string]>([
  ['a map in place of a text', config('{}'), config(`{k: ${MAP}}`)],
  ['a list in place of a map', config('{}'), config(`[${TEXT}]`)],
  ['an item without its merge key', WEB, web(`[{name: web, image: "web:1"}, ${MAP}]`)],
  ['an item of another type', WEB, web(`[{name: web, image: "web:1"}, ${TEXT}]`)],
  ['a text in place of a map', WEB, web(TEXT)],
  ['a quoted text in place of a map', WEB, web(QUOTED)],
  ['a text in place of a number', service('80'), service(TEXT)],
  ['a quoted text in a text', config('{}'), config(`{k: ${QUOTED}}`)],
])('%s', async (_, old, next) => {
  const commands = ['client', 'server', 'helm', 'argocd', 'replace'].map((mode) => `plan --from old.yaml new.yaml --apply ${mode}`);
  for (const command of [...commands, 'check new.yaml', 'plan new.yaml']) {
    for (const format of ['text', 'json']) {
      const { stdout, stderr } = await rolloutkit(`${command} --format ${format}`, { files: { 'old.yaml': old, 'new.yaml': next } });
      expect([command, format, /hunter2|aHVudGVyMg/.exec(stdout + stderr)?.[0]]).toEqual([command, format, undefined]);
    }
  }
});
