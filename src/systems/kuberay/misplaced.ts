import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { describeValue } from '../../core/shape';
import { kuberayFinding } from './catalogue';
import { INCREMENTAL, OPTIONS_PATH, optionsOf, STRATEGY_PATH, strayOptions, typeOf } from './strategy';

const HELP = `Write the options under upgradeStrategy.clusterUpgradeOptions, beside type: ${INCREMENTAL}.`;

/** Are options written where nothing reads them: directly under upgradeStrategy, or without the type? */
export function hasMisplacedOptions(rayService: Manifest): boolean {
  return strayOptions(rayService).length > 0 || (optionsOf(rayService) !== undefined && typeOf(rayService) !== INCREMENTAL);
}

/** The finding about options that nothing reads: an error, or a warning where another type says that none are wanted. */
export function misplacedFinding(rayService: Manifest): Finding {
  const type = typeOf(rayService);
  const stray = strayOptions(rayService);
  const isOtherType = type !== undefined && type !== INCREMENTAL;
  const where =
    stray.length > 0
      ? `${stray.join(', ')} ${stray.length === 1 ? 'stands' : 'stand'} directly under upgradeStrategy`
      : 'clusterUpgradeOptions is written';
  return kuberayFinding('kuberay/misplaced-options', {
    path: stray.length > 0 ? `${STRATEGY_PATH}.${stray[0]}` : OPTIONS_PATH,
    severity: isOtherType ? 'warning' : 'error',
    message: `${where}${stray.length > 0 ? ', where KubeRay does not read them' : ''}${consequence(type)}.`,
    help: isOtherType ? `Delete the options, or write type: ${INCREMENTAL} with them under clusterUpgradeOptions.` : HELP,
  });
}

function consequence(type: string | undefined): string {
  if (type === undefined) return '; there is no type, so the upgrade makes a whole second cluster, at 200 % of the resources';
  return type === INCREMENTAL ? ', so the upgrade is without them' : `; type ${describeValue(type)} ignores the options`;
}
