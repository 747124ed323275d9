import { type Environment, parseConfig } from '@tollgate/config';
import { countSealed, type MongoStore, type SealedMember } from '@tollgate/mongo';
import { sealingConfigSchema } from '../../../config';
import { isGiven } from '../../../start/embedded-environment';
import { askStore } from './engines';
import {
  type Finding,
  failure,
  ok,
  reasonOf,
  skipped,
  skippedOfEmbedded,
  warning,
} from './finding';

const SUBJECT = 'sealing';

/** Which sealing keys are still needed, by what they sealed. */
export async function checkSealing(environment: Environment): Promise<Finding> {
  if (!isGiven(environment, 'MONGODB_URI')) return skippedOfEmbedded(SUBJECT);
  if (!isGiven(environment, 'TOLLGATE_SEALING_KEYS')) {
    return skipped(SUBJECT, 'TOLLGATE_SEALING_KEYS is not set here');
  }
  try {
    const { sealingKeys } = parseConfig(sealingConfigSchema, environment);
    const counts = await askStore(environment, countAll);
    return judge(
      sealingKeys.map(({ id }) => id),
      counts,
    );
  } catch (error) {
    const remedy = 'see what is said of the settings and of the store';
    return warning(SUBJECT, `could not be counted: ${reasonOf(error)}`, remedy);
  }
}

async function countAll(store: MongoStore): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const member of sealedMembers()) {
    for (const [id, count] of await countSealed(store, member)) {
      counts.set(id, (counts.get(id) ?? 0) + count);
    }
  }
  return counts;
}

/** All that is sealed for longer than a day; declaring the command must not load the services. */
function sealedMembers(): readonly SealedMember[] {
  const routing = require('@tollgate/routing') as typeof import('@tollgate/routing');
  const webhook = require('@tollgate/webhook') as typeof import('@tollgate/webhook');
  const identity = require('@tollgate/identity') as typeof import('@tollgate/identity');
  return [routing.SEALED_CREDENTIALS, webhook.SEALED_SIGNING_SECRETS, identity.SEALED_PRIVATE_KEYS];
}

function judge(keyIds: readonly string[], counts: ReadonlyMap<string, number>): Finding {
  const [present = '', ...others] = keyIds;
  const tell = (ids: readonly string[]) =>
    ids.map((id) => `${id || 'an unknown form'} ${counts.get(id) ?? 0}`).join(', ');
  const gone = [...counts.keys()].filter((id) => !keyIds.includes(id));
  if (gone.length > 0) {
    const remedy = 'put the keys of these ids back into TOLLGATE_SEALING_KEYS, behind the first';
    return failure(SUBJECT, `sealed by keys that are not here: ${tell(gone)}`, remedy);
  }
  const needed = others.filter((id) => counts.has(id));
  const seen = `values by key: ${tell(keyIds)}`;
  if (needed.length > 0) {
    const remedy = `wait: within an hour they are sealed again with ${present}; then ask once more`;
    return warning(SUBJECT, seen, remedy);
  }
  if (others.length === 0) return ok(SUBJECT, seen);
  const rest = `a day after ${present} came first ${others.join(' and ')} may be taken out`;
  return ok(SUBJECT, `${seen}; ${rest}`);
}
