import { message, rule } from '../finding';

interface FileData {
  readonly file: string;
  /** As the end of a sentence: `it is not UTF-8 text`. */
  readonly problem: string;
  /** What to do, where that is known of the problem. */
  readonly remedy?: string;
}

interface DocumentData {
  /** The line at which the document begins. */
  readonly begin: number;
  readonly problem: string;
  readonly remedy?: string;
}

interface ObjectData {
  /** Which of the objects given by a program, counted from 1. */
  readonly position: number;
  readonly problem: string;
}

/** A file, a document or an object that no reader can make sense of. */
export const unreadable = rule({
  code: 'input/unreadable',
  since: '0.1.0',
  severity: 'error',
  fires: 'A file, or one document of it, cannot be read.',
  why:
    'kubectl stops at such a document, so nothing behind it reaches the cluster. The plan goes on with the rest and says nothing about this one. ' +
    'Causes: a syntax error, a key that stands twice in one map, an alias without anchor, more than 100 aliases or 1,000 levels in one document, ' +
    'a file that is not UTF-8 text, a broken symbolic link.',
  fix: 'Repair the YAML at the line and column given; check it with `kubectl apply --dry-run=client -f FILE`.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: [3
`,
  fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
`,
  messages: {
    file: message<FileData>({
      text: ({ file, problem }) => `The file ${file} cannot be read: ${problem}.`,
      help: ({ remedy }) => remedy,
      sample: { file: 'web.yaml', problem: 'permission denied' },
    }),
    document: message<DocumentData>({
      text: ({ begin, problem }) => `The document that begins at line ${begin} cannot be read: ${problem}.`,
      help: ({ remedy }) => remedy ?? 'Repair the YAML here; nothing of this document is planned.',
      sample: { begin: 1, problem: 'flow sequence in block collection must be sufficiently indented and end with a ]' },
    }),
    object: message<ObjectData>({
      text: ({ position, problem }) => `Object ${position} of those given cannot be read: ${problem}.`,
      help: () => 'Give it as plain data, as a JSON file would hold it; nothing of this object is planned.',
      sample: { position: 2, problem: 'it holds a bigint, which JSON does not have' },
    }),
  },
});
