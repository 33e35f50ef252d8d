import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as pulumi from '@pulumi/pulumi';

/** What the engine passed to a hook or a transform. */
export interface RecordedCall {
  readonly step: 'create' | 'update';
  readonly phase: 'preview' | 'up';
  readonly event: 'transform' | 'beforeCreate' | 'beforeUpdate';
  readonly type: string;
  readonly name: string;
  readonly props?: Readonly<Record<string, unknown>>;
  readonly newInputs?: Readonly<Record<string, unknown>>;
  readonly oldOutputs?: Readonly<Record<string, unknown>>;
}

interface RecordedOutput {
  readonly $output: { readonly secret: boolean; readonly known: boolean; readonly value?: unknown };
}

function isRecordedOutput(value: object): value is RecordedOutput {
  return '$output' in value;
}

/** Restores Outputs, and the unknown values of hooks, which were recorded as `{}`. No program of the recording has an empty map. */
function restore(value: unknown, isInput: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => restore(item, isInput));
  if (isRecordedOutput(value)) {
    const { secret, known, value: inner } = value.$output;
    if (!known) return pulumi.output(pulumi.unknown);
    const restored = restore(inner, isInput);
    return secret ? pulumi.secret(restored) : pulumi.output(restored);
  }
  const entries = Object.entries(value);
  if (isInput && entries.length === 0) return pulumi.unknown;
  return Object.fromEntries(entries.map(([name, inner]) => [name, restore(inner, isInput)]));
}

const FILE = path.resolve(__dirname, '../fixtures/upstream/pulumi-hooks.json');

/**
 * Returns what a real engine passed for one resource: Pulumi 3.274.1, SDK 3.248.0, provider 4.34, API server 1.36.3.
 */
export function recordedCall(step: RecordedCall['step'], event: RecordedCall['event'], name: string): RecordedCall {
  const calls = JSON.parse(readFileSync(FILE, 'utf8')) as RecordedCall[];
  const call = calls.find((each) => each.phase === 'preview' && each.step === step && each.event === event && each.name === name)!;
  const restoreAll = (value: RecordedCall['props'], isInput: boolean) => restore(value, isInput) as RecordedCall['props'];
  return {
    ...call,
    ...(call.props && { props: restoreAll(call.props, true) }),
    ...(call.newInputs && { newInputs: restoreAll(call.newInputs, true) }),
    ...(call.oldOutputs && { oldOutputs: restoreAll(call.oldOutputs, false) }),
  };
}
