import type { operations } from './gen/openapi';

/** The payload of an enveloped success. */
export type AnswerOf<Operation> = Operation extends { readonly responses: infer Responses }
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

/** What is sent; unknown where nothing is. */
export type RequestOf<Operation> = Operation extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

type DataOf<Name extends keyof operations> = AnswerOf<operations[Name]>;

type BodyOf<Name extends keyof operations> = RequestOf<operations[Name]>;

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
export type Thresholds = DataOf<'get_billing_thresholds'>;
export type NewThresholds = BodyOf<'put_billing_thresholds'>;
/** The plans, the account's own, and what holds for the account. */
export type OfferedPlans = DataOf<'get_billing_plans'>;
export type Plan = OfferedPlans['items'][number];
/** A plan as operators see and change it. */
export type FullPlan = ItemOf<'get_admin_plans'>;
export type NewPlan = BodyOf<'post_admin_plans'>;
export type PlanChanges = BodyOf<'patch_admin_plans_id'>;
/** A code that one account can redeem for credit. */
export type CreditCode = ItemOf<'get_admin_codes'>;
export type NewCodes = BodyOf<'post_admin_codes'>;
/** The sums of a month; its lines are read apart. */
export type Statement = ItemOf<'get_billing_statements'>;
export type StatementWithLines = DataOf<'get_billing_statements_month'>;
export type LedgerEntry = ItemOf<'get_billing_ledger'>;

/** A request in a list; operators are told the account and the channel too. */
export type Request = ItemOf<'get_requests'> & Partial<ItemOf<'get_admin_requests'>>;
type StoryOrRefused = DataOf<'get_requests_request_id'>;
type StoryOrRefusedOfOperator = DataOf<'get_admin_requests_request_id'>;
interface Refused {
  readonly status: 'refused';
}
/** The story of one request. */
export type Story = Exclude<StoryOrRefused, Refused> & Partial<OperatorStory>;
export type OperatorStory = Exclude<StoryOrRefusedOfOperator, Refused>;
/** The story of a request that was refused before a vendor was asked. */
export type RefusedStory = Extract<StoryOrRefused, Refused> &
  Partial<Extract<StoryOrRefusedOfOperator, Refused>>;
/** A refused request in a list. */
export type RefusedRequest = ItemOf<'get_refusals'> & Partial<ItemOf<'get_admin_refusals'>>;
/** What would decide about the request at this moment. */
export type Conditions = OperatorStory['now'];

export type Usage = DataOf<'get_stats'>;
export type UsageMetrics = Usage['totals'];
export type UsageInterval = Usage['interval'];

export type Model = DataOf<'get_llm_models'>['data'][number];
/** A model as operators see it. */
export type CatalogueModel = DataOf<'get_admin_models'>['data'][number];
/** What an import of prices would change, or has changed. */
export type ModelImport = DataOf<'post_admin_models_import'>;
export type NewModelImport = BodyOf<'post_admin_models_import'>;
export type NewModel = BodyOf<'post_admin_models'>;
export type ModelChanges = BodyOf<'patch_admin_models_id'>;

/** The body of a completion, as a program would send it. */
export type ChatRequest = BodyOf<'post_llm_route_explain'>;

export type Candidate = DataOf<'post_llm_route_explain'>['candidates'][number];

export type Webhook = ItemOf<'get_webhooks'>;
export type NewWebhook = BodyOf<'post_webhooks'>;
export type WebhookChanges = BodyOf<'patch_webhooks_id'>;
export type Delivery = ItemOf<'get_webhooks_id_deliveries'>;
export type EventType = NewWebhook['events'][number];

export type Member = ItemOf<'get_account_members'>;

type ListedChannel = ItemOf<'get_admin_channels'>;
/** A channel; only lists tell its `pace`. */
export type Channel = Omit<ListedChannel, 'pace'> & Partial<Pick<ListedChannel, 'pace'>>;
export type NewChannel = BodyOf<'post_admin_channels'>;
export type ChannelChanges = BodyOf<'patch_admin_channels_id'>;
export type DiscoveredModels = DataOf<'post_admin_channels_discover'>;
export type HealthCheck = DataOf<'post_admin_channels_id_health'>;

export type Account = ItemOf<'get_admin_accounts'>;
export type AccountChanges = BodyOf<'patch_admin_accounts_id'>;
export type AnyUser = ItemOf<'get_admin_users'>;
/** The same with the name of the account, which lists leave out. */
export type UserWithAccount = DataOf<'get_admin_users_id'>;
/** What wants an operator's attention now. */
export type Alerts = DataOf<'get_admin_alerts'>;
export type Alert = Alerts['items'][number];
export type Audit = DataOf<'get_admin_audit'>;
export type AuditLogEntry = ItemOf<'get_admin_audit_log'>;
export type AuditLogWrite = DataOf<'get_admin_audit_log_id'>;
