import type { Environment } from '@tollgate/config';
import type { AlertList } from '@tollgate/gateway';
import type { AskOptions } from '../command';
import type { CommandOutcome } from '../outcome';
import { askProduct } from './add-command';

/** What wants attention now. Exit code 1 when a part of it is critical, so that a script can page. */
export async function showAlerts(
  options: AskOptions,
  environment: Environment,
): Promise<CommandOutcome> {
  let isCritical = false;
  const told = await askProduct(options, environment, async (product) => {
    const { checked_at, items } = (await product.ask('/v1/admin/alerts')) as AlertList;
    isCritical = items.some(({ severity }) => severity === 'critical');
    const isTold = items.length > 0 || options.json;
    return isTold ? items : `nothing wants attention (looked at ${checked_at})`;
  });
  return isCritical ? { ...told, exitCode: 1 } : told;
}
