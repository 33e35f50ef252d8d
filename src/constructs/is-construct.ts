import { Construct } from 'constructs';
import { testSafely } from '../core/safe-predicate';

export function isConstruct(value: unknown): boolean {
  return testSafely(() => Construct.isConstruct(value));
}
