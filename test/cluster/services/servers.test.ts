import { getServerDrain } from '../../../src/cluster/services/servers';

const CASES: readonly (readonly [name: string, container: object, drain: string])[] = [
  ['vLLM as the program of its image aborts', { image: 'vllm/vllm-openai:v0.18.0', args: ['--model', 'm'] }, 'vLLM 0'],
  ['vLLM with the flag', { image: 'docker.io/vllm/vllm-openai:v0.18.0', args: ['--shutdown-timeout=60'] }, 'vLLM 60 set'],
  ['vLLM with the flag and underscores', { command: ['vllm', 'serve', 'm', '--shutdown_timeout', '60'] }, 'vLLM 60 set'],
  ['vLLM as a module', { command: ['python3', '-m', 'vllm.entrypoints.openai.api_server', '--model', 'm'] }, 'vLLM 0'],
  ['vLLM after exec', { command: ['sh', '-c', 'cd /app && exec vllm serve m --shutdown-timeout 40'] }, 'vLLM 40 set'],
  ['vLLM after exec with a redirection', { command: ['sh', '-ec', 'exec vllm serve m --shutdown-timeout "40" 2>&1'] }, 'vLLM 40 set'],
  ['vLLM in bash with a redirection, which keeps bash in front of it', { command: ['bash', '-c', 'vllm serve m 2>&1'] }, 'unknown server'],
  ['vLLM after one of two exec', { command: ['sh', '-c', 'test -f x && exec a; exec vllm serve m'] }, 'unknown server'],
  ['vLLM after options of the shell', { command: ['bash', '-euo', 'pipefail', '-c', 'exec vllm serve m'] }, 'vLLM 0'],
  ['vLLM as the arguments of a script', { command: ['sh', '-c', 'exec "$@"', '--'], args: ['vllm', 'serve', 'm'] }, 'vLLM 0'],
  ['vLLM after an init program', { command: ['/sbin/tini', '--', 'vllm', 'serve', 'm'] }, 'vLLM 0'],
  ['vLLM after 100,000 init programs', { command: [...Array<string>(100_000).fill('tini'), '--', 'vllm', 'serve', 'm'] }, 'vLLM 0'],
  ['vLLM with another signal', { command: ['vllm', 'serve', 'm'], lifecycle: { stopSignal: 'SIGINT' } }, 'unknown server'],
  [
    'vLLM with the flag in a version that does not know it',
    { image: 'vllm/vllm-openai:v0.11.0', args: ['--shutdown-timeout', '5'] },
    'vLLM unknown',
  ],
  ['vLLM with arguments that are no list', { image: 'vllm/vllm-openai:v0.19.0', args: '--shutdown-timeout' }, 'unknown server'],
  [
    'vLLM with a variable of the manifest as the value',
    { command: ['vllm', 'serve', '--shutdown-timeout', '$(SECONDS)'], env: [{ name: 'SECONDS', value: '30' }] },
    'vLLM 30 set',
  ],
  ['vLLM after exec with a variable', { command: ['sh', '-c', 'exec vllm serve m $ARGS'] }, 'unknown server'],
  ['vLLM through eval', { command: ['bash', '-c', 'eval "exec vllm serve m"'] }, 'unknown server'],
  ['vLLM with further arguments in a variable', { command: ['vllm', 'serve', 'm'], args: ['$(EXTRA)'] }, 'vLLM unknown'],
  ['vLLM with a variable as the value', { command: ['vllm', 'serve', '--shutdown-timeout', '$(SECONDS)'] }, 'vLLM unknown'],
  ['vLLM with a file of options', { command: ['vllm', 'serve', 'm', '--config', 'c.yaml'] }, 'vLLM unknown'],
  ['a benchmark of vLLM', { command: ['vllm', 'bench'] }, 'unknown server'],
  ['a mirror of an image', { image: 'registry.example/vllm-openai:v0.18.0' }, 'unknown server'],
  ['SGLang', { command: ['python', '-m', 'sglang.launch_server'] }, 'SGLang Infinity'],
  [
    'SGLang that is forced',
    { command: ['python', '-m', 'sglang.launch_server'], env: [{ name: 'SGL_FORCE_SHUTDOWN', value: '1' }] },
    'SGLang 0 set',
  ],
  ['Text Generation Inference', { image: 'ghcr.io/huggingface/text-generation-inference:2' }, 'Text Generation Inference 90'],
  ['Triton', { command: ['tritonserver'], args: ['--model-repository=/m'] }, 'Triton 30'],
  ['Triton as the arguments of its image', { image: 'nvcr.io/nvidia/tritonserver:24.01-py3', args: ['tritonserver'] }, 'Triton 30'],
  ['the image of Triton, which starts a shell', { image: 'nvcr.io/nvidia/tritonserver:24.01-py3' }, 'unknown server'],
  ['a model server of KServe', { image: 'kserve/sklearnserver:v0.17.0', args: ['--model_name=m'] }, 'the model server of KServe 30'],
  ['Triton with the flag', { command: ['tritonserver', '--exit-timeout-secs=60'] }, 'Triton 60 set'],
  ['uvicorn', { command: ['/usr/local/bin/uvicorn', 'main:app'] }, 'uvicorn Infinity'],
  ['uvicorn in bash', { command: ['bash', '-c', 'uvicorn main:app --timeout-graceful-shutdown 20'] }, 'uvicorn 20 set'],
  ['uvicorn in sh, which may not pass the signal on', { command: ['sh', '-c', 'uvicorn main:app'] }, 'unknown server'],
  [
    'uvicorn with variables of a ConfigMap',
    { command: ['uvicorn', 'main:app'], envFrom: [{ configMapRef: { name: 'c' } }] },
    'uvicorn unknown',
  ],
  ['gunicorn', { command: ['gunicorn', 'app'] }, 'gunicorn 30'],
  [
    'gunicorn with a variable',
    { command: ['gunicorn', 'app'], env: [{ name: 'GUNICORN_CMD_ARGS', value: '--graceful-timeout 120' }] },
    'gunicorn 120 set',
  ],
  [
    'gunicorn with a variable before those of a ConfigMap',
    {
      command: ['gunicorn', 'app'],
      env: [{ name: 'GUNICORN_CMD_ARGS', value: '--workers 2' }],
      envFrom: [{ configMapRef: { name: 'c' } }],
    },
    'gunicorn 30',
  ],
  [
    'gunicorn with a variable that its script sets',
    { command: ['sh', '-c', 'export GUNICORN_CMD_ARGS=x; exec gunicorn app'] },
    'gunicorn unknown',
  ],
  ['gunicorn with a script that reads a file', { command: ['sh', '-c', '. ./env.sh; exec gunicorn app'] }, 'gunicorn unknown'],
  [
    'gunicorn with a file of options and the flag',
    { command: ['gunicorn', '-c', 'conf.py', '--graceful-timeout', '60', 'app'] },
    'gunicorn 60 set',
  ],
  ['gunicorn with a file of options', { command: ['gunicorn', '-c', 'conf.py', 'app'] }, 'gunicorn unknown'],
  ['hypercorn', { command: ['python', '-m', 'hypercorn', 'app'] }, 'hypercorn 3'],
  ['hypercorn with workers, which end requests early', { command: ['hypercorn', '-w', '2', 'app'] }, 'hypercorn unknown'],
  ['nginx', { image: 'nginx:1.29' }, 'nginx Infinity'],
  ['another program', { image: 'nginx:1.29', command: ['nginx', '-g', 'daemon off;'] }, 'unknown server'],
  ['an image of no known server', { image: 'web:1' }, 'unknown server'],
];

test.each(CASES)('%s', (_name, container, expected) => {
  const drain = getServerDrain(container);
  const text = drain ? `${drain.server} ${drain.seconds ?? 'unknown'}${drain.isSet ? ' set' : ''}` : 'unknown server';
  expect(text).toBe(expected);
});
