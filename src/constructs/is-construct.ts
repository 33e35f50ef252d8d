import { Construct } from 'constructs';
import { testSafely } from '../core/collections/safe-predicate';

export function isConstruct(value: unknown): boolean {
  return testSafely(() => Construct.isConstruct(value));
}
