import type { operations } from './gen/openapi';

/** The payload of an enveloped success. */
type DataOf<Name extends keyof operations> = operations[Name] extends {
  readonly responses: infer Responses;
}
  ? Responses extends { 200: infer Success }
    ? PayloadOf<Success>
    : Responses extends { 201: infer Success }
      ? PayloadOf<Success>
      : never
  : never;

type PayloadOf<Success> = Success extends {
  content: { 'application/json': { data: infer Data } };
}
  ? Data
  : never;

type BodyOf<Name extends keyof operations> = NonNullable<
  operations[Name] extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? Body
    : never
>;

type ItemOf<Name extends keyof operations> =
  DataOf<Name> extends { items: (infer Item)[] } ? Item : never;

/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

export type Session = DataOf<'post_users_login'>;
export type User = Session['user'];
export type Role = User['role'];

export type ApiKey = ItemOf<'get_keys'>;
export type NewKey = BodyOf<'post_keys'>;
export type KeyChanges = BodyOf<'patch_keys_id'>;
export type Scope = ApiKey['scopes'][number];

export type Balance = DataOf<'get_billing_balance'>;
export type Plan = ItemOf<'get_billing_plans'>;
export type LedgerEntry = ItemOf<'get_billing_ledger'>;
export type Receipt = DataOf<'get_billing_receipts_request_id'>;

export type Usage = DataOf<'get_stats'>;
export type UsageMetrics = Usage['totals'];
export type UsageInterval = Usage['interval'];

export type Model = DataOf<'get_llm_models'>['data'][number];
