import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { AcquireLeaseRequest as _tollgate_billing_v1_AcquireLeaseRequest, AcquireLeaseRequest__Output as _tollgate_billing_v1_AcquireLeaseRequest__Output } from './tollgate/billing/v1/AcquireLeaseRequest';
import type { AcquireLeaseResponse as _tollgate_billing_v1_AcquireLeaseResponse, AcquireLeaseResponse__Output as _tollgate_billing_v1_AcquireLeaseResponse__Output } from './tollgate/billing/v1/AcquireLeaseResponse';
import type { AddCreditsRequest as _tollgate_billing_v1_AddCreditsRequest, AddCreditsRequest__Output as _tollgate_billing_v1_AddCreditsRequest__Output } from './tollgate/billing/v1/AddCreditsRequest';
import type { AddCreditsResponse as _tollgate_billing_v1_AddCreditsResponse, AddCreditsResponse__Output as _tollgate_billing_v1_AddCreditsResponse__Output } from './tollgate/billing/v1/AddCreditsResponse';
import type { AuditFinding as _tollgate_billing_v1_AuditFinding, AuditFinding__Output as _tollgate_billing_v1_AuditFinding__Output } from './tollgate/billing/v1/AuditFinding';
import type { AuditRequest as _tollgate_billing_v1_AuditRequest, AuditRequest__Output as _tollgate_billing_v1_AuditRequest__Output } from './tollgate/billing/v1/AuditRequest';
import type { AuditResponse as _tollgate_billing_v1_AuditResponse, AuditResponse__Output as _tollgate_billing_v1_AuditResponse__Output } from './tollgate/billing/v1/AuditResponse';
import type { BillingServiceClient as _tollgate_billing_v1_BillingServiceClient, BillingServiceDefinition as _tollgate_billing_v1_BillingServiceDefinition } from './tollgate/billing/v1/BillingService';
import type { GetBalanceRequest as _tollgate_billing_v1_GetBalanceRequest, GetBalanceRequest__Output as _tollgate_billing_v1_GetBalanceRequest__Output } from './tollgate/billing/v1/GetBalanceRequest';
import type { GetBalanceResponse as _tollgate_billing_v1_GetBalanceResponse, GetBalanceResponse__Output as _tollgate_billing_v1_GetBalanceResponse__Output } from './tollgate/billing/v1/GetBalanceResponse';
import type { GetKeyBudgetsRequest as _tollgate_billing_v1_GetKeyBudgetsRequest, GetKeyBudgetsRequest__Output as _tollgate_billing_v1_GetKeyBudgetsRequest__Output } from './tollgate/billing/v1/GetKeyBudgetsRequest';
import type { GetKeyBudgetsResponse as _tollgate_billing_v1_GetKeyBudgetsResponse, GetKeyBudgetsResponse__Output as _tollgate_billing_v1_GetKeyBudgetsResponse__Output } from './tollgate/billing/v1/GetKeyBudgetsResponse';
import type { GetReceiptRequest as _tollgate_billing_v1_GetReceiptRequest, GetReceiptRequest__Output as _tollgate_billing_v1_GetReceiptRequest__Output } from './tollgate/billing/v1/GetReceiptRequest';
import type { GetReceiptResponse as _tollgate_billing_v1_GetReceiptResponse, GetReceiptResponse__Output as _tollgate_billing_v1_GetReceiptResponse__Output } from './tollgate/billing/v1/GetReceiptResponse';
import type { GetSettlementsRequest as _tollgate_billing_v1_GetSettlementsRequest, GetSettlementsRequest__Output as _tollgate_billing_v1_GetSettlementsRequest__Output } from './tollgate/billing/v1/GetSettlementsRequest';
import type { GetSettlementsResponse as _tollgate_billing_v1_GetSettlementsResponse, GetSettlementsResponse__Output as _tollgate_billing_v1_GetSettlementsResponse__Output } from './tollgate/billing/v1/GetSettlementsResponse';
import type { KeyBudget as _tollgate_billing_v1_KeyBudget, KeyBudget__Output as _tollgate_billing_v1_KeyBudget__Output } from './tollgate/billing/v1/KeyBudget';
import type { KeyBudgetState as _tollgate_billing_v1_KeyBudgetState, KeyBudgetState__Output as _tollgate_billing_v1_KeyBudgetState__Output } from './tollgate/billing/v1/KeyBudgetState';
import type { LeaseReference as _tollgate_billing_v1_LeaseReference, LeaseReference__Output as _tollgate_billing_v1_LeaseReference__Output } from './tollgate/billing/v1/LeaseReference';
import type { LedgerEntry as _tollgate_billing_v1_LedgerEntry, LedgerEntry__Output as _tollgate_billing_v1_LedgerEntry__Output } from './tollgate/billing/v1/LedgerEntry';
import type { ListLedgerRequest as _tollgate_billing_v1_ListLedgerRequest, ListLedgerRequest__Output as _tollgate_billing_v1_ListLedgerRequest__Output } from './tollgate/billing/v1/ListLedgerRequest';
import type { ListLedgerResponse as _tollgate_billing_v1_ListLedgerResponse, ListLedgerResponse__Output as _tollgate_billing_v1_ListLedgerResponse__Output } from './tollgate/billing/v1/ListLedgerResponse';
import type { ListPlansRequest as _tollgate_billing_v1_ListPlansRequest, ListPlansRequest__Output as _tollgate_billing_v1_ListPlansRequest__Output } from './tollgate/billing/v1/ListPlansRequest';
import type { ListPlansResponse as _tollgate_billing_v1_ListPlansResponse, ListPlansResponse__Output as _tollgate_billing_v1_ListPlansResponse__Output } from './tollgate/billing/v1/ListPlansResponse';
import type { Plan as _tollgate_billing_v1_Plan, Plan__Output as _tollgate_billing_v1_Plan__Output } from './tollgate/billing/v1/Plan';
import type { RetireLeasesRequest as _tollgate_billing_v1_RetireLeasesRequest, RetireLeasesRequest__Output as _tollgate_billing_v1_RetireLeasesRequest__Output } from './tollgate/billing/v1/RetireLeasesRequest';
import type { RetireLeasesResponse as _tollgate_billing_v1_RetireLeasesResponse, RetireLeasesResponse__Output as _tollgate_billing_v1_RetireLeasesResponse__Output } from './tollgate/billing/v1/RetireLeasesResponse';
import type { SettleUsageRequest as _tollgate_billing_v1_SettleUsageRequest, SettleUsageRequest__Output as _tollgate_billing_v1_SettleUsageRequest__Output } from './tollgate/billing/v1/SettleUsageRequest';
import type { SettleUsageResponse as _tollgate_billing_v1_SettleUsageResponse, SettleUsageResponse__Output as _tollgate_billing_v1_SettleUsageResponse__Output } from './tollgate/billing/v1/SettleUsageResponse';
import type { Settlement as _tollgate_billing_v1_Settlement, Settlement__Output as _tollgate_billing_v1_Settlement__Output } from './tollgate/billing/v1/Settlement';
import type { UsageRecord as _tollgate_billing_v1_UsageRecord, UsageRecord__Output as _tollgate_billing_v1_UsageRecord__Output } from './tollgate/billing/v1/UsageRecord';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  tollgate: {
    billing: {
      v1: {
        AcquireLeaseRequest: MessageTypeDefinition<_tollgate_billing_v1_AcquireLeaseRequest, _tollgate_billing_v1_AcquireLeaseRequest__Output>
        AcquireLeaseResponse: MessageTypeDefinition<_tollgate_billing_v1_AcquireLeaseResponse, _tollgate_billing_v1_AcquireLeaseResponse__Output>
        AddCreditsRequest: MessageTypeDefinition<_tollgate_billing_v1_AddCreditsRequest, _tollgate_billing_v1_AddCreditsRequest__Output>
        AddCreditsResponse: MessageTypeDefinition<_tollgate_billing_v1_AddCreditsResponse, _tollgate_billing_v1_AddCreditsResponse__Output>
        AuditFinding: MessageTypeDefinition<_tollgate_billing_v1_AuditFinding, _tollgate_billing_v1_AuditFinding__Output>
        AuditRequest: MessageTypeDefinition<_tollgate_billing_v1_AuditRequest, _tollgate_billing_v1_AuditRequest__Output>
        AuditResponse: MessageTypeDefinition<_tollgate_billing_v1_AuditResponse, _tollgate_billing_v1_AuditResponse__Output>
        /**
         * Balances, leases, settlement and the ledger. Every amount is an int64 of nano-units (10^-9 of the
         * deployment's currency).
         */
        BillingService: SubtypeConstructor<typeof grpc.Client, _tollgate_billing_v1_BillingServiceClient> & { service: _tollgate_billing_v1_BillingServiceDefinition }
        BudgetPeriod: EnumTypeDefinition
        GetBalanceRequest: MessageTypeDefinition<_tollgate_billing_v1_GetBalanceRequest, _tollgate_billing_v1_GetBalanceRequest__Output>
        GetBalanceResponse: MessageTypeDefinition<_tollgate_billing_v1_GetBalanceResponse, _tollgate_billing_v1_GetBalanceResponse__Output>
        GetKeyBudgetsRequest: MessageTypeDefinition<_tollgate_billing_v1_GetKeyBudgetsRequest, _tollgate_billing_v1_GetKeyBudgetsRequest__Output>
        GetKeyBudgetsResponse: MessageTypeDefinition<_tollgate_billing_v1_GetKeyBudgetsResponse, _tollgate_billing_v1_GetKeyBudgetsResponse__Output>
        GetReceiptRequest: MessageTypeDefinition<_tollgate_billing_v1_GetReceiptRequest, _tollgate_billing_v1_GetReceiptRequest__Output>
        GetReceiptResponse: MessageTypeDefinition<_tollgate_billing_v1_GetReceiptResponse, _tollgate_billing_v1_GetReceiptResponse__Output>
        GetSettlementsRequest: MessageTypeDefinition<_tollgate_billing_v1_GetSettlementsRequest, _tollgate_billing_v1_GetSettlementsRequest__Output>
        GetSettlementsResponse: MessageTypeDefinition<_tollgate_billing_v1_GetSettlementsResponse, _tollgate_billing_v1_GetSettlementsResponse__Output>
        KeyBudget: MessageTypeDefinition<_tollgate_billing_v1_KeyBudget, _tollgate_billing_v1_KeyBudget__Output>
        KeyBudgetState: MessageTypeDefinition<_tollgate_billing_v1_KeyBudgetState, _tollgate_billing_v1_KeyBudgetState__Output>
        LeaseReference: MessageTypeDefinition<_tollgate_billing_v1_LeaseReference, _tollgate_billing_v1_LeaseReference__Output>
        LedgerEntry: MessageTypeDefinition<_tollgate_billing_v1_LedgerEntry, _tollgate_billing_v1_LedgerEntry__Output>
        ListLedgerRequest: MessageTypeDefinition<_tollgate_billing_v1_ListLedgerRequest, _tollgate_billing_v1_ListLedgerRequest__Output>
        ListLedgerResponse: MessageTypeDefinition<_tollgate_billing_v1_ListLedgerResponse, _tollgate_billing_v1_ListLedgerResponse__Output>
        ListPlansRequest: MessageTypeDefinition<_tollgate_billing_v1_ListPlansRequest, _tollgate_billing_v1_ListPlansRequest__Output>
        ListPlansResponse: MessageTypeDefinition<_tollgate_billing_v1_ListPlansResponse, _tollgate_billing_v1_ListPlansResponse__Output>
        Plan: MessageTypeDefinition<_tollgate_billing_v1_Plan, _tollgate_billing_v1_Plan__Output>
        RetireLeasesRequest: MessageTypeDefinition<_tollgate_billing_v1_RetireLeasesRequest, _tollgate_billing_v1_RetireLeasesRequest__Output>
        RetireLeasesResponse: MessageTypeDefinition<_tollgate_billing_v1_RetireLeasesResponse, _tollgate_billing_v1_RetireLeasesResponse__Output>
        SettleUsageRequest: MessageTypeDefinition<_tollgate_billing_v1_SettleUsageRequest, _tollgate_billing_v1_SettleUsageRequest__Output>
        SettleUsageResponse: MessageTypeDefinition<_tollgate_billing_v1_SettleUsageResponse, _tollgate_billing_v1_SettleUsageResponse__Output>
        Settlement: MessageTypeDefinition<_tollgate_billing_v1_Settlement, _tollgate_billing_v1_Settlement__Output>
        UsageKind: EnumTypeDefinition
        UsageRecord: MessageTypeDefinition<_tollgate_billing_v1_UsageRecord, _tollgate_billing_v1_UsageRecord__Output>
      }
    }
  }
}

