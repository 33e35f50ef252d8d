import { ROOT_PATH } from '../manifest/field-path';
import { defineMessage, defineRule } from '../findings/finding';
import type { Finding, Source } from '../findings/finding';
import { VALID_DEPLOYMENT } from './examples';

interface TemplateData {
  readonly file: string;
  /** Number of its documents that are not YAML until the template is filled in. */
  readonly documents: number;
}

interface YttData {
  readonly file: string;
}

/** A template outside any Helm chart. */
export const template = defineRule({
  code: 'input/template',
  since: '0.1.0',
  severity: ['info', 'error'],
  fires:
    'A file of a folder, outside any Helm chart, is not YAML because of a Go, Helm, helmfile, Jinja or Ansible template (`{{` or `{%`), ' +
    'or contains an object whose values ytt inserts from comments that begin with `#@` (reported once per file). With `--policy` or `--require-planned` a template that is not YAML is an error.',
  why:
    'The result of a template depends on the program that fills it in, so it is not planned. No cluster accepts the template itself. ' +
    'On standard input and in a file given by name, a template that is not YAML is `input/unreadable`.',
  fix: 'Plan the output of that program through a pipe: `… | rolloutkit check -`. Exclude the template with `--exclude`.',
  example: `# rolloutkit plan .
# templates/web.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ name }}
`,
  fixedExample: VALID_DEPLOYMENT,
  messages: {
    notFilledIn: defineMessage<TemplateData>({
      text: ({ file, documents }) =>
        `${file} is a template of another program: ${documents === 1 ? '1 document is' : `${documents} documents are`} not YAML until it is filled in, and ${documents === 1 ? 'is' : 'are'} not planned.`,
      help: () => 'Plan the output of that program: pipe it into rolloutkit check -, and exclude the template with --exclude.',
      sample: { file: 'web.tmpl.yaml', documents: 2 },
      variants: [{ file: 'web.tmpl.yaml', documents: 1 }],
    }),
    ytt: defineMessage<YttData>({
      text: ({ file }) => `${file} is a ytt template, whose values come from its comments: it is not planned until ytt renders it.`,
      help: () => 'Plan the output of ytt: ytt -f FOLDER | rolloutkit check -, and exclude the template with --exclude.',
      sample: { file: 'config/web.yaml' },
    }),
  },
});

/** Creates the finding for a template. @param source of the first position that is not YAML */
export function createTemplateFinding(data: TemplateData, source: Source, severity: 'info' | 'error'): Finding {
  return template.createFinding('notFilledIn', { path: ROOT_PATH, data, source, severity });
}

/** Creates the finding for a file that ytt fills in. */
export function createYttFinding(file: string): Finding {
  return template.createFinding('ytt', { path: ROOT_PATH, data: { file }, source: { file, line: 1 } });
}
