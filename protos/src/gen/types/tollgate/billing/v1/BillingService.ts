// Original file: tollgate/billing/v1/billing.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AcquireLeaseRequest as _tollgate_billing_v1_AcquireLeaseRequest, AcquireLeaseRequest__Output as _tollgate_billing_v1_AcquireLeaseRequest__Output } from '../../../tollgate/billing/v1/AcquireLeaseRequest';
import type { AcquireLeaseResponse as _tollgate_billing_v1_AcquireLeaseResponse, AcquireLeaseResponse__Output as _tollgate_billing_v1_AcquireLeaseResponse__Output } from '../../../tollgate/billing/v1/AcquireLeaseResponse';
import type { AddCreditsRequest as _tollgate_billing_v1_AddCreditsRequest, AddCreditsRequest__Output as _tollgate_billing_v1_AddCreditsRequest__Output } from '../../../tollgate/billing/v1/AddCreditsRequest';
import type { AddCreditsResponse as _tollgate_billing_v1_AddCreditsResponse, AddCreditsResponse__Output as _tollgate_billing_v1_AddCreditsResponse__Output } from '../../../tollgate/billing/v1/AddCreditsResponse';
import type { AdjustBalanceRequest as _tollgate_billing_v1_AdjustBalanceRequest, AdjustBalanceRequest__Output as _tollgate_billing_v1_AdjustBalanceRequest__Output } from '../../../tollgate/billing/v1/AdjustBalanceRequest';
import type { AdjustBalanceResponse as _tollgate_billing_v1_AdjustBalanceResponse, AdjustBalanceResponse__Output as _tollgate_billing_v1_AdjustBalanceResponse__Output } from '../../../tollgate/billing/v1/AdjustBalanceResponse';
import type { AuditRequest as _tollgate_billing_v1_AuditRequest, AuditRequest__Output as _tollgate_billing_v1_AuditRequest__Output } from '../../../tollgate/billing/v1/AuditRequest';
import type { AuditResponse as _tollgate_billing_v1_AuditResponse, AuditResponse__Output as _tollgate_billing_v1_AuditResponse__Output } from '../../../tollgate/billing/v1/AuditResponse';
import type { BeginAnswerRequest as _tollgate_billing_v1_BeginAnswerRequest, BeginAnswerRequest__Output as _tollgate_billing_v1_BeginAnswerRequest__Output } from '../../../tollgate/billing/v1/BeginAnswerRequest';
import type { BeginAnswerResponse as _tollgate_billing_v1_BeginAnswerResponse, BeginAnswerResponse__Output as _tollgate_billing_v1_BeginAnswerResponse__Output } from '../../../tollgate/billing/v1/BeginAnswerResponse';
import type { CreateCodesRequest as _tollgate_billing_v1_CreateCodesRequest, CreateCodesRequest__Output as _tollgate_billing_v1_CreateCodesRequest__Output } from '../../../tollgate/billing/v1/CreateCodesRequest';
import type { CreateCodesResponse as _tollgate_billing_v1_CreateCodesResponse, CreateCodesResponse__Output as _tollgate_billing_v1_CreateCodesResponse__Output } from '../../../tollgate/billing/v1/CreateCodesResponse';
import type { DropAnswerRequest as _tollgate_billing_v1_DropAnswerRequest, DropAnswerRequest__Output as _tollgate_billing_v1_DropAnswerRequest__Output } from '../../../tollgate/billing/v1/DropAnswerRequest';
import type { DropAnswerResponse as _tollgate_billing_v1_DropAnswerResponse, DropAnswerResponse__Output as _tollgate_billing_v1_DropAnswerResponse__Output } from '../../../tollgate/billing/v1/DropAnswerResponse';
import type { GetAnswerRequest as _tollgate_billing_v1_GetAnswerRequest, GetAnswerRequest__Output as _tollgate_billing_v1_GetAnswerRequest__Output } from '../../../tollgate/billing/v1/GetAnswerRequest';
import type { GetAnswerResponse as _tollgate_billing_v1_GetAnswerResponse, GetAnswerResponse__Output as _tollgate_billing_v1_GetAnswerResponse__Output } from '../../../tollgate/billing/v1/GetAnswerResponse';
import type { GetBalanceRequest as _tollgate_billing_v1_GetBalanceRequest, GetBalanceRequest__Output as _tollgate_billing_v1_GetBalanceRequest__Output } from '../../../tollgate/billing/v1/GetBalanceRequest';
import type { GetBalanceResponse as _tollgate_billing_v1_GetBalanceResponse, GetBalanceResponse__Output as _tollgate_billing_v1_GetBalanceResponse__Output } from '../../../tollgate/billing/v1/GetBalanceResponse';
import type { GetCodeRequest as _tollgate_billing_v1_GetCodeRequest, GetCodeRequest__Output as _tollgate_billing_v1_GetCodeRequest__Output } from '../../../tollgate/billing/v1/GetCodeRequest';
import type { GetCodeResponse as _tollgate_billing_v1_GetCodeResponse, GetCodeResponse__Output as _tollgate_billing_v1_GetCodeResponse__Output } from '../../../tollgate/billing/v1/GetCodeResponse';
import type { GetKeyBudgetsRequest as _tollgate_billing_v1_GetKeyBudgetsRequest, GetKeyBudgetsRequest__Output as _tollgate_billing_v1_GetKeyBudgetsRequest__Output } from '../../../tollgate/billing/v1/GetKeyBudgetsRequest';
import type { GetKeyBudgetsResponse as _tollgate_billing_v1_GetKeyBudgetsResponse, GetKeyBudgetsResponse__Output as _tollgate_billing_v1_GetKeyBudgetsResponse__Output } from '../../../tollgate/billing/v1/GetKeyBudgetsResponse';
import type { GetPlanRequest as _tollgate_billing_v1_GetPlanRequest, GetPlanRequest__Output as _tollgate_billing_v1_GetPlanRequest__Output } from '../../../tollgate/billing/v1/GetPlanRequest';
import type { GetPlanResponse as _tollgate_billing_v1_GetPlanResponse, GetPlanResponse__Output as _tollgate_billing_v1_GetPlanResponse__Output } from '../../../tollgate/billing/v1/GetPlanResponse';
import type { GetReceiptRequest as _tollgate_billing_v1_GetReceiptRequest, GetReceiptRequest__Output as _tollgate_billing_v1_GetReceiptRequest__Output } from '../../../tollgate/billing/v1/GetReceiptRequest';
import type { GetReceiptResponse as _tollgate_billing_v1_GetReceiptResponse, GetReceiptResponse__Output as _tollgate_billing_v1_GetReceiptResponse__Output } from '../../../tollgate/billing/v1/GetReceiptResponse';
import type { GetSettlementsRequest as _tollgate_billing_v1_GetSettlementsRequest, GetSettlementsRequest__Output as _tollgate_billing_v1_GetSettlementsRequest__Output } from '../../../tollgate/billing/v1/GetSettlementsRequest';
import type { GetSettlementsResponse as _tollgate_billing_v1_GetSettlementsResponse, GetSettlementsResponse__Output as _tollgate_billing_v1_GetSettlementsResponse__Output } from '../../../tollgate/billing/v1/GetSettlementsResponse';
import type { GetStatementRequest as _tollgate_billing_v1_GetStatementRequest, GetStatementRequest__Output as _tollgate_billing_v1_GetStatementRequest__Output } from '../../../tollgate/billing/v1/GetStatementRequest';
import type { GetStatementResponse as _tollgate_billing_v1_GetStatementResponse, GetStatementResponse__Output as _tollgate_billing_v1_GetStatementResponse__Output } from '../../../tollgate/billing/v1/GetStatementResponse';
import type { GetThresholdsRequest as _tollgate_billing_v1_GetThresholdsRequest, GetThresholdsRequest__Output as _tollgate_billing_v1_GetThresholdsRequest__Output } from '../../../tollgate/billing/v1/GetThresholdsRequest';
import type { GetThresholdsResponse as _tollgate_billing_v1_GetThresholdsResponse, GetThresholdsResponse__Output as _tollgate_billing_v1_GetThresholdsResponse__Output } from '../../../tollgate/billing/v1/GetThresholdsResponse';
import type { KeepAnswerRequest as _tollgate_billing_v1_KeepAnswerRequest, KeepAnswerRequest__Output as _tollgate_billing_v1_KeepAnswerRequest__Output } from '../../../tollgate/billing/v1/KeepAnswerRequest';
import type { KeepAnswerResponse as _tollgate_billing_v1_KeepAnswerResponse, KeepAnswerResponse__Output as _tollgate_billing_v1_KeepAnswerResponse__Output } from '../../../tollgate/billing/v1/KeepAnswerResponse';
import type { ListCodesRequest as _tollgate_billing_v1_ListCodesRequest, ListCodesRequest__Output as _tollgate_billing_v1_ListCodesRequest__Output } from '../../../tollgate/billing/v1/ListCodesRequest';
import type { ListCodesResponse as _tollgate_billing_v1_ListCodesResponse, ListCodesResponse__Output as _tollgate_billing_v1_ListCodesResponse__Output } from '../../../tollgate/billing/v1/ListCodesResponse';
import type { ListLedgerRequest as _tollgate_billing_v1_ListLedgerRequest, ListLedgerRequest__Output as _tollgate_billing_v1_ListLedgerRequest__Output } from '../../../tollgate/billing/v1/ListLedgerRequest';
import type { ListLedgerResponse as _tollgate_billing_v1_ListLedgerResponse, ListLedgerResponse__Output as _tollgate_billing_v1_ListLedgerResponse__Output } from '../../../tollgate/billing/v1/ListLedgerResponse';
import type { ListPlansRequest as _tollgate_billing_v1_ListPlansRequest, ListPlansRequest__Output as _tollgate_billing_v1_ListPlansRequest__Output } from '../../../tollgate/billing/v1/ListPlansRequest';
import type { ListPlansResponse as _tollgate_billing_v1_ListPlansResponse, ListPlansResponse__Output as _tollgate_billing_v1_ListPlansResponse__Output } from '../../../tollgate/billing/v1/ListPlansResponse';
import type { ListStatementsRequest as _tollgate_billing_v1_ListStatementsRequest, ListStatementsRequest__Output as _tollgate_billing_v1_ListStatementsRequest__Output } from '../../../tollgate/billing/v1/ListStatementsRequest';
import type { ListStatementsResponse as _tollgate_billing_v1_ListStatementsResponse, ListStatementsResponse__Output as _tollgate_billing_v1_ListStatementsResponse__Output } from '../../../tollgate/billing/v1/ListStatementsResponse';
import type { PutPlanRequest as _tollgate_billing_v1_PutPlanRequest, PutPlanRequest__Output as _tollgate_billing_v1_PutPlanRequest__Output } from '../../../tollgate/billing/v1/PutPlanRequest';
import type { PutPlanResponse as _tollgate_billing_v1_PutPlanResponse, PutPlanResponse__Output as _tollgate_billing_v1_PutPlanResponse__Output } from '../../../tollgate/billing/v1/PutPlanResponse';
import type { RedeemCodeRequest as _tollgate_billing_v1_RedeemCodeRequest, RedeemCodeRequest__Output as _tollgate_billing_v1_RedeemCodeRequest__Output } from '../../../tollgate/billing/v1/RedeemCodeRequest';
import type { RedeemCodeResponse as _tollgate_billing_v1_RedeemCodeResponse, RedeemCodeResponse__Output as _tollgate_billing_v1_RedeemCodeResponse__Output } from '../../../tollgate/billing/v1/RedeemCodeResponse';
import type { RetireLeasesRequest as _tollgate_billing_v1_RetireLeasesRequest, RetireLeasesRequest__Output as _tollgate_billing_v1_RetireLeasesRequest__Output } from '../../../tollgate/billing/v1/RetireLeasesRequest';
import type { RetireLeasesResponse as _tollgate_billing_v1_RetireLeasesResponse, RetireLeasesResponse__Output as _tollgate_billing_v1_RetireLeasesResponse__Output } from '../../../tollgate/billing/v1/RetireLeasesResponse';
import type { RevokeCodesRequest as _tollgate_billing_v1_RevokeCodesRequest, RevokeCodesRequest__Output as _tollgate_billing_v1_RevokeCodesRequest__Output } from '../../../tollgate/billing/v1/RevokeCodesRequest';
import type { RevokeCodesResponse as _tollgate_billing_v1_RevokeCodesResponse, RevokeCodesResponse__Output as _tollgate_billing_v1_RevokeCodesResponse__Output } from '../../../tollgate/billing/v1/RevokeCodesResponse';
import type { SearchChargesRequest as _tollgate_billing_v1_SearchChargesRequest, SearchChargesRequest__Output as _tollgate_billing_v1_SearchChargesRequest__Output } from '../../../tollgate/billing/v1/SearchChargesRequest';
import type { SearchChargesResponse as _tollgate_billing_v1_SearchChargesResponse, SearchChargesResponse__Output as _tollgate_billing_v1_SearchChargesResponse__Output } from '../../../tollgate/billing/v1/SearchChargesResponse';
import type { SearchLedgerRequest as _tollgate_billing_v1_SearchLedgerRequest, SearchLedgerRequest__Output as _tollgate_billing_v1_SearchLedgerRequest__Output } from '../../../tollgate/billing/v1/SearchLedgerRequest';
import type { SearchLedgerResponse as _tollgate_billing_v1_SearchLedgerResponse, SearchLedgerResponse__Output as _tollgate_billing_v1_SearchLedgerResponse__Output } from '../../../tollgate/billing/v1/SearchLedgerResponse';
import type { SetThresholdsRequest as _tollgate_billing_v1_SetThresholdsRequest, SetThresholdsRequest__Output as _tollgate_billing_v1_SetThresholdsRequest__Output } from '../../../tollgate/billing/v1/SetThresholdsRequest';
import type { SetThresholdsResponse as _tollgate_billing_v1_SetThresholdsResponse, SetThresholdsResponse__Output as _tollgate_billing_v1_SetThresholdsResponse__Output } from '../../../tollgate/billing/v1/SetThresholdsResponse';
import type { SettleUsageRequest as _tollgate_billing_v1_SettleUsageRequest, SettleUsageRequest__Output as _tollgate_billing_v1_SettleUsageRequest__Output } from '../../../tollgate/billing/v1/SettleUsageRequest';
import type { SettleUsageResponse as _tollgate_billing_v1_SettleUsageResponse, SettleUsageResponse__Output as _tollgate_billing_v1_SettleUsageResponse__Output } from '../../../tollgate/billing/v1/SettleUsageResponse';
import type { TopUpRequest as _tollgate_billing_v1_TopUpRequest, TopUpRequest__Output as _tollgate_billing_v1_TopUpRequest__Output } from '../../../tollgate/billing/v1/TopUpRequest';
import type { TopUpResponse as _tollgate_billing_v1_TopUpResponse, TopUpResponse__Output as _tollgate_billing_v1_TopUpResponse__Output } from '../../../tollgate/billing/v1/TopUpResponse';

/**
 * Balances, leases, settlement and the ledger. Every amount is an int64 of nano-units (10^-9 of the
 * deployment's currency).
 */
export interface BillingServiceClient extends grpc.Client {
  /**
   * Grants a credit lease. A nonce that stands in an open lease renews that lease.
   */
  AcquireLease(argument: _tollgate_billing_v1_AcquireLeaseRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_AcquireLeaseResponse__Output>): grpc.ClientUnaryCall;
  AcquireLease(argument: _tollgate_billing_v1_AcquireLeaseRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_AcquireLeaseResponse__Output>): grpc.ClientUnaryCall;
  AcquireLease(argument: _tollgate_billing_v1_AcquireLeaseRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_AcquireLeaseResponse__Output>): grpc.ClientUnaryCall;
  AcquireLease(argument: _tollgate_billing_v1_AcquireLeaseRequest, callback: grpc.requestCallback<_tollgate_billing_v1_AcquireLeaseResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Grants a credit lease. A nonce that stands in an open lease renews that lease.
   */
  acquireLease(argument: _tollgate_billing_v1_AcquireLeaseRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_AcquireLeaseResponse__Output>): grpc.ClientUnaryCall;
  acquireLease(argument: _tollgate_billing_v1_AcquireLeaseRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_AcquireLeaseResponse__Output>): grpc.ClientUnaryCall;
  acquireLease(argument: _tollgate_billing_v1_AcquireLeaseRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_AcquireLeaseResponse__Output>): grpc.ClientUnaryCall;
  acquireLease(argument: _tollgate_billing_v1_AcquireLeaseRequest, callback: grpc.requestCallback<_tollgate_billing_v1_AcquireLeaseResponse__Output>): grpc.ClientUnaryCall;
  
  AddCredits(argument: _tollgate_billing_v1_AddCreditsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_AddCreditsResponse__Output>): grpc.ClientUnaryCall;
  AddCredits(argument: _tollgate_billing_v1_AddCreditsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_AddCreditsResponse__Output>): grpc.ClientUnaryCall;
  AddCredits(argument: _tollgate_billing_v1_AddCreditsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_AddCreditsResponse__Output>): grpc.ClientUnaryCall;
  AddCredits(argument: _tollgate_billing_v1_AddCreditsRequest, callback: grpc.requestCallback<_tollgate_billing_v1_AddCreditsResponse__Output>): grpc.ClientUnaryCall;
  addCredits(argument: _tollgate_billing_v1_AddCreditsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_AddCreditsResponse__Output>): grpc.ClientUnaryCall;
  addCredits(argument: _tollgate_billing_v1_AddCreditsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_AddCreditsResponse__Output>): grpc.ClientUnaryCall;
  addCredits(argument: _tollgate_billing_v1_AddCreditsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_AddCreditsResponse__Output>): grpc.ClientUnaryCall;
  addCredits(argument: _tollgate_billing_v1_AddCreditsRequest, callback: grpc.requestCallback<_tollgate_billing_v1_AddCreditsResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Corrects a balance, upwards or downwards; never below what is reserved or spent.
   */
  AdjustBalance(argument: _tollgate_billing_v1_AdjustBalanceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_AdjustBalanceResponse__Output>): grpc.ClientUnaryCall;
  AdjustBalance(argument: _tollgate_billing_v1_AdjustBalanceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_AdjustBalanceResponse__Output>): grpc.ClientUnaryCall;
  AdjustBalance(argument: _tollgate_billing_v1_AdjustBalanceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_AdjustBalanceResponse__Output>): grpc.ClientUnaryCall;
  AdjustBalance(argument: _tollgate_billing_v1_AdjustBalanceRequest, callback: grpc.requestCallback<_tollgate_billing_v1_AdjustBalanceResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Corrects a balance, upwards or downwards; never below what is reserved or spent.
   */
  adjustBalance(argument: _tollgate_billing_v1_AdjustBalanceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_AdjustBalanceResponse__Output>): grpc.ClientUnaryCall;
  adjustBalance(argument: _tollgate_billing_v1_AdjustBalanceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_AdjustBalanceResponse__Output>): grpc.ClientUnaryCall;
  adjustBalance(argument: _tollgate_billing_v1_AdjustBalanceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_AdjustBalanceResponse__Output>): grpc.ClientUnaryCall;
  adjustBalance(argument: _tollgate_billing_v1_AdjustBalanceRequest, callback: grpc.requestCallback<_tollgate_billing_v1_AdjustBalanceResponse__Output>): grpc.ClientUnaryCall;
  
  Audit(argument: _tollgate_billing_v1_AuditRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_AuditResponse__Output>): grpc.ClientUnaryCall;
  Audit(argument: _tollgate_billing_v1_AuditRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_AuditResponse__Output>): grpc.ClientUnaryCall;
  Audit(argument: _tollgate_billing_v1_AuditRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_AuditResponse__Output>): grpc.ClientUnaryCall;
  Audit(argument: _tollgate_billing_v1_AuditRequest, callback: grpc.requestCallback<_tollgate_billing_v1_AuditResponse__Output>): grpc.ClientUnaryCall;
  audit(argument: _tollgate_billing_v1_AuditRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_AuditResponse__Output>): grpc.ClientUnaryCall;
  audit(argument: _tollgate_billing_v1_AuditRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_AuditResponse__Output>): grpc.ClientUnaryCall;
  audit(argument: _tollgate_billing_v1_AuditRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_AuditResponse__Output>): grpc.ClientUnaryCall;
  audit(argument: _tollgate_billing_v1_AuditRequest, callback: grpc.requestCallback<_tollgate_billing_v1_AuditResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Announces a request whose answer is kept for a day, or answers what an equal one was answered.
   */
  BeginAnswer(argument: _tollgate_billing_v1_BeginAnswerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_BeginAnswerResponse__Output>): grpc.ClientUnaryCall;
  BeginAnswer(argument: _tollgate_billing_v1_BeginAnswerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_BeginAnswerResponse__Output>): grpc.ClientUnaryCall;
  BeginAnswer(argument: _tollgate_billing_v1_BeginAnswerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_BeginAnswerResponse__Output>): grpc.ClientUnaryCall;
  BeginAnswer(argument: _tollgate_billing_v1_BeginAnswerRequest, callback: grpc.requestCallback<_tollgate_billing_v1_BeginAnswerResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Announces a request whose answer is kept for a day, or answers what an equal one was answered.
   */
  beginAnswer(argument: _tollgate_billing_v1_BeginAnswerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_BeginAnswerResponse__Output>): grpc.ClientUnaryCall;
  beginAnswer(argument: _tollgate_billing_v1_BeginAnswerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_BeginAnswerResponse__Output>): grpc.ClientUnaryCall;
  beginAnswer(argument: _tollgate_billing_v1_BeginAnswerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_BeginAnswerResponse__Output>): grpc.ClientUnaryCall;
  beginAnswer(argument: _tollgate_billing_v1_BeginAnswerRequest, callback: grpc.requestCallback<_tollgate_billing_v1_BeginAnswerResponse__Output>): grpc.ClientUnaryCall;
  
  CreateCodes(argument: _tollgate_billing_v1_CreateCodesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_CreateCodesResponse__Output>): grpc.ClientUnaryCall;
  CreateCodes(argument: _tollgate_billing_v1_CreateCodesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_CreateCodesResponse__Output>): grpc.ClientUnaryCall;
  CreateCodes(argument: _tollgate_billing_v1_CreateCodesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_CreateCodesResponse__Output>): grpc.ClientUnaryCall;
  CreateCodes(argument: _tollgate_billing_v1_CreateCodesRequest, callback: grpc.requestCallback<_tollgate_billing_v1_CreateCodesResponse__Output>): grpc.ClientUnaryCall;
  createCodes(argument: _tollgate_billing_v1_CreateCodesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_CreateCodesResponse__Output>): grpc.ClientUnaryCall;
  createCodes(argument: _tollgate_billing_v1_CreateCodesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_CreateCodesResponse__Output>): grpc.ClientUnaryCall;
  createCodes(argument: _tollgate_billing_v1_CreateCodesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_CreateCodesResponse__Output>): grpc.ClientUnaryCall;
  createCodes(argument: _tollgate_billing_v1_CreateCodesRequest, callback: grpc.requestCallback<_tollgate_billing_v1_CreateCodesResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Forgets a request that failed and was charged nothing, so that it may be sent again.
   */
  DropAnswer(argument: _tollgate_billing_v1_DropAnswerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_DropAnswerResponse__Output>): grpc.ClientUnaryCall;
  DropAnswer(argument: _tollgate_billing_v1_DropAnswerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_DropAnswerResponse__Output>): grpc.ClientUnaryCall;
  DropAnswer(argument: _tollgate_billing_v1_DropAnswerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_DropAnswerResponse__Output>): grpc.ClientUnaryCall;
  DropAnswer(argument: _tollgate_billing_v1_DropAnswerRequest, callback: grpc.requestCallback<_tollgate_billing_v1_DropAnswerResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Forgets a request that failed and was charged nothing, so that it may be sent again.
   */
  dropAnswer(argument: _tollgate_billing_v1_DropAnswerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_DropAnswerResponse__Output>): grpc.ClientUnaryCall;
  dropAnswer(argument: _tollgate_billing_v1_DropAnswerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_DropAnswerResponse__Output>): grpc.ClientUnaryCall;
  dropAnswer(argument: _tollgate_billing_v1_DropAnswerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_DropAnswerResponse__Output>): grpc.ClientUnaryCall;
  dropAnswer(argument: _tollgate_billing_v1_DropAnswerRequest, callback: grpc.requestCallback<_tollgate_billing_v1_DropAnswerResponse__Output>): grpc.ClientUnaryCall;
  
  GetAnswer(argument: _tollgate_billing_v1_GetAnswerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetAnswerResponse__Output>): grpc.ClientUnaryCall;
  GetAnswer(argument: _tollgate_billing_v1_GetAnswerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_GetAnswerResponse__Output>): grpc.ClientUnaryCall;
  GetAnswer(argument: _tollgate_billing_v1_GetAnswerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetAnswerResponse__Output>): grpc.ClientUnaryCall;
  GetAnswer(argument: _tollgate_billing_v1_GetAnswerRequest, callback: grpc.requestCallback<_tollgate_billing_v1_GetAnswerResponse__Output>): grpc.ClientUnaryCall;
  getAnswer(argument: _tollgate_billing_v1_GetAnswerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetAnswerResponse__Output>): grpc.ClientUnaryCall;
  getAnswer(argument: _tollgate_billing_v1_GetAnswerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_GetAnswerResponse__Output>): grpc.ClientUnaryCall;
  getAnswer(argument: _tollgate_billing_v1_GetAnswerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetAnswerResponse__Output>): grpc.ClientUnaryCall;
  getAnswer(argument: _tollgate_billing_v1_GetAnswerRequest, callback: grpc.requestCallback<_tollgate_billing_v1_GetAnswerResponse__Output>): grpc.ClientUnaryCall;
  
  GetBalance(argument: _tollgate_billing_v1_GetBalanceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetBalanceResponse__Output>): grpc.ClientUnaryCall;
  GetBalance(argument: _tollgate_billing_v1_GetBalanceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_GetBalanceResponse__Output>): grpc.ClientUnaryCall;
  GetBalance(argument: _tollgate_billing_v1_GetBalanceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetBalanceResponse__Output>): grpc.ClientUnaryCall;
  GetBalance(argument: _tollgate_billing_v1_GetBalanceRequest, callback: grpc.requestCallback<_tollgate_billing_v1_GetBalanceResponse__Output>): grpc.ClientUnaryCall;
  getBalance(argument: _tollgate_billing_v1_GetBalanceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetBalanceResponse__Output>): grpc.ClientUnaryCall;
  getBalance(argument: _tollgate_billing_v1_GetBalanceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_GetBalanceResponse__Output>): grpc.ClientUnaryCall;
  getBalance(argument: _tollgate_billing_v1_GetBalanceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetBalanceResponse__Output>): grpc.ClientUnaryCall;
  getBalance(argument: _tollgate_billing_v1_GetBalanceRequest, callback: grpc.requestCallback<_tollgate_billing_v1_GetBalanceResponse__Output>): grpc.ClientUnaryCall;
  
  GetCode(argument: _tollgate_billing_v1_GetCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetCodeResponse__Output>): grpc.ClientUnaryCall;
  GetCode(argument: _tollgate_billing_v1_GetCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_GetCodeResponse__Output>): grpc.ClientUnaryCall;
  GetCode(argument: _tollgate_billing_v1_GetCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetCodeResponse__Output>): grpc.ClientUnaryCall;
  GetCode(argument: _tollgate_billing_v1_GetCodeRequest, callback: grpc.requestCallback<_tollgate_billing_v1_GetCodeResponse__Output>): grpc.ClientUnaryCall;
  getCode(argument: _tollgate_billing_v1_GetCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetCodeResponse__Output>): grpc.ClientUnaryCall;
  getCode(argument: _tollgate_billing_v1_GetCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_GetCodeResponse__Output>): grpc.ClientUnaryCall;
  getCode(argument: _tollgate_billing_v1_GetCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetCodeResponse__Output>): grpc.ClientUnaryCall;
  getCode(argument: _tollgate_billing_v1_GetCodeRequest, callback: grpc.requestCallback<_tollgate_billing_v1_GetCodeResponse__Output>): grpc.ClientUnaryCall;
  
  GetKeyBudgets(argument: _tollgate_billing_v1_GetKeyBudgetsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetKeyBudgetsResponse__Output>): grpc.ClientUnaryCall;
  GetKeyBudgets(argument: _tollgate_billing_v1_GetKeyBudgetsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_GetKeyBudgetsResponse__Output>): grpc.ClientUnaryCall;
  GetKeyBudgets(argument: _tollgate_billing_v1_GetKeyBudgetsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetKeyBudgetsResponse__Output>): grpc.ClientUnaryCall;
  GetKeyBudgets(argument: _tollgate_billing_v1_GetKeyBudgetsRequest, callback: grpc.requestCallback<_tollgate_billing_v1_GetKeyBudgetsResponse__Output>): grpc.ClientUnaryCall;
  getKeyBudgets(argument: _tollgate_billing_v1_GetKeyBudgetsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetKeyBudgetsResponse__Output>): grpc.ClientUnaryCall;
  getKeyBudgets(argument: _tollgate_billing_v1_GetKeyBudgetsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_GetKeyBudgetsResponse__Output>): grpc.ClientUnaryCall;
  getKeyBudgets(argument: _tollgate_billing_v1_GetKeyBudgetsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetKeyBudgetsResponse__Output>): grpc.ClientUnaryCall;
  getKeyBudgets(argument: _tollgate_billing_v1_GetKeyBudgetsRequest, callback: grpc.requestCallback<_tollgate_billing_v1_GetKeyBudgetsResponse__Output>): grpc.ClientUnaryCall;
  
  GetPlan(argument: _tollgate_billing_v1_GetPlanRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetPlanResponse__Output>): grpc.ClientUnaryCall;
  GetPlan(argument: _tollgate_billing_v1_GetPlanRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_GetPlanResponse__Output>): grpc.ClientUnaryCall;
  GetPlan(argument: _tollgate_billing_v1_GetPlanRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetPlanResponse__Output>): grpc.ClientUnaryCall;
  GetPlan(argument: _tollgate_billing_v1_GetPlanRequest, callback: grpc.requestCallback<_tollgate_billing_v1_GetPlanResponse__Output>): grpc.ClientUnaryCall;
  getPlan(argument: _tollgate_billing_v1_GetPlanRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetPlanResponse__Output>): grpc.ClientUnaryCall;
  getPlan(argument: _tollgate_billing_v1_GetPlanRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_GetPlanResponse__Output>): grpc.ClientUnaryCall;
  getPlan(argument: _tollgate_billing_v1_GetPlanRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetPlanResponse__Output>): grpc.ClientUnaryCall;
  getPlan(argument: _tollgate_billing_v1_GetPlanRequest, callback: grpc.requestCallback<_tollgate_billing_v1_GetPlanResponse__Output>): grpc.ClientUnaryCall;
  
  GetReceipt(argument: _tollgate_billing_v1_GetReceiptRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetReceiptResponse__Output>): grpc.ClientUnaryCall;
  GetReceipt(argument: _tollgate_billing_v1_GetReceiptRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_GetReceiptResponse__Output>): grpc.ClientUnaryCall;
  GetReceipt(argument: _tollgate_billing_v1_GetReceiptRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetReceiptResponse__Output>): grpc.ClientUnaryCall;
  GetReceipt(argument: _tollgate_billing_v1_GetReceiptRequest, callback: grpc.requestCallback<_tollgate_billing_v1_GetReceiptResponse__Output>): grpc.ClientUnaryCall;
  getReceipt(argument: _tollgate_billing_v1_GetReceiptRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetReceiptResponse__Output>): grpc.ClientUnaryCall;
  getReceipt(argument: _tollgate_billing_v1_GetReceiptRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_GetReceiptResponse__Output>): grpc.ClientUnaryCall;
  getReceipt(argument: _tollgate_billing_v1_GetReceiptRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetReceiptResponse__Output>): grpc.ClientUnaryCall;
  getReceipt(argument: _tollgate_billing_v1_GetReceiptRequest, callback: grpc.requestCallback<_tollgate_billing_v1_GetReceiptResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Watermarks: which records of each lease are settled. Majority read.
   */
  GetSettlements(argument: _tollgate_billing_v1_GetSettlementsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetSettlementsResponse__Output>): grpc.ClientUnaryCall;
  GetSettlements(argument: _tollgate_billing_v1_GetSettlementsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_GetSettlementsResponse__Output>): grpc.ClientUnaryCall;
  GetSettlements(argument: _tollgate_billing_v1_GetSettlementsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetSettlementsResponse__Output>): grpc.ClientUnaryCall;
  GetSettlements(argument: _tollgate_billing_v1_GetSettlementsRequest, callback: grpc.requestCallback<_tollgate_billing_v1_GetSettlementsResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Watermarks: which records of each lease are settled. Majority read.
   */
  getSettlements(argument: _tollgate_billing_v1_GetSettlementsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetSettlementsResponse__Output>): grpc.ClientUnaryCall;
  getSettlements(argument: _tollgate_billing_v1_GetSettlementsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_GetSettlementsResponse__Output>): grpc.ClientUnaryCall;
  getSettlements(argument: _tollgate_billing_v1_GetSettlementsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetSettlementsResponse__Output>): grpc.ClientUnaryCall;
  getSettlements(argument: _tollgate_billing_v1_GetSettlementsRequest, callback: grpc.requestCallback<_tollgate_billing_v1_GetSettlementsResponse__Output>): grpc.ClientUnaryCall;
  
  GetStatement(argument: _tollgate_billing_v1_GetStatementRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetStatementResponse__Output>): grpc.ClientUnaryCall;
  GetStatement(argument: _tollgate_billing_v1_GetStatementRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_GetStatementResponse__Output>): grpc.ClientUnaryCall;
  GetStatement(argument: _tollgate_billing_v1_GetStatementRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetStatementResponse__Output>): grpc.ClientUnaryCall;
  GetStatement(argument: _tollgate_billing_v1_GetStatementRequest, callback: grpc.requestCallback<_tollgate_billing_v1_GetStatementResponse__Output>): grpc.ClientUnaryCall;
  getStatement(argument: _tollgate_billing_v1_GetStatementRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetStatementResponse__Output>): grpc.ClientUnaryCall;
  getStatement(argument: _tollgate_billing_v1_GetStatementRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_GetStatementResponse__Output>): grpc.ClientUnaryCall;
  getStatement(argument: _tollgate_billing_v1_GetStatementRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetStatementResponse__Output>): grpc.ClientUnaryCall;
  getStatement(argument: _tollgate_billing_v1_GetStatementRequest, callback: grpc.requestCallback<_tollgate_billing_v1_GetStatementResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * At which balances the owner is told, and where the account stops spending.
   */
  GetThresholds(argument: _tollgate_billing_v1_GetThresholdsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetThresholdsResponse__Output>): grpc.ClientUnaryCall;
  GetThresholds(argument: _tollgate_billing_v1_GetThresholdsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_GetThresholdsResponse__Output>): grpc.ClientUnaryCall;
  GetThresholds(argument: _tollgate_billing_v1_GetThresholdsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetThresholdsResponse__Output>): grpc.ClientUnaryCall;
  GetThresholds(argument: _tollgate_billing_v1_GetThresholdsRequest, callback: grpc.requestCallback<_tollgate_billing_v1_GetThresholdsResponse__Output>): grpc.ClientUnaryCall;
  /**
   * At which balances the owner is told, and where the account stops spending.
   */
  getThresholds(argument: _tollgate_billing_v1_GetThresholdsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetThresholdsResponse__Output>): grpc.ClientUnaryCall;
  getThresholds(argument: _tollgate_billing_v1_GetThresholdsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_GetThresholdsResponse__Output>): grpc.ClientUnaryCall;
  getThresholds(argument: _tollgate_billing_v1_GetThresholdsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_GetThresholdsResponse__Output>): grpc.ClientUnaryCall;
  getThresholds(argument: _tollgate_billing_v1_GetThresholdsRequest, callback: grpc.requestCallback<_tollgate_billing_v1_GetThresholdsResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Keeps the answer of a request that was announced.
   */
  KeepAnswer(argument: _tollgate_billing_v1_KeepAnswerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_KeepAnswerResponse__Output>): grpc.ClientUnaryCall;
  KeepAnswer(argument: _tollgate_billing_v1_KeepAnswerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_KeepAnswerResponse__Output>): grpc.ClientUnaryCall;
  KeepAnswer(argument: _tollgate_billing_v1_KeepAnswerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_KeepAnswerResponse__Output>): grpc.ClientUnaryCall;
  KeepAnswer(argument: _tollgate_billing_v1_KeepAnswerRequest, callback: grpc.requestCallback<_tollgate_billing_v1_KeepAnswerResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Keeps the answer of a request that was announced.
   */
  keepAnswer(argument: _tollgate_billing_v1_KeepAnswerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_KeepAnswerResponse__Output>): grpc.ClientUnaryCall;
  keepAnswer(argument: _tollgate_billing_v1_KeepAnswerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_KeepAnswerResponse__Output>): grpc.ClientUnaryCall;
  keepAnswer(argument: _tollgate_billing_v1_KeepAnswerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_KeepAnswerResponse__Output>): grpc.ClientUnaryCall;
  keepAnswer(argument: _tollgate_billing_v1_KeepAnswerRequest, callback: grpc.requestCallback<_tollgate_billing_v1_KeepAnswerResponse__Output>): grpc.ClientUnaryCall;
  
  ListCodes(argument: _tollgate_billing_v1_ListCodesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_ListCodesResponse__Output>): grpc.ClientUnaryCall;
  ListCodes(argument: _tollgate_billing_v1_ListCodesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_ListCodesResponse__Output>): grpc.ClientUnaryCall;
  ListCodes(argument: _tollgate_billing_v1_ListCodesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_ListCodesResponse__Output>): grpc.ClientUnaryCall;
  ListCodes(argument: _tollgate_billing_v1_ListCodesRequest, callback: grpc.requestCallback<_tollgate_billing_v1_ListCodesResponse__Output>): grpc.ClientUnaryCall;
  listCodes(argument: _tollgate_billing_v1_ListCodesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_ListCodesResponse__Output>): grpc.ClientUnaryCall;
  listCodes(argument: _tollgate_billing_v1_ListCodesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_ListCodesResponse__Output>): grpc.ClientUnaryCall;
  listCodes(argument: _tollgate_billing_v1_ListCodesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_ListCodesResponse__Output>): grpc.ClientUnaryCall;
  listCodes(argument: _tollgate_billing_v1_ListCodesRequest, callback: grpc.requestCallback<_tollgate_billing_v1_ListCodesResponse__Output>): grpc.ClientUnaryCall;
  
  ListLedger(argument: _tollgate_billing_v1_ListLedgerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_ListLedgerResponse__Output>): grpc.ClientUnaryCall;
  ListLedger(argument: _tollgate_billing_v1_ListLedgerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_ListLedgerResponse__Output>): grpc.ClientUnaryCall;
  ListLedger(argument: _tollgate_billing_v1_ListLedgerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_ListLedgerResponse__Output>): grpc.ClientUnaryCall;
  ListLedger(argument: _tollgate_billing_v1_ListLedgerRequest, callback: grpc.requestCallback<_tollgate_billing_v1_ListLedgerResponse__Output>): grpc.ClientUnaryCall;
  listLedger(argument: _tollgate_billing_v1_ListLedgerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_ListLedgerResponse__Output>): grpc.ClientUnaryCall;
  listLedger(argument: _tollgate_billing_v1_ListLedgerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_ListLedgerResponse__Output>): grpc.ClientUnaryCall;
  listLedger(argument: _tollgate_billing_v1_ListLedgerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_ListLedgerResponse__Output>): grpc.ClientUnaryCall;
  listLedger(argument: _tollgate_billing_v1_ListLedgerRequest, callback: grpc.requestCallback<_tollgate_billing_v1_ListLedgerResponse__Output>): grpc.ClientUnaryCall;
  
  ListPlans(argument: _tollgate_billing_v1_ListPlansRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_ListPlansResponse__Output>): grpc.ClientUnaryCall;
  ListPlans(argument: _tollgate_billing_v1_ListPlansRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_ListPlansResponse__Output>): grpc.ClientUnaryCall;
  ListPlans(argument: _tollgate_billing_v1_ListPlansRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_ListPlansResponse__Output>): grpc.ClientUnaryCall;
  ListPlans(argument: _tollgate_billing_v1_ListPlansRequest, callback: grpc.requestCallback<_tollgate_billing_v1_ListPlansResponse__Output>): grpc.ClientUnaryCall;
  listPlans(argument: _tollgate_billing_v1_ListPlansRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_ListPlansResponse__Output>): grpc.ClientUnaryCall;
  listPlans(argument: _tollgate_billing_v1_ListPlansRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_ListPlansResponse__Output>): grpc.ClientUnaryCall;
  listPlans(argument: _tollgate_billing_v1_ListPlansRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_ListPlansResponse__Output>): grpc.ClientUnaryCall;
  listPlans(argument: _tollgate_billing_v1_ListPlansRequest, callback: grpc.requestCallback<_tollgate_billing_v1_ListPlansResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * The months of an account's ledger, newest first, without their lines.
   */
  ListStatements(argument: _tollgate_billing_v1_ListStatementsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_ListStatementsResponse__Output>): grpc.ClientUnaryCall;
  ListStatements(argument: _tollgate_billing_v1_ListStatementsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_ListStatementsResponse__Output>): grpc.ClientUnaryCall;
  ListStatements(argument: _tollgate_billing_v1_ListStatementsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_ListStatementsResponse__Output>): grpc.ClientUnaryCall;
  ListStatements(argument: _tollgate_billing_v1_ListStatementsRequest, callback: grpc.requestCallback<_tollgate_billing_v1_ListStatementsResponse__Output>): grpc.ClientUnaryCall;
  /**
   * The months of an account's ledger, newest first, without their lines.
   */
  listStatements(argument: _tollgate_billing_v1_ListStatementsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_ListStatementsResponse__Output>): grpc.ClientUnaryCall;
  listStatements(argument: _tollgate_billing_v1_ListStatementsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_ListStatementsResponse__Output>): grpc.ClientUnaryCall;
  listStatements(argument: _tollgate_billing_v1_ListStatementsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_ListStatementsResponse__Output>): grpc.ClientUnaryCall;
  listStatements(argument: _tollgate_billing_v1_ListStatementsRequest, callback: grpc.requestCallback<_tollgate_billing_v1_ListStatementsResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Makes a plan, or its next version; gateways follow within seconds.
   */
  PutPlan(argument: _tollgate_billing_v1_PutPlanRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_PutPlanResponse__Output>): grpc.ClientUnaryCall;
  PutPlan(argument: _tollgate_billing_v1_PutPlanRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_PutPlanResponse__Output>): grpc.ClientUnaryCall;
  PutPlan(argument: _tollgate_billing_v1_PutPlanRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_PutPlanResponse__Output>): grpc.ClientUnaryCall;
  PutPlan(argument: _tollgate_billing_v1_PutPlanRequest, callback: grpc.requestCallback<_tollgate_billing_v1_PutPlanResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Makes a plan, or its next version; gateways follow within seconds.
   */
  putPlan(argument: _tollgate_billing_v1_PutPlanRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_PutPlanResponse__Output>): grpc.ClientUnaryCall;
  putPlan(argument: _tollgate_billing_v1_PutPlanRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_PutPlanResponse__Output>): grpc.ClientUnaryCall;
  putPlan(argument: _tollgate_billing_v1_PutPlanRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_PutPlanResponse__Output>): grpc.ClientUnaryCall;
  putPlan(argument: _tollgate_billing_v1_PutPlanRequest, callback: grpc.requestCallback<_tollgate_billing_v1_PutPlanResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Credits the account that redeems a code first; the same account is answered the same again.
   */
  RedeemCode(argument: _tollgate_billing_v1_RedeemCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_RedeemCodeResponse__Output>): grpc.ClientUnaryCall;
  RedeemCode(argument: _tollgate_billing_v1_RedeemCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_RedeemCodeResponse__Output>): grpc.ClientUnaryCall;
  RedeemCode(argument: _tollgate_billing_v1_RedeemCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_RedeemCodeResponse__Output>): grpc.ClientUnaryCall;
  RedeemCode(argument: _tollgate_billing_v1_RedeemCodeRequest, callback: grpc.requestCallback<_tollgate_billing_v1_RedeemCodeResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Credits the account that redeems a code first; the same account is answered the same again.
   */
  redeemCode(argument: _tollgate_billing_v1_RedeemCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_RedeemCodeResponse__Output>): grpc.ClientUnaryCall;
  redeemCode(argument: _tollgate_billing_v1_RedeemCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_RedeemCodeResponse__Output>): grpc.ClientUnaryCall;
  redeemCode(argument: _tollgate_billing_v1_RedeemCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_RedeemCodeResponse__Output>): grpc.ClientUnaryCall;
  redeemCode(argument: _tollgate_billing_v1_RedeemCodeRequest, callback: grpc.requestCallback<_tollgate_billing_v1_RedeemCodeResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Declares a spool destroyed: its leases are retired and their later records absorbed.
   */
  RetireLeases(argument: _tollgate_billing_v1_RetireLeasesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_RetireLeasesResponse__Output>): grpc.ClientUnaryCall;
  RetireLeases(argument: _tollgate_billing_v1_RetireLeasesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_RetireLeasesResponse__Output>): grpc.ClientUnaryCall;
  RetireLeases(argument: _tollgate_billing_v1_RetireLeasesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_RetireLeasesResponse__Output>): grpc.ClientUnaryCall;
  RetireLeases(argument: _tollgate_billing_v1_RetireLeasesRequest, callback: grpc.requestCallback<_tollgate_billing_v1_RetireLeasesResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Declares a spool destroyed: its leases are retired and their later records absorbed.
   */
  retireLeases(argument: _tollgate_billing_v1_RetireLeasesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_RetireLeasesResponse__Output>): grpc.ClientUnaryCall;
  retireLeases(argument: _tollgate_billing_v1_RetireLeasesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_RetireLeasesResponse__Output>): grpc.ClientUnaryCall;
  retireLeases(argument: _tollgate_billing_v1_RetireLeasesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_RetireLeasesResponse__Output>): grpc.ClientUnaryCall;
  retireLeases(argument: _tollgate_billing_v1_RetireLeasesRequest, callback: grpc.requestCallback<_tollgate_billing_v1_RetireLeasesResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Of a code that nobody redeemed, or of every such code of a batch.
   */
  RevokeCodes(argument: _tollgate_billing_v1_RevokeCodesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_RevokeCodesResponse__Output>): grpc.ClientUnaryCall;
  RevokeCodes(argument: _tollgate_billing_v1_RevokeCodesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_RevokeCodesResponse__Output>): grpc.ClientUnaryCall;
  RevokeCodes(argument: _tollgate_billing_v1_RevokeCodesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_RevokeCodesResponse__Output>): grpc.ClientUnaryCall;
  RevokeCodes(argument: _tollgate_billing_v1_RevokeCodesRequest, callback: grpc.requestCallback<_tollgate_billing_v1_RevokeCodesResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Of a code that nobody redeemed, or of every such code of a batch.
   */
  revokeCodes(argument: _tollgate_billing_v1_RevokeCodesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_RevokeCodesResponse__Output>): grpc.ClientUnaryCall;
  revokeCodes(argument: _tollgate_billing_v1_RevokeCodesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_RevokeCodesResponse__Output>): grpc.ClientUnaryCall;
  revokeCodes(argument: _tollgate_billing_v1_RevokeCodesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_RevokeCodesResponse__Output>): grpc.ClientUnaryCall;
  revokeCodes(argument: _tollgate_billing_v1_RevokeCodesRequest, callback: grpc.requestCallback<_tollgate_billing_v1_RevokeCodesResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Charges by filter, of one account or of every one, by the time of their requests, newest first.
   * Bounded as SearchLedger is; a charge is found once it has left the account's journal.
   */
  SearchCharges(argument: _tollgate_billing_v1_SearchChargesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_SearchChargesResponse__Output>): grpc.ClientUnaryCall;
  SearchCharges(argument: _tollgate_billing_v1_SearchChargesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_SearchChargesResponse__Output>): grpc.ClientUnaryCall;
  SearchCharges(argument: _tollgate_billing_v1_SearchChargesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_SearchChargesResponse__Output>): grpc.ClientUnaryCall;
  SearchCharges(argument: _tollgate_billing_v1_SearchChargesRequest, callback: grpc.requestCallback<_tollgate_billing_v1_SearchChargesResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Charges by filter, of one account or of every one, by the time of their requests, newest first.
   * Bounded as SearchLedger is; a charge is found once it has left the account's journal.
   */
  searchCharges(argument: _tollgate_billing_v1_SearchChargesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_SearchChargesResponse__Output>): grpc.ClientUnaryCall;
  searchCharges(argument: _tollgate_billing_v1_SearchChargesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_SearchChargesResponse__Output>): grpc.ClientUnaryCall;
  searchCharges(argument: _tollgate_billing_v1_SearchChargesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_SearchChargesResponse__Output>): grpc.ClientUnaryCall;
  searchCharges(argument: _tollgate_billing_v1_SearchChargesRequest, callback: grpc.requestCallback<_tollgate_billing_v1_SearchChargesResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Entries of one account by filter, newest first. For people: a page looks at a bounded part of
   * the ledger, so that it may hold fewer entries than asked for although more follow.
   */
  SearchLedger(argument: _tollgate_billing_v1_SearchLedgerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_SearchLedgerResponse__Output>): grpc.ClientUnaryCall;
  SearchLedger(argument: _tollgate_billing_v1_SearchLedgerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_SearchLedgerResponse__Output>): grpc.ClientUnaryCall;
  SearchLedger(argument: _tollgate_billing_v1_SearchLedgerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_SearchLedgerResponse__Output>): grpc.ClientUnaryCall;
  SearchLedger(argument: _tollgate_billing_v1_SearchLedgerRequest, callback: grpc.requestCallback<_tollgate_billing_v1_SearchLedgerResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Entries of one account by filter, newest first. For people: a page looks at a bounded part of
   * the ledger, so that it may hold fewer entries than asked for although more follow.
   */
  searchLedger(argument: _tollgate_billing_v1_SearchLedgerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_SearchLedgerResponse__Output>): grpc.ClientUnaryCall;
  searchLedger(argument: _tollgate_billing_v1_SearchLedgerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_SearchLedgerResponse__Output>): grpc.ClientUnaryCall;
  searchLedger(argument: _tollgate_billing_v1_SearchLedgerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_SearchLedgerResponse__Output>): grpc.ClientUnaryCall;
  searchLedger(argument: _tollgate_billing_v1_SearchLedgerRequest, callback: grpc.requestCallback<_tollgate_billing_v1_SearchLedgerResponse__Output>): grpc.ClientUnaryCall;
  
  SetThresholds(argument: _tollgate_billing_v1_SetThresholdsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_SetThresholdsResponse__Output>): grpc.ClientUnaryCall;
  SetThresholds(argument: _tollgate_billing_v1_SetThresholdsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_SetThresholdsResponse__Output>): grpc.ClientUnaryCall;
  SetThresholds(argument: _tollgate_billing_v1_SetThresholdsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_SetThresholdsResponse__Output>): grpc.ClientUnaryCall;
  SetThresholds(argument: _tollgate_billing_v1_SetThresholdsRequest, callback: grpc.requestCallback<_tollgate_billing_v1_SetThresholdsResponse__Output>): grpc.ClientUnaryCall;
  setThresholds(argument: _tollgate_billing_v1_SetThresholdsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_SetThresholdsResponse__Output>): grpc.ClientUnaryCall;
  setThresholds(argument: _tollgate_billing_v1_SetThresholdsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_SetThresholdsResponse__Output>): grpc.ClientUnaryCall;
  setThresholds(argument: _tollgate_billing_v1_SetThresholdsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_SetThresholdsResponse__Output>): grpc.ClientUnaryCall;
  setThresholds(argument: _tollgate_billing_v1_SetThresholdsRequest, callback: grpc.requestCallback<_tollgate_billing_v1_SetThresholdsResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Settles usage records: the path when Kafka is away. Idempotent by (account, lease, number).
   */
  SettleUsage(argument: _tollgate_billing_v1_SettleUsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_SettleUsageResponse__Output>): grpc.ClientUnaryCall;
  SettleUsage(argument: _tollgate_billing_v1_SettleUsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_SettleUsageResponse__Output>): grpc.ClientUnaryCall;
  SettleUsage(argument: _tollgate_billing_v1_SettleUsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_SettleUsageResponse__Output>): grpc.ClientUnaryCall;
  SettleUsage(argument: _tollgate_billing_v1_SettleUsageRequest, callback: grpc.requestCallback<_tollgate_billing_v1_SettleUsageResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Settles usage records: the path when Kafka is away. Idempotent by (account, lease, number).
   */
  settleUsage(argument: _tollgate_billing_v1_SettleUsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_SettleUsageResponse__Output>): grpc.ClientUnaryCall;
  settleUsage(argument: _tollgate_billing_v1_SettleUsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_SettleUsageResponse__Output>): grpc.ClientUnaryCall;
  settleUsage(argument: _tollgate_billing_v1_SettleUsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_SettleUsageResponse__Output>): grpc.ClientUnaryCall;
  settleUsage(argument: _tollgate_billing_v1_SettleUsageRequest, callback: grpc.requestCallback<_tollgate_billing_v1_SettleUsageResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Credits a payment once for its event, whichever account a repetition names.
   */
  TopUp(argument: _tollgate_billing_v1_TopUpRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_TopUpResponse__Output>): grpc.ClientUnaryCall;
  TopUp(argument: _tollgate_billing_v1_TopUpRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_TopUpResponse__Output>): grpc.ClientUnaryCall;
  TopUp(argument: _tollgate_billing_v1_TopUpRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_TopUpResponse__Output>): grpc.ClientUnaryCall;
  TopUp(argument: _tollgate_billing_v1_TopUpRequest, callback: grpc.requestCallback<_tollgate_billing_v1_TopUpResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Credits a payment once for its event, whichever account a repetition names.
   */
  topUp(argument: _tollgate_billing_v1_TopUpRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_TopUpResponse__Output>): grpc.ClientUnaryCall;
  topUp(argument: _tollgate_billing_v1_TopUpRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_billing_v1_TopUpResponse__Output>): grpc.ClientUnaryCall;
  topUp(argument: _tollgate_billing_v1_TopUpRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_billing_v1_TopUpResponse__Output>): grpc.ClientUnaryCall;
  topUp(argument: _tollgate_billing_v1_TopUpRequest, callback: grpc.requestCallback<_tollgate_billing_v1_TopUpResponse__Output>): grpc.ClientUnaryCall;
  
}

/**
 * Balances, leases, settlement and the ledger. Every amount is an int64 of nano-units (10^-9 of the
 * deployment's currency).
 */
export interface BillingServiceHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Grants a credit lease. A nonce that stands in an open lease renews that lease.
   */
  AcquireLease: grpc.handleUnaryCall<_tollgate_billing_v1_AcquireLeaseRequest__Output, _tollgate_billing_v1_AcquireLeaseResponse>;
  
  AddCredits: grpc.handleUnaryCall<_tollgate_billing_v1_AddCreditsRequest__Output, _tollgate_billing_v1_AddCreditsResponse>;
  
  /**
   * Corrects a balance, upwards or downwards; never below what is reserved or spent.
   */
  AdjustBalance: grpc.handleUnaryCall<_tollgate_billing_v1_AdjustBalanceRequest__Output, _tollgate_billing_v1_AdjustBalanceResponse>;
  
  Audit: grpc.handleUnaryCall<_tollgate_billing_v1_AuditRequest__Output, _tollgate_billing_v1_AuditResponse>;
  
  /**
   * Announces a request whose answer is kept for a day, or answers what an equal one was answered.
   */
  BeginAnswer: grpc.handleUnaryCall<_tollgate_billing_v1_BeginAnswerRequest__Output, _tollgate_billing_v1_BeginAnswerResponse>;
  
  CreateCodes: grpc.handleUnaryCall<_tollgate_billing_v1_CreateCodesRequest__Output, _tollgate_billing_v1_CreateCodesResponse>;
  
  /**
   * Forgets a request that failed and was charged nothing, so that it may be sent again.
   */
  DropAnswer: grpc.handleUnaryCall<_tollgate_billing_v1_DropAnswerRequest__Output, _tollgate_billing_v1_DropAnswerResponse>;
  
  GetAnswer: grpc.handleUnaryCall<_tollgate_billing_v1_GetAnswerRequest__Output, _tollgate_billing_v1_GetAnswerResponse>;
  
  GetBalance: grpc.handleUnaryCall<_tollgate_billing_v1_GetBalanceRequest__Output, _tollgate_billing_v1_GetBalanceResponse>;
  
  GetCode: grpc.handleUnaryCall<_tollgate_billing_v1_GetCodeRequest__Output, _tollgate_billing_v1_GetCodeResponse>;
  
  GetKeyBudgets: grpc.handleUnaryCall<_tollgate_billing_v1_GetKeyBudgetsRequest__Output, _tollgate_billing_v1_GetKeyBudgetsResponse>;
  
  GetPlan: grpc.handleUnaryCall<_tollgate_billing_v1_GetPlanRequest__Output, _tollgate_billing_v1_GetPlanResponse>;
  
  GetReceipt: grpc.handleUnaryCall<_tollgate_billing_v1_GetReceiptRequest__Output, _tollgate_billing_v1_GetReceiptResponse>;
  
  /**
   * Watermarks: which records of each lease are settled. Majority read.
   */
  GetSettlements: grpc.handleUnaryCall<_tollgate_billing_v1_GetSettlementsRequest__Output, _tollgate_billing_v1_GetSettlementsResponse>;
  
  GetStatement: grpc.handleUnaryCall<_tollgate_billing_v1_GetStatementRequest__Output, _tollgate_billing_v1_GetStatementResponse>;
  
  /**
   * At which balances the owner is told, and where the account stops spending.
   */
  GetThresholds: grpc.handleUnaryCall<_tollgate_billing_v1_GetThresholdsRequest__Output, _tollgate_billing_v1_GetThresholdsResponse>;
  
  /**
   * Keeps the answer of a request that was announced.
   */
  KeepAnswer: grpc.handleUnaryCall<_tollgate_billing_v1_KeepAnswerRequest__Output, _tollgate_billing_v1_KeepAnswerResponse>;
  
  ListCodes: grpc.handleUnaryCall<_tollgate_billing_v1_ListCodesRequest__Output, _tollgate_billing_v1_ListCodesResponse>;
  
  ListLedger: grpc.handleUnaryCall<_tollgate_billing_v1_ListLedgerRequest__Output, _tollgate_billing_v1_ListLedgerResponse>;
  
  ListPlans: grpc.handleUnaryCall<_tollgate_billing_v1_ListPlansRequest__Output, _tollgate_billing_v1_ListPlansResponse>;
  
  /**
   * The months of an account's ledger, newest first, without their lines.
   */
  ListStatements: grpc.handleUnaryCall<_tollgate_billing_v1_ListStatementsRequest__Output, _tollgate_billing_v1_ListStatementsResponse>;
  
  /**
   * Makes a plan, or its next version; gateways follow within seconds.
   */
  PutPlan: grpc.handleUnaryCall<_tollgate_billing_v1_PutPlanRequest__Output, _tollgate_billing_v1_PutPlanResponse>;
  
  /**
   * Credits the account that redeems a code first; the same account is answered the same again.
   */
  RedeemCode: grpc.handleUnaryCall<_tollgate_billing_v1_RedeemCodeRequest__Output, _tollgate_billing_v1_RedeemCodeResponse>;
  
  /**
   * Declares a spool destroyed: its leases are retired and their later records absorbed.
   */
  RetireLeases: grpc.handleUnaryCall<_tollgate_billing_v1_RetireLeasesRequest__Output, _tollgate_billing_v1_RetireLeasesResponse>;
  
  /**
   * Of a code that nobody redeemed, or of every such code of a batch.
   */
  RevokeCodes: grpc.handleUnaryCall<_tollgate_billing_v1_RevokeCodesRequest__Output, _tollgate_billing_v1_RevokeCodesResponse>;
  
  /**
   * Charges by filter, of one account or of every one, by the time of their requests, newest first.
   * Bounded as SearchLedger is; a charge is found once it has left the account's journal.
   */
  SearchCharges: grpc.handleUnaryCall<_tollgate_billing_v1_SearchChargesRequest__Output, _tollgate_billing_v1_SearchChargesResponse>;
  
  /**
   * Entries of one account by filter, newest first. For people: a page looks at a bounded part of
   * the ledger, so that it may hold fewer entries than asked for although more follow.
   */
  SearchLedger: grpc.handleUnaryCall<_tollgate_billing_v1_SearchLedgerRequest__Output, _tollgate_billing_v1_SearchLedgerResponse>;
  
  SetThresholds: grpc.handleUnaryCall<_tollgate_billing_v1_SetThresholdsRequest__Output, _tollgate_billing_v1_SetThresholdsResponse>;
  
  /**
   * Settles usage records: the path when Kafka is away. Idempotent by (account, lease, number).
   */
  SettleUsage: grpc.handleUnaryCall<_tollgate_billing_v1_SettleUsageRequest__Output, _tollgate_billing_v1_SettleUsageResponse>;
  
  /**
   * Credits a payment once for its event, whichever account a repetition names.
   */
  TopUp: grpc.handleUnaryCall<_tollgate_billing_v1_TopUpRequest__Output, _tollgate_billing_v1_TopUpResponse>;
  
}

export interface BillingServiceDefinition extends grpc.ServiceDefinition {
  AcquireLease: MethodDefinition<_tollgate_billing_v1_AcquireLeaseRequest, _tollgate_billing_v1_AcquireLeaseResponse, _tollgate_billing_v1_AcquireLeaseRequest__Output, _tollgate_billing_v1_AcquireLeaseResponse__Output>
  AddCredits: MethodDefinition<_tollgate_billing_v1_AddCreditsRequest, _tollgate_billing_v1_AddCreditsResponse, _tollgate_billing_v1_AddCreditsRequest__Output, _tollgate_billing_v1_AddCreditsResponse__Output>
  AdjustBalance: MethodDefinition<_tollgate_billing_v1_AdjustBalanceRequest, _tollgate_billing_v1_AdjustBalanceResponse, _tollgate_billing_v1_AdjustBalanceRequest__Output, _tollgate_billing_v1_AdjustBalanceResponse__Output>
  Audit: MethodDefinition<_tollgate_billing_v1_AuditRequest, _tollgate_billing_v1_AuditResponse, _tollgate_billing_v1_AuditRequest__Output, _tollgate_billing_v1_AuditResponse__Output>
  BeginAnswer: MethodDefinition<_tollgate_billing_v1_BeginAnswerRequest, _tollgate_billing_v1_BeginAnswerResponse, _tollgate_billing_v1_BeginAnswerRequest__Output, _tollgate_billing_v1_BeginAnswerResponse__Output>
  CreateCodes: MethodDefinition<_tollgate_billing_v1_CreateCodesRequest, _tollgate_billing_v1_CreateCodesResponse, _tollgate_billing_v1_CreateCodesRequest__Output, _tollgate_billing_v1_CreateCodesResponse__Output>
  DropAnswer: MethodDefinition<_tollgate_billing_v1_DropAnswerRequest, _tollgate_billing_v1_DropAnswerResponse, _tollgate_billing_v1_DropAnswerRequest__Output, _tollgate_billing_v1_DropAnswerResponse__Output>
  GetAnswer: MethodDefinition<_tollgate_billing_v1_GetAnswerRequest, _tollgate_billing_v1_GetAnswerResponse, _tollgate_billing_v1_GetAnswerRequest__Output, _tollgate_billing_v1_GetAnswerResponse__Output>
  GetBalance: MethodDefinition<_tollgate_billing_v1_GetBalanceRequest, _tollgate_billing_v1_GetBalanceResponse, _tollgate_billing_v1_GetBalanceRequest__Output, _tollgate_billing_v1_GetBalanceResponse__Output>
  GetCode: MethodDefinition<_tollgate_billing_v1_GetCodeRequest, _tollgate_billing_v1_GetCodeResponse, _tollgate_billing_v1_GetCodeRequest__Output, _tollgate_billing_v1_GetCodeResponse__Output>
  GetKeyBudgets: MethodDefinition<_tollgate_billing_v1_GetKeyBudgetsRequest, _tollgate_billing_v1_GetKeyBudgetsResponse, _tollgate_billing_v1_GetKeyBudgetsRequest__Output, _tollgate_billing_v1_GetKeyBudgetsResponse__Output>
  GetPlan: MethodDefinition<_tollgate_billing_v1_GetPlanRequest, _tollgate_billing_v1_GetPlanResponse, _tollgate_billing_v1_GetPlanRequest__Output, _tollgate_billing_v1_GetPlanResponse__Output>
  GetReceipt: MethodDefinition<_tollgate_billing_v1_GetReceiptRequest, _tollgate_billing_v1_GetReceiptResponse, _tollgate_billing_v1_GetReceiptRequest__Output, _tollgate_billing_v1_GetReceiptResponse__Output>
  GetSettlements: MethodDefinition<_tollgate_billing_v1_GetSettlementsRequest, _tollgate_billing_v1_GetSettlementsResponse, _tollgate_billing_v1_GetSettlementsRequest__Output, _tollgate_billing_v1_GetSettlementsResponse__Output>
  GetStatement: MethodDefinition<_tollgate_billing_v1_GetStatementRequest, _tollgate_billing_v1_GetStatementResponse, _tollgate_billing_v1_GetStatementRequest__Output, _tollgate_billing_v1_GetStatementResponse__Output>
  GetThresholds: MethodDefinition<_tollgate_billing_v1_GetThresholdsRequest, _tollgate_billing_v1_GetThresholdsResponse, _tollgate_billing_v1_GetThresholdsRequest__Output, _tollgate_billing_v1_GetThresholdsResponse__Output>
  KeepAnswer: MethodDefinition<_tollgate_billing_v1_KeepAnswerRequest, _tollgate_billing_v1_KeepAnswerResponse, _tollgate_billing_v1_KeepAnswerRequest__Output, _tollgate_billing_v1_KeepAnswerResponse__Output>
  ListCodes: MethodDefinition<_tollgate_billing_v1_ListCodesRequest, _tollgate_billing_v1_ListCodesResponse, _tollgate_billing_v1_ListCodesRequest__Output, _tollgate_billing_v1_ListCodesResponse__Output>
  ListLedger: MethodDefinition<_tollgate_billing_v1_ListLedgerRequest, _tollgate_billing_v1_ListLedgerResponse, _tollgate_billing_v1_ListLedgerRequest__Output, _tollgate_billing_v1_ListLedgerResponse__Output>
  ListPlans: MethodDefinition<_tollgate_billing_v1_ListPlansRequest, _tollgate_billing_v1_ListPlansResponse, _tollgate_billing_v1_ListPlansRequest__Output, _tollgate_billing_v1_ListPlansResponse__Output>
  ListStatements: MethodDefinition<_tollgate_billing_v1_ListStatementsRequest, _tollgate_billing_v1_ListStatementsResponse, _tollgate_billing_v1_ListStatementsRequest__Output, _tollgate_billing_v1_ListStatementsResponse__Output>
  PutPlan: MethodDefinition<_tollgate_billing_v1_PutPlanRequest, _tollgate_billing_v1_PutPlanResponse, _tollgate_billing_v1_PutPlanRequest__Output, _tollgate_billing_v1_PutPlanResponse__Output>
  RedeemCode: MethodDefinition<_tollgate_billing_v1_RedeemCodeRequest, _tollgate_billing_v1_RedeemCodeResponse, _tollgate_billing_v1_RedeemCodeRequest__Output, _tollgate_billing_v1_RedeemCodeResponse__Output>
  RetireLeases: MethodDefinition<_tollgate_billing_v1_RetireLeasesRequest, _tollgate_billing_v1_RetireLeasesResponse, _tollgate_billing_v1_RetireLeasesRequest__Output, _tollgate_billing_v1_RetireLeasesResponse__Output>
  RevokeCodes: MethodDefinition<_tollgate_billing_v1_RevokeCodesRequest, _tollgate_billing_v1_RevokeCodesResponse, _tollgate_billing_v1_RevokeCodesRequest__Output, _tollgate_billing_v1_RevokeCodesResponse__Output>
  SearchCharges: MethodDefinition<_tollgate_billing_v1_SearchChargesRequest, _tollgate_billing_v1_SearchChargesResponse, _tollgate_billing_v1_SearchChargesRequest__Output, _tollgate_billing_v1_SearchChargesResponse__Output>
  SearchLedger: MethodDefinition<_tollgate_billing_v1_SearchLedgerRequest, _tollgate_billing_v1_SearchLedgerResponse, _tollgate_billing_v1_SearchLedgerRequest__Output, _tollgate_billing_v1_SearchLedgerResponse__Output>
  SetThresholds: MethodDefinition<_tollgate_billing_v1_SetThresholdsRequest, _tollgate_billing_v1_SetThresholdsResponse, _tollgate_billing_v1_SetThresholdsRequest__Output, _tollgate_billing_v1_SetThresholdsResponse__Output>
  SettleUsage: MethodDefinition<_tollgate_billing_v1_SettleUsageRequest, _tollgate_billing_v1_SettleUsageResponse, _tollgate_billing_v1_SettleUsageRequest__Output, _tollgate_billing_v1_SettleUsageResponse__Output>
  TopUp: MethodDefinition<_tollgate_billing_v1_TopUpRequest, _tollgate_billing_v1_TopUpResponse, _tollgate_billing_v1_TopUpRequest__Output, _tollgate_billing_v1_TopUpResponse__Output>
}
