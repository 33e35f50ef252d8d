import { findingsOf } from './finding';
import type { FindingCatalogue } from './finding';

/** The findings about the input itself, whichever system it belongs to. */
export const INPUT_CATALOGUE = {
  'input/unreadable': {
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
  },
  'input/duplicate-resource': {
    severity: 'error',
    fires: 'Two objects of the input have the same group, kind, namespace and name.',
    why:
      'A cluster holds one object of that name: the later document overwrites the earlier one, or an apply of both fails. ' +
      'Both are planned, since the input does not say which one is meant.',
    fix: 'Delete one of the two, or give it a name or namespace of its own.',
    example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 5
`,
    fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-canary
spec:
  replicas: 5
`,
  },
  'input/unknown-field': {
    severity: 'warning',
    fires: 'A strategy object holds a field that its consumer does not know and drops silently.',
    why:
      'The API server prunes unknown fields (kubectl warns of them at most), and a controller never sees them, so what was meant does not happen. ' +
      'Looked for where a rollout is configured: Deployment, StatefulSet and deploymentStrategy objects, rolloutStrategy, fleet.yaml, and `spec.canary` before KServe 0.20.',
    fix: 'Write the field as the API spells it, or delete it.',
    example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  strategy:
    rollingUpdate:
      max_surge: 1
`,
    fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  strategy:
    rollingUpdate:
      maxSurge: 1
`,
  },
  'input/wrong-type': {
    severity: ['error', 'warning'],
    fires:
      'An object of a known kind has a field of another type than the API wants: `spec: null`, a number as name. A warning for an ' +
      'annotation `rolloutkit/startup-seconds` that is no number of seconds.',
    why:
      'The API server cannot decode such an object and refuses it whole. To the API server every annotation is text, so nothing but the plan ' +
      'reads how long a pod takes to start, and it passes over what it cannot read.',
    fix: 'Write a value of the type that the message names; quote a number or a boolean that is meant as a string.',
    example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: 2024
spec:
  replicas: 3
`,
    fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: "2024"
spec:
  replicas: 3
`,
  },
  'input/unknown-version': {
    severity: 'info',
    fires: 'The plan is made for a version that is later than the newest whose behaviour is known.',
    why: 'The plan assumes that it behaves as the newest known version, which may not be so.',
    fix: 'Compare the release notes of that version, or name a known one: `--versions kubernetes=1.34`.',
    example: `# rolloutkit plan --versions kubernetes=1.99 web.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
`,
    fixed: `# rolloutkit plan --versions kubernetes=1.34 web.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
`,
  },
  'input/unknown-cluster': {
    severity: 'warning',
    fires: '`--never-ready` names a cluster that the inventory does not hold.',
    why: 'The plan shows a rollout in which that cluster changes nothing, so a typing error looks like a rollout that does not halt.',
    fix: 'Name a cluster of the inventory, or add it to the file given with `--clusters`.',
    example: `# rolloutkit plan --never-ready stagging clusters.yaml
apiVersion: fleet.cattle.io/v1alpha1
kind: Cluster
metadata:
  name: staging
`,
    fixed: `# rolloutkit plan --never-ready staging clusters.yaml
apiVersion: fleet.cattle.io/v1alpha1
kind: Cluster
metadata:
  name: staging
`,
  },
} satisfies FindingCatalogue;

/** Makes findings about the input, for the reader and for every system. */
export const inputFinding = findingsOf(INPUT_CATALOGUE);
