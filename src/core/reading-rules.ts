/**
 * Rules about what is not planned. Nothing that a pull request can write, such as a configuration that is found, a baseline or an annotation,
 * silences them if the input may set nothing aside.
 */
export const READING_RULES: ReadonlySet<string> = new Set([
  'input/helm-template',
  'input/kustomization',
  'input/not-read',
  'input/skipped',
  'input/template',
  'input/unreadable',
  'crds/rule-not-evaluated',
]);
