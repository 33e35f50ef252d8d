import { defineMessage, defineRule } from '../../core/findings/finding';
import { pluralize } from '../../core/text/text-format';

interface ObjectCountData {
  /** Objects of OLD whose last applied configuration is not known. */
  readonly objects: number;
}

interface ReleaseData extends ObjectCountData {
  /** `spec.replicas of Deployment shop/web` */
  readonly example: string;
}

/** Live objects whose last applied configuration is not known. */
export const noLastApplied = defineRule({
  code: 'change/no-last-applied',
  since: '0.1.0',
  severity: ['info', 'warning'],
  fires:
    'Live objects have neither the last-applied annotation nor field managers, a server-side apply changes live objects without managers, ' +
    'or Helm applies over live objects (a warning if NEW no longer sets fields that Helm owns there). Each is reported once per run.',
  why:
    'kubectl apply deletes what the last manifest had and the new one lacks. If it does not know the last manifest, the first apply ' +
    'deletes nothing, so fields that NEW no longer sets stay. `kubectl get` hides managers unless `--show-managed-fields` is set.',
  fix: 'Read OLD with `kubectl get -o yaml --show-managed-fields`, or set with `--apply` how NEW reaches the cluster.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, uid: 5b5b1a3e-0000-4000-8000-000000000001 }
data: { mode: fast }
# new.yaml
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { mode: slow }
`,
  fixedExample: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { mode: fast }
# new.yaml
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { mode: slow }
`,
  messages: {
    'nothing-deleted': defineMessage<ObjectCountData>({
      text: ({ objects }) =>
        `${pluralize(objects, 'live object')} of OLD ${objects === 1 ? 'has' : 'have'} neither a last-applied annotation nor field managers: the first apply deletes nothing from ${objects === 1 ? 'it' : 'them'}, so fields that NEW no longer sets stay.`,
      help: () => 'Read OLD with "kubectl get -o yaml --show-managed-fields", or set with --apply how NEW reaches the cluster.',
      sample: { objects: 3 },
      variants: [{ objects: 1 }],
    }),
    'managers-unknown': defineMessage<ObjectCountData>({
      text: ({ objects }) =>
        `${pluralize(objects, 'live object')} of OLD ${objects === 1 ? 'shows' : 'show'} no field managers: it is not known what a server-side apply deletes there, and with which managers it conflicts. The plan assumes that fields that NEW no longer sets stay, and that nothing conflicts.`,
      help: () => 'Read OLD with "kubectl get -o yaml --show-managed-fields".',
      sample: { objects: 3 },
      variants: [{ objects: 1 }],
    }),
    'release-unknown': defineMessage<ObjectCountData>({
      text: ({ objects }) =>
        `${pluralize(objects, 'object')} of OLD ${objects === 1 ? 'is' : 'are'} live, and Helm deletes what its last release had and NEW lacks. That release is not known, so the plan assumes that fields that NEW no longer sets stay.`,
      help: () => 'Pass the manifests of the last release as OLD: helm get manifest RELEASE.',
      sample: { objects: 3 },
      variants: [{ objects: 1 }],
    }),
    'release-had-more': defineMessage<ReleaseData>({
      text: ({ objects, example }) =>
        `${pluralize(objects, 'object')} of OLD ${objects === 1 ? 'is' : 'are'} live and ${objects === 1 ? 'has' : 'have'} fields that Helm set and NEW no longer sets, such as ${example}. If the last release had them, the upgrade deletes them. That release is not known, so the plan assumes that they stay.`,
      help: () => 'Pass the manifests of the last release as OLD: helm get manifest RELEASE.',
      sample: { objects: 1, example: 'spec.replicas of Deployment shop/web' },
      variants: [{ objects: 2, example: 'spec.replicas of Deployment shop/web' }],
    }),
  },
});
