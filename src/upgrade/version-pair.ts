import { findClosestName } from '../core/errors/did-you-mean';
import { joinWords } from '../core/text/text-format';
import { compareVersions, getProduct, minorOf, PRODUCTS, resolveVersions, UPGRADABLE_PRODUCTS } from '../core/values/versions';
import type { Product } from '../core/values/versions';
import { UPGRADE_FACTS } from './rows';
import type { UpgradeFacts } from './rows';
import type { VersionPair } from './upgrade-row';

/** Thrown for an upgrade that cannot be planned. The message contains what to write. */
export class UpgradeError extends Error {
  override readonly name = 'UpgradeError';
}

/** An upgrade that can be planned. */
export interface KnownUpgrade extends VersionPair {
  readonly product: Product;
  readonly facts: UpgradeFacts;
}

function createUnknownProductError(name: string): UpgradeError {
  const known = PRODUCTS.find((product) => product === name);
  if (known) {
    return new UpgradeError(
      `what an upgrade of ${getProduct(known).name} rolls is not known; write one of ${joinWords(UPGRADABLE_PRODUCTS, 'or')}`,
    );
  }
  const closest = findClosestName(name, UPGRADABLE_PRODUCTS);
  const hint = closest === undefined ? `write one of ${joinWords(UPGRADABLE_PRODUCTS, 'or')}` : `did you mean ${closest}?`;
  return new UpgradeError(`"${name}" is not an operator whose upgrade is known; ${hint}`);
}

/** Returns a version as it is planned, without a leading v. @throws UpgradeError for any other text */
function parseVersion(product: Product, text: string): string {
  try {
    return resolveVersions({ [product]: text })[product];
  } catch (error) {
    throw new UpgradeError((error as Error).message);
  }
}

/**
 * Parses an upgrade: `kserve=0.17..0.20`.
 *
 * @throws UpgradeError for an unknown operator, for a text of another form, and for versions whose differences are not known
 */
export function parseUpgrade(text: string): KnownUpgrade {
  const [name = '', versions, ...rest] = text.split('=');
  const facts = (UPGRADE_FACTS as Readonly<Record<string, UpgradeFacts | undefined>>)[name.trim()];
  if (versions === undefined || rest.length > 0) {
    throw new UpgradeError(`"${text}" is not an upgrade; write an operator and two versions, such as kserve=0.17..0.20`);
  }
  if (!facts) throw createUnknownProductError(name.trim());
  const product = name.trim() as Product;
  const [from, to, ...others] = versions.split('..').map((version) => version.trim());
  if (from === undefined || from === '' || to === undefined || to === '' || others.length > 0) {
    const [oldest, newest] = facts.known;
    throw new UpgradeError(`"${versions}" is not a pair of versions; write ${product}=${oldest}..${newest}`);
  }
  const pair = { from: parseVersion(product, from), to: parseVersion(product, to) };
  assertKnownPair(product, pair, facts);
  return { product, ...pair, facts };
}

/** @throws UpgradeError for a downgrade, and for a version outside of the known range */
function assertKnownPair(product: Product, { from, to }: VersionPair, { known: [oldest, newest] }: UpgradeFacts): void {
  const { name } = getProduct(product);
  const isKnown = (version: string) => compareVersions(minorOf(version), oldest) >= 0 && compareVersions(minorOf(version), newest) <= 0;
  if (!isKnown(from) || !isKnown(to)) {
    throw new UpgradeError(
      `what an upgrade of ${name} from ${from} to ${to} rolls is not known, so nothing is answered; upgrades from ${oldest} to ${newest} are known`,
    );
  }
  if (compareVersions(from, to) > 0) {
    throw new UpgradeError(
      `what a downgrade of ${name} from ${from} to ${to} rolls is not known, so nothing is answered; write ${product}=${to}..${from} for the upgrade`,
    );
  }
}
