import type { AnyRule } from '../../../core/finding';
import { nodesDown } from './daemonset-nodes-down';
import { invalidDaemonSet } from './invalid-strategy';
import { noNodes } from './no-nodes';
import { surgeHostPort } from './daemonset-surge-host-port';

/** The rules about DaemonSets alone. */
export const DAEMON_SET_RULES: readonly AnyRule[] = [nodesDown, noNodes, surgeHostPort, invalidDaemonSet];
