import { message, rule } from '../../core/finding';

interface RefusedData {
  /** As the server writes it; empty where it names none. */
  readonly path: string;
  readonly message: string;
}

/** What kubectl, the API server, a webhook or a controller says no to. */
export const refused = rule({
  code: 'change/refused',
  since: '0.1.0',
  severity: 'error',
  fires: 'Applying the object over what is there is refused: an immutable field, a value that is not valid, a conflict of field managers.',
  why: 'Nothing of the object changes, and a tool that applies several objects stops here or goes on without it.',
  fix: 'Put the field back, or delete the object and make it anew, which takes its pods down.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web, tier: front } }
    spec:
      containers: [{ name: web, image: web:1 }]
# new.yaml
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web, tier: front } }
  template:
    metadata: { labels: { app: web, tier: front } }
    spec:
      containers: [{ name: web, image: web:1 }]
`,
  fixed: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web, tier: front } }
    spec:
      containers: [{ name: web, image: web:1 }]
# new.yaml
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web, tier: front } }
    spec:
      containers: [{ name: web, image: web:2 }]
`,
  messages: {
    refused: message<RefusedData>({
      text: ({ path, message: said }) => `Applying this is refused: ${path === '' ? said : `${path}: ${said}`}.`,
      help: () => 'Put the field back as it was, or delete the object and make it anew, which takes its pods down meanwhile.',
      sample: { path: 'spec.selector', message: 'field is immutable' },
      variants: [{ path: '', message: 'Deployment in version "v1" cannot be handled as a Deployment' }],
    }),
  },
});
