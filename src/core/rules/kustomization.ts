import { ROOT_PATH } from '../field-path';
import { defineMessage, defineRule } from '../finding';
import type { Finding } from '../finding';
import { VALID_DEPLOYMENT } from './examples';

export interface KustomizationData {
  /** The folder of the kustomization, as reached from the PATH given. */
  readonly folder: string;
  /** Does it change objects and hold none, so that it can't be built by itself? */
  readonly patchesAlone?: true;
}

/** A kustomization that is not built. */
export const kustomization = defineRule({
  code: 'input/kustomization',
  since: '0.1.0',
  severity: 'info',
  fires:
    'A folder holds a kustomization that patches objects or takes in what stands elsewhere, and no other kustomization in view takes it in; once a kustomization.',
  why:
    'What a kustomization comes to is what `kustomize build` prints. Without that its files are read as they stand: what lies in a folder of the input is planned ' +
    'there, with the labels that kustomizations add, its patches are not planned, and neither is what it takes from outside of the input.',
  fix: 'Plan what it comes to: `kustomize build FOLDER | rolloutkit check -`, or `--render`.',
  example: `# rolloutkit plan overlays/prod
# overlays/prod/kustomization.yaml
resources: [../../base]
patches:
  - path: replicas.yaml
# overlays/prod/replicas.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 5
`,
  fixedExample: `# kustomize build overlays/prod | rolloutkit plan -
${VALID_DEPLOYMENT}`,
  messages: {
    notBuilt: defineMessage<KustomizationData>({
      text: ({ folder, patchesAlone }) =>
        patchesAlone
          ? `${folder} is a kustomization that holds nothing itself and changes what another program renders, such as a chart of Fleet: its patches are not planned.`
          : `${folder} is a kustomization that is not built: its files are planned as they stand, without what it patches or takes from elsewhere.`,
      help: ({ folder, patchesAlone }) =>
        patchesAlone
          ? 'Plan what that program comes to with them; kustomize alone has nothing to patch.'
          : `Plan what it comes to: kustomize build ${folder} | rolloutkit check -, or --render`,
      sample: { folder: 'overlays/prod' },
      variants: [{ folder: 'overlays/prod', patchesAlone: true }],
    }),
  },
});

/** Says of a kustomization that it is not built. @param file of it */
export function createKustomizationFinding(data: KustomizationData, file: string): Finding {
  return kustomization.createFinding('notBuilt', { path: ROOT_PATH, data, source: { file, line: 1 } });
}
