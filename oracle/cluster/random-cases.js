// Draws random changes of live workloads. A case is what runs before, what is applied, and what happens meanwhile.

/** Creates a generator of numbers, the same for the same seed. */
function createRandom(seed) {
  let state = seed >>> 0;
  const below = (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return { below, pick: (values) => values[below(values.length)], oneIn: (n) => below(n) === 0 };
}

const STRATEGIES = [
  { surge: 1, unavailable: 0 },
  { surge: 0, unavailable: 1 },
  { surge: '25%', unavailable: '25%' },
  { surge: 2, unavailable: 1 },
  { surge: '100%', unavailable: 0 },
  { surge: 1, unavailable: '50%' },
  { surge: 0, unavailable: 2 },
  { recreate: true },
];

function podTemplate(name, { image, ready, stop, cpu, labels = {}, port = 'http', selector }) {
  return {
    metadata: { labels: { app: name, ...labels }, annotations: { 'play/ready': String(ready), ...(stop && { 'play/stop': String(stop) }) } },
    spec: {
      nodeSelector: selector,
      containers: [
        {
          name: 'web',
          image,
          ports: [{ name: port, containerPort: 8080 }],
          readinessProbe: { httpGet: { path: '/ready', port } },
          resources: { requests: { cpu: String(cpu) } },
        },
      ],
    },
  };
}

function toStrategy({ surge, unavailable, recreate }) {
  return recreate ? { type: 'Recreate' } : { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } };
}

function deployment(name, namespace, options) {
  const { replicas, minReady = 0, strategy, paused } = options;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      ...(replicas !== undefined && { replicas }),
      ...(minReady > 0 && { minReadySeconds: minReady }),
      ...(paused && { paused }),
      selector: { matchLabels: { app: name } },
      strategy: toStrategy(strategy),
      template: podTemplate(name, { ...options, selector: { case: namespace } }),
    },
  };
}

function statefulSet(name, namespace, options) {
  const { replicas, partition, parallel } = options;
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name, namespace },
    spec: {
      replicas,
      serviceName: name,
      ...(parallel && { podManagementPolicy: 'Parallel' }),
      ...(partition !== undefined && { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } } }),
      selector: { matchLabels: { app: name } },
      template: podTemplate(name, { ...options, selector: { case: namespace } }),
    },
  };
}

function daemonSet(name, namespace, options) {
  const { surge, unavailable } = options.strategy;
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace },
    spec: {
      selector: { matchLabels: { app: name } },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } },
      template: podTemplate(name, { ...options, selector: { case: namespace } }),
    },
  };
}

const service = (name, namespace, selector, targetPort = 'http') => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace },
  spec: { selector, ports: [{ port: 80, targetPort }] },
});

const quota = (namespace, hard) => ({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'compute', namespace }, spec: { hard } });

const budget = (namespace, spec) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web', namespace },
  spec: { ...spec, selector: { matchLabels: { app: 'web' } } },
});

const autoscaler = (namespace, minReplicas, maxReplicas) => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'web', namespace },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    minReplicas,
    maxReplicas,
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }],
  },
});

const node = (name, namespace, cpu) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name, case: namespace }, annotations: { 'play/cpu': String(cpu) } },
});

const barePod = (name, namespace, cpu) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace },
  spec: { nodeSelector: { case: namespace }, containers: [{ name: 'batch', image: 'batch:1', resources: { requests: { cpu: String(cpu) } } }] },
});

/** The families of cases. Each gets a namespace and a generator, and returns `running`, `next`, and optionally `nodes`, `before` and `steps`. */
const FAMILIES = {
  surge(namespace, { below, pick, oneIn }) {
    const old = { replicas: 1 + below(6), strategy: pick(STRATEGIES), minReady: pick([0, 0, 1, 2]), stop: pick([0, 0, 1]), image: 'web:1', ready: pick([0.5, 1, 1.5]), cpu: 1 };
    const next = { ...old, image: 'web:2', ...(oneIn(4) && { replicas: 1 + below(6) }), ...(oneIn(5) && { strategy: pick(STRATEGIES) }) };
    return { running: [deployment('web', namespace, old)], next: [deployment('web', namespace, next)] };
  },

  quota(namespace, { below, pick, oneIn }) {
    const old = { replicas: 1 + below(5), strategy: pick(STRATEGIES), stop: pick([0, 0, 1]), image: 'web:1', ready: 1, cpu: 1 };
    const next = { ...old, image: 'web:2', cpu: pick([1, 1, 1, 2, 0.5]), ...(oneIn(5) && { replicas: 1 + below(5) }) };
    const left = below(4);
    const hard = pick([{ 'requests.cpu': String(old.replicas + left) }, { pods: String(old.replicas + left) }, { 'requests.cpu': String(old.replicas + left), pods: String(old.replicas + below(3)) }]);
    return { running: [quota(namespace, hard), deployment('web', namespace, old)], next: [deployment('web', namespace, next)] };
  },

  nodes(namespace, { below, pick, oneIn }) {
    const old = { replicas: 1 + below(5), strategy: pick(STRATEGIES), stop: pick([0, 0, 1]), image: 'web:1', ready: 1, cpu: 1 };
    const next = { ...old, image: 'web:2', cpu: pick([1, 1, 1, 2]), ...(oneIn(5) && { replicas: 1 + below(5) }) };
    const other = below(3);
    const count = 1 + below(3);
    const cpu = Math.ceil((old.replicas + other) / count) + below(2);
    return {
      nodes: Array.from({ length: count }, (_, index) => node(`${namespace}-n${index + 1}`, namespace, cpu)),
      running: [...(other > 0 ? [barePod('batch', namespace, other <= cpu ? other : cpu)] : []), deployment('web', namespace, old)],
      next: [deployment('web', namespace, next)],
    };
  },

  autoscaled(namespace, { below, pick, oneIn }) {
    const min = 2 + below(3);
    const old = { replicas: min, strategy: pick(STRATEGIES), image: 'web:1', ready: 1, cpu: 1 };
    const next = { ...old, image: pick(['web:2', 'web:2', 'web:1']), replicas: pick([undefined, min, min, 1, min + 1]) };
    const budgets = oneIn(2) ? [budget(namespace, pick([{ minAvailable: 1 }, { maxUnavailable: 1 }, { minAvailable: '100%' }]))] : [];
    return {
      running: [autoscaler(namespace, min, min + 3), ...budgets, deployment('web', namespace, old)],
      next: [...(oneIn(4) ? [autoscaler(namespace, min + 1, min + 3)] : []), deployment('web', namespace, next)],
    };
  },

  several(namespace, { below, pick }) {
    const names = ['web', 'api', 'jobs'].slice(0, 2 + below(2));
    const olds = names.map(() => ({ replicas: 1 + below(3), strategy: pick(STRATEGIES), image: 'web:1', ready: pick([0.5, 1, 1.5]), cpu: 1 }));
    const total = olds.reduce((sum, { replicas }) => sum + replicas, 0);
    const isQuota = below(2) === 0;
    const spare = below(4);
    return {
      ...(isQuota ? {} : { nodes: [node(`${namespace}-n1`, namespace, total + spare)] }),
      running: [...(isQuota ? [quota(namespace, { 'requests.cpu': String(total + spare) })] : []), ...names.map((name, index) => deployment(name, namespace, olds[index]))],
      next: names.map((name, index) => deployment(name, namespace, { ...olds[index], image: pick(['web:2', 'web:2', 'web:1']) })),
    };
  },

  broken(namespace, { below, pick, oneIn }) {
    const old = { replicas: 1 + below(5), strategy: pick(STRATEGIES), image: 'web:1', ready: 1, cpu: 1 };
    const services = oneIn(2) ? [service('web', namespace, { app: 'web' })] : [];
    return {
      running: [deployment('web', namespace, old), ...services],
      next: [deployment('web', namespace, { ...old, image: pick(['web:broken', 'web:broken', 'web:crash', 'web:unready']) })],
    };
  },

  interrupted(namespace, { below, pick }) {
    const old = { replicas: 2 + below(4), strategy: pick(STRATEGIES), image: 'web:1', ready: 3, cpu: 1 };
    const next = { ...old, image: 'web:2' };
    const steps = pick([
      [{ after: 2, apply: [deployment('web', namespace, { ...old, image: 'web:3' })] }],
      [{ after: 2, apply: [deployment('web', namespace, old)] }],
      [{ after: 2, args: ['scale', 'deployment/web', `--replicas=${old.replicas + 2}`] }],
      [{ after: 2, args: ['scale', 'deployment/web', '--replicas=1'] }],
      [{ after: 2, args: ['rollout', 'pause', 'deployment/web'] }, { after: 4, args: ['rollout', 'resume', 'deployment/web'] }],
      [{ after: 2, args: ['delete', 'deployment/web'] }],
      [{ after: 2, args: ['delete', 'pods', '--selector=app=web', '--wait=false'] }],
    ]);
    return { running: [deployment('web', namespace, old)], next: [deployment('web', namespace, next)], steps };
  },

  services(namespace, { below, pick, oneIn }) {
    const old = { replicas: 1 + below(4), strategy: pick(STRATEGIES), image: 'web:1', ready: 1, cpu: 1, labels: { track: 'a' } };
    const next = { ...old, image: 'web:2', ...pick([{}, {}, { labels: { track: 'b' } }, { labels: {} }, { port: 'web' }]) };
    const selector = pick([{ app: 'web' }, { app: 'web', track: 'a' }, { track: 'a' }]);
    const newSelector = oneIn(3) ? { app: 'web', track: 'b' } : selector;
    const second = oneIn(3) ? [deployment('api', namespace, { ...old, replicas: 1 })] : [];
    return {
      running: [service('web', namespace, selector), deployment('web', namespace, old), ...second],
      next: [...(oneIn(2) ? [service('web', namespace, newSelector, pick(['http', 'http', 8080]))] : []), deployment('web', namespace, next)],
    };
  },

  statefulsets(namespace, { below, pick, oneIn }) {
    const old = { replicas: 1 + below(4), partition: pick([undefined, undefined, 0, 1, 2]), parallel: oneIn(3), stop: pick([0, 0, 1]), image: 'web:1', ready: 1, cpu: 1 };
    const next = { ...old, image: pick(['web:2', 'web:2', 'web:2', 'web:broken']), cpu: pick([1, 1, 1, 2]), ...(oneIn(5) && { replicas: 1 + below(5) }) };
    const limits = oneIn(3) ? [quota(namespace, { 'requests.cpu': String(old.replicas + below(2)) })] : [];
    return {
      running: [...limits, service('web', namespace, { app: 'web' }), statefulSet('web', namespace, old)],
      next: [statefulSet('web', namespace, next)],
    };
  },

  daemonsets(namespace, { below, pick }) {
    const count = 1 + below(4);
    const strategy = pick([{ surge: 0, unavailable: 1 }, { surge: 0, unavailable: '50%' }, { surge: 1, unavailable: 0 }, { surge: '100%', unavailable: 0 }]);
    const old = { strategy, stop: pick([0, 0, 1]), image: 'web:1', ready: 1, cpu: 1 };
    return {
      nodes: Array.from({ length: count }, (_, index) => node(`${namespace}-n${index + 1}`, namespace, pick([1, 2, 4]))),
      running: [daemonSet('web', namespace, old)],
      next: [daemonSet('web', namespace, { ...old, image: pick(['web:2', 'web:2', 'web:2', 'web:broken']) })],
    };
  },

  unfinished(namespace, { below, pick, oneIn }) {
    const old = { replicas: 2 + below(4), strategy: pick(STRATEGIES.filter(({ recreate }) => !recreate)), image: 'web:1', ready: 1, cpu: 1 };
    const stuck = { ...old, image: 'web:broken' };
    const limits = oneIn(3) ? [quota(namespace, { pods: String(old.replicas + 1 + below(2)) })] : [];
    return {
      running: [...limits, service('web', namespace, { app: 'web' }), deployment('web', namespace, old)],
      before: [deployment('web', namespace, stuck)],
      next: [deployment('web', namespace, { ...old, image: pick(['web:1', 'web:3', 'web:3', 'web:broken2']) })],
    };
  },

  small(namespace, { below, pick }) {
    const old = { replicas: 2 + below(4), strategy: pick(STRATEGIES), image: 'web:1', ready: 1, cpu: 1 };
    const make = (options) => deployment('web', namespace, { ...old, ...options });
    const next = pick([
      () => make({}),
      () => make({ replicas: 1 + below(7) }),
      () => make({ replicas: 1 + below(7), image: 'web:2' }),
      () => make({ strategy: pick(STRATEGIES) }),
      () => make({ paused: true, image: 'web:2' }),
      () => ({ ...make({}), metadata: { ...make({}).metadata, labels: { team: 'shop' } } }),
      () => make({ minReady: 3 }),
      () => make({ replicas: undefined, image: 'web:2' }),
    ])();
    return { running: [service('web', namespace, { app: 'web' }), make({})], next: [next] };
  },
};

/** Draws a number of cases, the families in turn. */
function drawCases(seed, count) {
  const names = Object.keys(FAMILIES);
  return Array.from({ length: count }, (_, index) => {
    const random = createRandom(seed * 100_003 + index * 7919);
    for (let skipped = 0; skipped < 5; skipped++) random.below(2);
    const family = names[index % names.length];
    const namespace = `c${seed}-${index}`;
    const drawn = FAMILIES[family](namespace, random);
    return { family, namespace, isServerSide: random.oneIn(4), isFollowedFirst: random.oneIn(2), nodes: [node(`${namespace}-n1`, namespace, 100)], before: [], steps: [], ...drawn };
  });
}

module.exports = { drawCases };
