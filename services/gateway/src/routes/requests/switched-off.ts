import type { identityV1 } from '@tollgate/protos';
import { z } from 'zod';
import { toActor } from '../actor';
import type { OperationInput, OperationSchema, Services } from '../operation';
import { isoTime, textOrNull } from '../values';

/** How what refuses a request now came to be off, as the audit log has it. */
export const switchedOffSchema = z.object({
  type: z.enum(['account', 'user', 'key', 'channel']).meta({
    description: 'A user is who made the API key.',
  }),
  id: z.string(),
  name: z.string().nullable(),
  change: z.enum(['suspended', 'disabled', 'revoked']),
  at: isoTime,
  by: z.string().nullable().meta({
    description: 'The email of who did it, or the id where that is all that is known.',
  }),
  audit_entry_id: z.string().meta({ description: 'Of GET /v1/admin/audit-log/{id}.' }),
});

type SwitchedOff = z.output<typeof switchedOffSchema>;

/** What is off now. */
export type Off = Pick<SwitchedOff, 'change' | 'id' | 'name' | 'type'>;

type Input = Pick<OperationInput<OperationSchema>, 'context' | 'principal'>;
type Entry = identityV1.AuditEntry__Output;

/** Of what is off, so much is looked up: one story asks identity a few times and not without end. */
const LOOKED_UP_MAX = 4;
const LISTED_MAX = 20;
/** Changes that have to be read whole before it is known what they changed. */
const READ_MAX = 5;

/** Who switched each of these off, and when; without those that the log does not tell of. */
export async function findSwitchedOff(
  off: readonly Off[],
  input: Input,
  services: Services,
): Promise<readonly SwitchedOff[]> {
  const found = off.slice(0, LOOKED_UP_MAX).map((one) => findOne(one, input, services));
  return (await Promise.all(found)).flatMap((one) => (one === undefined ? [] : [one]));
}

async function findOne(
  off: Off,
  input: Input,
  services: Services,
): Promise<SwitchedOff | undefined> {
  const { identity } = services;
  const { rpc } = input.context;
  const actor = toActor(input.principal);
  const filter = { actor, limit: LISTED_MAX, resourceId: off.id };
  const { entries } = await identity.listAuditEntries(filter, rpc);
  const likely = entries.filter(
    ({ operation, outcome }) =>
      outcome === 'AUDIT_OUTCOME_SUCCEEDED' && OPERATIONS[off.change].test(operation),
  );
  for (const { id } of likely.slice(0, READ_MAX)) {
    const { entry } = await identity.getAuditEntry({ actor, id }, rpc);
    if (entry === null || !didSwitchOff(entry, off)) continue;
    const { at, beforeJson } = entry;
    const name = off.name ?? nameIn(beforeJson);
    const by = await readName(entry, input, services);
    return { type: off.type, id: off.id, name, change: off.change, at, by, audit_entry_id: id };
  }
  return undefined;
}

/** Writes that may have made the change. */
const OPERATIONS: Readonly<Record<Off['change'], RegExp>> = {
  revoked: /^DELETE /,
  disabled: /^(?:PATCH|PUT) |\/disable$/,
  suspended: /^PATCH /,
};

function didSwitchOff({ operation, requestJson }: Entry, { change }: Off): boolean {
  if (change === 'revoked' || operation.endsWith('/disable')) return true;
  return parse(requestJson).status === change;
}

function nameIn(json: string): string | null {
  const { name } = parse(json);
  return typeof name === 'string' ? name : null;
}

function parse(json: string): Readonly<Record<string, unknown>> {
  return json === '' ? {} : (JSON.parse(json) as Readonly<Record<string, unknown>>);
}

/** Who is gone since goes by the id. */
export async function readName(
  { actorKeyId, actorUserId }: Entry,
  { context }: Input,
  { identity }: Services,
): Promise<string | null> {
  const id = textOrNull(actorUserId) ?? textOrNull(actorKeyId);
  if (!actorUserId.startsWith('usr_')) return id;
  const read = identity.getUser({ userId: actorUserId }, context.rpc);
  return read.then(
    ({ user }) => user?.email ?? id,
    () => id,
  );
}
