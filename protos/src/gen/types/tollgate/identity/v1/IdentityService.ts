// Original file: tollgate/identity/v1/identity.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AddMemberRequest as _tollgate_identity_v1_AddMemberRequest, AddMemberRequest__Output as _tollgate_identity_v1_AddMemberRequest__Output } from '../../../tollgate/identity/v1/AddMemberRequest';
import type { AddMemberResponse as _tollgate_identity_v1_AddMemberResponse, AddMemberResponse__Output as _tollgate_identity_v1_AddMemberResponse__Output } from '../../../tollgate/identity/v1/AddMemberResponse';
import type { BeginAuditEntryRequest as _tollgate_identity_v1_BeginAuditEntryRequest, BeginAuditEntryRequest__Output as _tollgate_identity_v1_BeginAuditEntryRequest__Output } from '../../../tollgate/identity/v1/BeginAuditEntryRequest';
import type { BeginAuditEntryResponse as _tollgate_identity_v1_BeginAuditEntryResponse, BeginAuditEntryResponse__Output as _tollgate_identity_v1_BeginAuditEntryResponse__Output } from '../../../tollgate/identity/v1/BeginAuditEntryResponse';
import type { ChangePasswordRequest as _tollgate_identity_v1_ChangePasswordRequest, ChangePasswordRequest__Output as _tollgate_identity_v1_ChangePasswordRequest__Output } from '../../../tollgate/identity/v1/ChangePasswordRequest';
import type { ChangePasswordResponse as _tollgate_identity_v1_ChangePasswordResponse, ChangePasswordResponse__Output as _tollgate_identity_v1_ChangePasswordResponse__Output } from '../../../tollgate/identity/v1/ChangePasswordResponse';
import type { CompleteOAuthRequest as _tollgate_identity_v1_CompleteOAuthRequest, CompleteOAuthRequest__Output as _tollgate_identity_v1_CompleteOAuthRequest__Output } from '../../../tollgate/identity/v1/CompleteOAuthRequest';
import type { CompleteOAuthResponse as _tollgate_identity_v1_CompleteOAuthResponse, CompleteOAuthResponse__Output as _tollgate_identity_v1_CompleteOAuthResponse__Output } from '../../../tollgate/identity/v1/CompleteOAuthResponse';
import type { CreateAccountRequest as _tollgate_identity_v1_CreateAccountRequest, CreateAccountRequest__Output as _tollgate_identity_v1_CreateAccountRequest__Output } from '../../../tollgate/identity/v1/CreateAccountRequest';
import type { CreateAccountResponse as _tollgate_identity_v1_CreateAccountResponse, CreateAccountResponse__Output as _tollgate_identity_v1_CreateAccountResponse__Output } from '../../../tollgate/identity/v1/CreateAccountResponse';
import type { CreateApiKeyRequest as _tollgate_identity_v1_CreateApiKeyRequest, CreateApiKeyRequest__Output as _tollgate_identity_v1_CreateApiKeyRequest__Output } from '../../../tollgate/identity/v1/CreateApiKeyRequest';
import type { CreateApiKeyResponse as _tollgate_identity_v1_CreateApiKeyResponse, CreateApiKeyResponse__Output as _tollgate_identity_v1_CreateApiKeyResponse__Output } from '../../../tollgate/identity/v1/CreateApiKeyResponse';
import type { CreateUserRequest as _tollgate_identity_v1_CreateUserRequest, CreateUserRequest__Output as _tollgate_identity_v1_CreateUserRequest__Output } from '../../../tollgate/identity/v1/CreateUserRequest';
import type { CreateUserResponse as _tollgate_identity_v1_CreateUserResponse, CreateUserResponse__Output as _tollgate_identity_v1_CreateUserResponse__Output } from '../../../tollgate/identity/v1/CreateUserResponse';
import type { DeleteApiKeyRequest as _tollgate_identity_v1_DeleteApiKeyRequest, DeleteApiKeyRequest__Output as _tollgate_identity_v1_DeleteApiKeyRequest__Output } from '../../../tollgate/identity/v1/DeleteApiKeyRequest';
import type { DeleteApiKeyResponse as _tollgate_identity_v1_DeleteApiKeyResponse, DeleteApiKeyResponse__Output as _tollgate_identity_v1_DeleteApiKeyResponse__Output } from '../../../tollgate/identity/v1/DeleteApiKeyResponse';
import type { EndAuditEntryRequest as _tollgate_identity_v1_EndAuditEntryRequest, EndAuditEntryRequest__Output as _tollgate_identity_v1_EndAuditEntryRequest__Output } from '../../../tollgate/identity/v1/EndAuditEntryRequest';
import type { EndAuditEntryResponse as _tollgate_identity_v1_EndAuditEntryResponse, EndAuditEntryResponse__Output as _tollgate_identity_v1_EndAuditEntryResponse__Output } from '../../../tollgate/identity/v1/EndAuditEntryResponse';
import type { EndUserSessionsRequest as _tollgate_identity_v1_EndUserSessionsRequest, EndUserSessionsRequest__Output as _tollgate_identity_v1_EndUserSessionsRequest__Output } from '../../../tollgate/identity/v1/EndUserSessionsRequest';
import type { EndUserSessionsResponse as _tollgate_identity_v1_EndUserSessionsResponse, EndUserSessionsResponse__Output as _tollgate_identity_v1_EndUserSessionsResponse__Output } from '../../../tollgate/identity/v1/EndUserSessionsResponse';
import type { EraseAccountRequest as _tollgate_identity_v1_EraseAccountRequest, EraseAccountRequest__Output as _tollgate_identity_v1_EraseAccountRequest__Output } from '../../../tollgate/identity/v1/EraseAccountRequest';
import type { EraseAccountResponse as _tollgate_identity_v1_EraseAccountResponse, EraseAccountResponse__Output as _tollgate_identity_v1_EraseAccountResponse__Output } from '../../../tollgate/identity/v1/EraseAccountResponse';
import type { ExchangeOAuthCodeRequest as _tollgate_identity_v1_ExchangeOAuthCodeRequest, ExchangeOAuthCodeRequest__Output as _tollgate_identity_v1_ExchangeOAuthCodeRequest__Output } from '../../../tollgate/identity/v1/ExchangeOAuthCodeRequest';
import type { ExchangeOAuthCodeResponse as _tollgate_identity_v1_ExchangeOAuthCodeResponse, ExchangeOAuthCodeResponse__Output as _tollgate_identity_v1_ExchangeOAuthCodeResponse__Output } from '../../../tollgate/identity/v1/ExchangeOAuthCodeResponse';
import type { GetAccountRequest as _tollgate_identity_v1_GetAccountRequest, GetAccountRequest__Output as _tollgate_identity_v1_GetAccountRequest__Output } from '../../../tollgate/identity/v1/GetAccountRequest';
import type { GetAccountResponse as _tollgate_identity_v1_GetAccountResponse, GetAccountResponse__Output as _tollgate_identity_v1_GetAccountResponse__Output } from '../../../tollgate/identity/v1/GetAccountResponse';
import type { GetApiKeyRequest as _tollgate_identity_v1_GetApiKeyRequest, GetApiKeyRequest__Output as _tollgate_identity_v1_GetApiKeyRequest__Output } from '../../../tollgate/identity/v1/GetApiKeyRequest';
import type { GetApiKeyResponse as _tollgate_identity_v1_GetApiKeyResponse, GetApiKeyResponse__Output as _tollgate_identity_v1_GetApiKeyResponse__Output } from '../../../tollgate/identity/v1/GetApiKeyResponse';
import type { GetAuditEntryRequest as _tollgate_identity_v1_GetAuditEntryRequest, GetAuditEntryRequest__Output as _tollgate_identity_v1_GetAuditEntryRequest__Output } from '../../../tollgate/identity/v1/GetAuditEntryRequest';
import type { GetAuditEntryResponse as _tollgate_identity_v1_GetAuditEntryResponse, GetAuditEntryResponse__Output as _tollgate_identity_v1_GetAuditEntryResponse__Output } from '../../../tollgate/identity/v1/GetAuditEntryResponse';
import type { GetMemberRequest as _tollgate_identity_v1_GetMemberRequest, GetMemberRequest__Output as _tollgate_identity_v1_GetMemberRequest__Output } from '../../../tollgate/identity/v1/GetMemberRequest';
import type { GetMemberResponse as _tollgate_identity_v1_GetMemberResponse, GetMemberResponse__Output as _tollgate_identity_v1_GetMemberResponse__Output } from '../../../tollgate/identity/v1/GetMemberResponse';
import type { GetSigningKeysRequest as _tollgate_identity_v1_GetSigningKeysRequest, GetSigningKeysRequest__Output as _tollgate_identity_v1_GetSigningKeysRequest__Output } from '../../../tollgate/identity/v1/GetSigningKeysRequest';
import type { GetSigningKeysResponse as _tollgate_identity_v1_GetSigningKeysResponse, GetSigningKeysResponse__Output as _tollgate_identity_v1_GetSigningKeysResponse__Output } from '../../../tollgate/identity/v1/GetSigningKeysResponse';
import type { GetUserRequest as _tollgate_identity_v1_GetUserRequest, GetUserRequest__Output as _tollgate_identity_v1_GetUserRequest__Output } from '../../../tollgate/identity/v1/GetUserRequest';
import type { GetUserResponse as _tollgate_identity_v1_GetUserResponse, GetUserResponse__Output as _tollgate_identity_v1_GetUserResponse__Output } from '../../../tollgate/identity/v1/GetUserResponse';
import type { ListAccountsRequest as _tollgate_identity_v1_ListAccountsRequest, ListAccountsRequest__Output as _tollgate_identity_v1_ListAccountsRequest__Output } from '../../../tollgate/identity/v1/ListAccountsRequest';
import type { ListAccountsResponse as _tollgate_identity_v1_ListAccountsResponse, ListAccountsResponse__Output as _tollgate_identity_v1_ListAccountsResponse__Output } from '../../../tollgate/identity/v1/ListAccountsResponse';
import type { ListApiKeysRequest as _tollgate_identity_v1_ListApiKeysRequest, ListApiKeysRequest__Output as _tollgate_identity_v1_ListApiKeysRequest__Output } from '../../../tollgate/identity/v1/ListApiKeysRequest';
import type { ListApiKeysResponse as _tollgate_identity_v1_ListApiKeysResponse, ListApiKeysResponse__Output as _tollgate_identity_v1_ListApiKeysResponse__Output } from '../../../tollgate/identity/v1/ListApiKeysResponse';
import type { ListAuditEntriesRequest as _tollgate_identity_v1_ListAuditEntriesRequest, ListAuditEntriesRequest__Output as _tollgate_identity_v1_ListAuditEntriesRequest__Output } from '../../../tollgate/identity/v1/ListAuditEntriesRequest';
import type { ListAuditEntriesResponse as _tollgate_identity_v1_ListAuditEntriesResponse, ListAuditEntriesResponse__Output as _tollgate_identity_v1_ListAuditEntriesResponse__Output } from '../../../tollgate/identity/v1/ListAuditEntriesResponse';
import type { ListMembersRequest as _tollgate_identity_v1_ListMembersRequest, ListMembersRequest__Output as _tollgate_identity_v1_ListMembersRequest__Output } from '../../../tollgate/identity/v1/ListMembersRequest';
import type { ListMembersResponse as _tollgate_identity_v1_ListMembersResponse, ListMembersResponse__Output as _tollgate_identity_v1_ListMembersResponse__Output } from '../../../tollgate/identity/v1/ListMembersResponse';
import type { ListOAuthProvidersRequest as _tollgate_identity_v1_ListOAuthProvidersRequest, ListOAuthProvidersRequest__Output as _tollgate_identity_v1_ListOAuthProvidersRequest__Output } from '../../../tollgate/identity/v1/ListOAuthProvidersRequest';
import type { ListOAuthProvidersResponse as _tollgate_identity_v1_ListOAuthProvidersResponse, ListOAuthProvidersResponse__Output as _tollgate_identity_v1_ListOAuthProvidersResponse__Output } from '../../../tollgate/identity/v1/ListOAuthProvidersResponse';
import type { ListUsersRequest as _tollgate_identity_v1_ListUsersRequest, ListUsersRequest__Output as _tollgate_identity_v1_ListUsersRequest__Output } from '../../../tollgate/identity/v1/ListUsersRequest';
import type { ListUsersResponse as _tollgate_identity_v1_ListUsersResponse, ListUsersResponse__Output as _tollgate_identity_v1_ListUsersResponse__Output } from '../../../tollgate/identity/v1/ListUsersResponse';
import type { LoginRequest as _tollgate_identity_v1_LoginRequest, LoginRequest__Output as _tollgate_identity_v1_LoginRequest__Output } from '../../../tollgate/identity/v1/LoginRequest';
import type { LoginResponse as _tollgate_identity_v1_LoginResponse, LoginResponse__Output as _tollgate_identity_v1_LoginResponse__Output } from '../../../tollgate/identity/v1/LoginResponse';
import type { LogoutRequest as _tollgate_identity_v1_LogoutRequest, LogoutRequest__Output as _tollgate_identity_v1_LogoutRequest__Output } from '../../../tollgate/identity/v1/LogoutRequest';
import type { LogoutResponse as _tollgate_identity_v1_LogoutResponse, LogoutResponse__Output as _tollgate_identity_v1_LogoutResponse__Output } from '../../../tollgate/identity/v1/LogoutResponse';
import type { RefreshSessionRequest as _tollgate_identity_v1_RefreshSessionRequest, RefreshSessionRequest__Output as _tollgate_identity_v1_RefreshSessionRequest__Output } from '../../../tollgate/identity/v1/RefreshSessionRequest';
import type { RefreshSessionResponse as _tollgate_identity_v1_RefreshSessionResponse, RefreshSessionResponse__Output as _tollgate_identity_v1_RefreshSessionResponse__Output } from '../../../tollgate/identity/v1/RefreshSessionResponse';
import type { RemoveMemberRequest as _tollgate_identity_v1_RemoveMemberRequest, RemoveMemberRequest__Output as _tollgate_identity_v1_RemoveMemberRequest__Output } from '../../../tollgate/identity/v1/RemoveMemberRequest';
import type { RemoveMemberResponse as _tollgate_identity_v1_RemoveMemberResponse, RemoveMemberResponse__Output as _tollgate_identity_v1_RemoveMemberResponse__Output } from '../../../tollgate/identity/v1/RemoveMemberResponse';
import type { ReportKeyUsesRequest as _tollgate_identity_v1_ReportKeyUsesRequest, ReportKeyUsesRequest__Output as _tollgate_identity_v1_ReportKeyUsesRequest__Output } from '../../../tollgate/identity/v1/ReportKeyUsesRequest';
import type { ReportKeyUsesResponse as _tollgate_identity_v1_ReportKeyUsesResponse, ReportKeyUsesResponse__Output as _tollgate_identity_v1_ReportKeyUsesResponse__Output } from '../../../tollgate/identity/v1/ReportKeyUsesResponse';
import type { ResetPasswordRequest as _tollgate_identity_v1_ResetPasswordRequest, ResetPasswordRequest__Output as _tollgate_identity_v1_ResetPasswordRequest__Output } from '../../../tollgate/identity/v1/ResetPasswordRequest';
import type { ResetPasswordResponse as _tollgate_identity_v1_ResetPasswordResponse, ResetPasswordResponse__Output as _tollgate_identity_v1_ResetPasswordResponse__Output } from '../../../tollgate/identity/v1/ResetPasswordResponse';
import type { RotateApiKeyRequest as _tollgate_identity_v1_RotateApiKeyRequest, RotateApiKeyRequest__Output as _tollgate_identity_v1_RotateApiKeyRequest__Output } from '../../../tollgate/identity/v1/RotateApiKeyRequest';
import type { RotateApiKeyResponse as _tollgate_identity_v1_RotateApiKeyResponse, RotateApiKeyResponse__Output as _tollgate_identity_v1_RotateApiKeyResponse__Output } from '../../../tollgate/identity/v1/RotateApiKeyResponse';
import type { SetApiKeyStatusRequest as _tollgate_identity_v1_SetApiKeyStatusRequest, SetApiKeyStatusRequest__Output as _tollgate_identity_v1_SetApiKeyStatusRequest__Output } from '../../../tollgate/identity/v1/SetApiKeyStatusRequest';
import type { SetApiKeyStatusResponse as _tollgate_identity_v1_SetApiKeyStatusResponse, SetApiKeyStatusResponse__Output as _tollgate_identity_v1_SetApiKeyStatusResponse__Output } from '../../../tollgate/identity/v1/SetApiKeyStatusResponse';
import type { SetUserStatusRequest as _tollgate_identity_v1_SetUserStatusRequest, SetUserStatusRequest__Output as _tollgate_identity_v1_SetUserStatusRequest__Output } from '../../../tollgate/identity/v1/SetUserStatusRequest';
import type { SetUserStatusResponse as _tollgate_identity_v1_SetUserStatusResponse, SetUserStatusResponse__Output as _tollgate_identity_v1_SetUserStatusResponse__Output } from '../../../tollgate/identity/v1/SetUserStatusResponse';
import type { StartOAuthRequest as _tollgate_identity_v1_StartOAuthRequest, StartOAuthRequest__Output as _tollgate_identity_v1_StartOAuthRequest__Output } from '../../../tollgate/identity/v1/StartOAuthRequest';
import type { StartOAuthResponse as _tollgate_identity_v1_StartOAuthResponse, StartOAuthResponse__Output as _tollgate_identity_v1_StartOAuthResponse__Output } from '../../../tollgate/identity/v1/StartOAuthResponse';
import type { StartPasswordResetRequest as _tollgate_identity_v1_StartPasswordResetRequest, StartPasswordResetRequest__Output as _tollgate_identity_v1_StartPasswordResetRequest__Output } from '../../../tollgate/identity/v1/StartPasswordResetRequest';
import type { StartPasswordResetResponse as _tollgate_identity_v1_StartPasswordResetResponse, StartPasswordResetResponse__Output as _tollgate_identity_v1_StartPasswordResetResponse__Output } from '../../../tollgate/identity/v1/StartPasswordResetResponse';
import type { UpdateAccountRequest as _tollgate_identity_v1_UpdateAccountRequest, UpdateAccountRequest__Output as _tollgate_identity_v1_UpdateAccountRequest__Output } from '../../../tollgate/identity/v1/UpdateAccountRequest';
import type { UpdateAccountResponse as _tollgate_identity_v1_UpdateAccountResponse, UpdateAccountResponse__Output as _tollgate_identity_v1_UpdateAccountResponse__Output } from '../../../tollgate/identity/v1/UpdateAccountResponse';
import type { UpdateApiKeyRequest as _tollgate_identity_v1_UpdateApiKeyRequest, UpdateApiKeyRequest__Output as _tollgate_identity_v1_UpdateApiKeyRequest__Output } from '../../../tollgate/identity/v1/UpdateApiKeyRequest';
import type { UpdateApiKeyResponse as _tollgate_identity_v1_UpdateApiKeyResponse, UpdateApiKeyResponse__Output as _tollgate_identity_v1_UpdateApiKeyResponse__Output } from '../../../tollgate/identity/v1/UpdateApiKeyResponse';
import type { UpdateMemberRequest as _tollgate_identity_v1_UpdateMemberRequest, UpdateMemberRequest__Output as _tollgate_identity_v1_UpdateMemberRequest__Output } from '../../../tollgate/identity/v1/UpdateMemberRequest';
import type { UpdateMemberResponse as _tollgate_identity_v1_UpdateMemberResponse, UpdateMemberResponse__Output as _tollgate_identity_v1_UpdateMemberResponse__Output } from '../../../tollgate/identity/v1/UpdateMemberResponse';
import type { VerifyApiKeyRequest as _tollgate_identity_v1_VerifyApiKeyRequest, VerifyApiKeyRequest__Output as _tollgate_identity_v1_VerifyApiKeyRequest__Output } from '../../../tollgate/identity/v1/VerifyApiKeyRequest';
import type { VerifyApiKeyResponse as _tollgate_identity_v1_VerifyApiKeyResponse, VerifyApiKeyResponse__Output as _tollgate_identity_v1_VerifyApiKeyResponse__Output } from '../../../tollgate/identity/v1/VerifyApiKeyResponse';
import type { WatchRevocationsRequest as _tollgate_identity_v1_WatchRevocationsRequest, WatchRevocationsRequest__Output as _tollgate_identity_v1_WatchRevocationsRequest__Output } from '../../../tollgate/identity/v1/WatchRevocationsRequest';
import type { WatchRevocationsResponse as _tollgate_identity_v1_WatchRevocationsResponse, WatchRevocationsResponse__Output as _tollgate_identity_v1_WatchRevocationsResponse__Output } from '../../../tollgate/identity/v1/WatchRevocationsResponse';

/**
 * Accounts, users, API keys, sessions and OAuth identities. Ids carry their prefix
 * (acc_, usr_, key_); times are ISO-8601 UTC strings, empty when absent.
 */
export interface IdentityServiceClient extends grpc.Client {
  AddMember(argument: _tollgate_identity_v1_AddMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_AddMemberResponse__Output>): grpc.ClientUnaryCall;
  AddMember(argument: _tollgate_identity_v1_AddMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_AddMemberResponse__Output>): grpc.ClientUnaryCall;
  AddMember(argument: _tollgate_identity_v1_AddMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_AddMemberResponse__Output>): grpc.ClientUnaryCall;
  AddMember(argument: _tollgate_identity_v1_AddMemberRequest, callback: grpc.requestCallback<_tollgate_identity_v1_AddMemberResponse__Output>): grpc.ClientUnaryCall;
  addMember(argument: _tollgate_identity_v1_AddMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_AddMemberResponse__Output>): grpc.ClientUnaryCall;
  addMember(argument: _tollgate_identity_v1_AddMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_AddMemberResponse__Output>): grpc.ClientUnaryCall;
  addMember(argument: _tollgate_identity_v1_AddMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_AddMemberResponse__Output>): grpc.ClientUnaryCall;
  addMember(argument: _tollgate_identity_v1_AddMemberRequest, callback: grpc.requestCallback<_tollgate_identity_v1_AddMemberResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Notes a management write before it is made, so that no crash leaves one without its entry.
   */
  BeginAuditEntry(argument: _tollgate_identity_v1_BeginAuditEntryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_BeginAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  BeginAuditEntry(argument: _tollgate_identity_v1_BeginAuditEntryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_BeginAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  BeginAuditEntry(argument: _tollgate_identity_v1_BeginAuditEntryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_BeginAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  BeginAuditEntry(argument: _tollgate_identity_v1_BeginAuditEntryRequest, callback: grpc.requestCallback<_tollgate_identity_v1_BeginAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Notes a management write before it is made, so that no crash leaves one without its entry.
   */
  beginAuditEntry(argument: _tollgate_identity_v1_BeginAuditEntryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_BeginAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  beginAuditEntry(argument: _tollgate_identity_v1_BeginAuditEntryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_BeginAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  beginAuditEntry(argument: _tollgate_identity_v1_BeginAuditEntryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_BeginAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  beginAuditEntry(argument: _tollgate_identity_v1_BeginAuditEntryRequest, callback: grpc.requestCallback<_tollgate_identity_v1_BeginAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  
  ChangePassword(argument: _tollgate_identity_v1_ChangePasswordRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ChangePasswordResponse__Output>): grpc.ClientUnaryCall;
  ChangePassword(argument: _tollgate_identity_v1_ChangePasswordRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ChangePasswordResponse__Output>): grpc.ClientUnaryCall;
  ChangePassword(argument: _tollgate_identity_v1_ChangePasswordRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ChangePasswordResponse__Output>): grpc.ClientUnaryCall;
  ChangePassword(argument: _tollgate_identity_v1_ChangePasswordRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ChangePasswordResponse__Output>): grpc.ClientUnaryCall;
  changePassword(argument: _tollgate_identity_v1_ChangePasswordRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ChangePasswordResponse__Output>): grpc.ClientUnaryCall;
  changePassword(argument: _tollgate_identity_v1_ChangePasswordRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ChangePasswordResponse__Output>): grpc.ClientUnaryCall;
  changePassword(argument: _tollgate_identity_v1_ChangePasswordRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ChangePasswordResponse__Output>): grpc.ClientUnaryCall;
  changePassword(argument: _tollgate_identity_v1_ChangePasswordRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ChangePasswordResponse__Output>): grpc.ClientUnaryCall;
  
  CompleteOAuth(argument: _tollgate_identity_v1_CompleteOAuthRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_CompleteOAuthResponse__Output>): grpc.ClientUnaryCall;
  CompleteOAuth(argument: _tollgate_identity_v1_CompleteOAuthRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_CompleteOAuthResponse__Output>): grpc.ClientUnaryCall;
  CompleteOAuth(argument: _tollgate_identity_v1_CompleteOAuthRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_CompleteOAuthResponse__Output>): grpc.ClientUnaryCall;
  CompleteOAuth(argument: _tollgate_identity_v1_CompleteOAuthRequest, callback: grpc.requestCallback<_tollgate_identity_v1_CompleteOAuthResponse__Output>): grpc.ClientUnaryCall;
  completeOAuth(argument: _tollgate_identity_v1_CompleteOAuthRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_CompleteOAuthResponse__Output>): grpc.ClientUnaryCall;
  completeOAuth(argument: _tollgate_identity_v1_CompleteOAuthRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_CompleteOAuthResponse__Output>): grpc.ClientUnaryCall;
  completeOAuth(argument: _tollgate_identity_v1_CompleteOAuthRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_CompleteOAuthResponse__Output>): grpc.ClientUnaryCall;
  completeOAuth(argument: _tollgate_identity_v1_CompleteOAuthRequest, callback: grpc.requestCallback<_tollgate_identity_v1_CompleteOAuthResponse__Output>): grpc.ClientUnaryCall;
  
  CreateAccount(argument: _tollgate_identity_v1_CreateAccountRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_CreateAccountResponse__Output>): grpc.ClientUnaryCall;
  CreateAccount(argument: _tollgate_identity_v1_CreateAccountRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_CreateAccountResponse__Output>): grpc.ClientUnaryCall;
  CreateAccount(argument: _tollgate_identity_v1_CreateAccountRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_CreateAccountResponse__Output>): grpc.ClientUnaryCall;
  CreateAccount(argument: _tollgate_identity_v1_CreateAccountRequest, callback: grpc.requestCallback<_tollgate_identity_v1_CreateAccountResponse__Output>): grpc.ClientUnaryCall;
  createAccount(argument: _tollgate_identity_v1_CreateAccountRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_CreateAccountResponse__Output>): grpc.ClientUnaryCall;
  createAccount(argument: _tollgate_identity_v1_CreateAccountRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_CreateAccountResponse__Output>): grpc.ClientUnaryCall;
  createAccount(argument: _tollgate_identity_v1_CreateAccountRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_CreateAccountResponse__Output>): grpc.ClientUnaryCall;
  createAccount(argument: _tollgate_identity_v1_CreateAccountRequest, callback: grpc.requestCallback<_tollgate_identity_v1_CreateAccountResponse__Output>): grpc.ClientUnaryCall;
  
  CreateApiKey(argument: _tollgate_identity_v1_CreateApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_CreateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  CreateApiKey(argument: _tollgate_identity_v1_CreateApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_CreateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  CreateApiKey(argument: _tollgate_identity_v1_CreateApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_CreateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  CreateApiKey(argument: _tollgate_identity_v1_CreateApiKeyRequest, callback: grpc.requestCallback<_tollgate_identity_v1_CreateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  createApiKey(argument: _tollgate_identity_v1_CreateApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_CreateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  createApiKey(argument: _tollgate_identity_v1_CreateApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_CreateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  createApiKey(argument: _tollgate_identity_v1_CreateApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_CreateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  createApiKey(argument: _tollgate_identity_v1_CreateApiKeyRequest, callback: grpc.requestCallback<_tollgate_identity_v1_CreateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  
  CreateUser(argument: _tollgate_identity_v1_CreateUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  CreateUser(argument: _tollgate_identity_v1_CreateUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  CreateUser(argument: _tollgate_identity_v1_CreateUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  CreateUser(argument: _tollgate_identity_v1_CreateUserRequest, callback: grpc.requestCallback<_tollgate_identity_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  createUser(argument: _tollgate_identity_v1_CreateUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  createUser(argument: _tollgate_identity_v1_CreateUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  createUser(argument: _tollgate_identity_v1_CreateUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  createUser(argument: _tollgate_identity_v1_CreateUserRequest, callback: grpc.requestCallback<_tollgate_identity_v1_CreateUserResponse__Output>): grpc.ClientUnaryCall;
  
  DeleteApiKey(argument: _tollgate_identity_v1_DeleteApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_DeleteApiKeyResponse__Output>): grpc.ClientUnaryCall;
  DeleteApiKey(argument: _tollgate_identity_v1_DeleteApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_DeleteApiKeyResponse__Output>): grpc.ClientUnaryCall;
  DeleteApiKey(argument: _tollgate_identity_v1_DeleteApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_DeleteApiKeyResponse__Output>): grpc.ClientUnaryCall;
  DeleteApiKey(argument: _tollgate_identity_v1_DeleteApiKeyRequest, callback: grpc.requestCallback<_tollgate_identity_v1_DeleteApiKeyResponse__Output>): grpc.ClientUnaryCall;
  deleteApiKey(argument: _tollgate_identity_v1_DeleteApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_DeleteApiKeyResponse__Output>): grpc.ClientUnaryCall;
  deleteApiKey(argument: _tollgate_identity_v1_DeleteApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_DeleteApiKeyResponse__Output>): grpc.ClientUnaryCall;
  deleteApiKey(argument: _tollgate_identity_v1_DeleteApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_DeleteApiKeyResponse__Output>): grpc.ClientUnaryCall;
  deleteApiKey(argument: _tollgate_identity_v1_DeleteApiKeyRequest, callback: grpc.requestCallback<_tollgate_identity_v1_DeleteApiKeyResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Says what became of it. A write that was refused leaves no entry.
   */
  EndAuditEntry(argument: _tollgate_identity_v1_EndAuditEntryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_EndAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  EndAuditEntry(argument: _tollgate_identity_v1_EndAuditEntryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_EndAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  EndAuditEntry(argument: _tollgate_identity_v1_EndAuditEntryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_EndAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  EndAuditEntry(argument: _tollgate_identity_v1_EndAuditEntryRequest, callback: grpc.requestCallback<_tollgate_identity_v1_EndAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Says what became of it. A write that was refused leaves no entry.
   */
  endAuditEntry(argument: _tollgate_identity_v1_EndAuditEntryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_EndAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  endAuditEntry(argument: _tollgate_identity_v1_EndAuditEntryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_EndAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  endAuditEntry(argument: _tollgate_identity_v1_EndAuditEntryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_EndAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  endAuditEntry(argument: _tollgate_identity_v1_EndAuditEntryRequest, callback: grpc.requestCallback<_tollgate_identity_v1_EndAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  
  EndUserSessions(argument: _tollgate_identity_v1_EndUserSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_EndUserSessionsResponse__Output>): grpc.ClientUnaryCall;
  EndUserSessions(argument: _tollgate_identity_v1_EndUserSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_EndUserSessionsResponse__Output>): grpc.ClientUnaryCall;
  EndUserSessions(argument: _tollgate_identity_v1_EndUserSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_EndUserSessionsResponse__Output>): grpc.ClientUnaryCall;
  EndUserSessions(argument: _tollgate_identity_v1_EndUserSessionsRequest, callback: grpc.requestCallback<_tollgate_identity_v1_EndUserSessionsResponse__Output>): grpc.ClientUnaryCall;
  endUserSessions(argument: _tollgate_identity_v1_EndUserSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_EndUserSessionsResponse__Output>): grpc.ClientUnaryCall;
  endUserSessions(argument: _tollgate_identity_v1_EndUserSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_EndUserSessionsResponse__Output>): grpc.ClientUnaryCall;
  endUserSessions(argument: _tollgate_identity_v1_EndUserSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_EndUserSessionsResponse__Output>): grpc.ClientUnaryCall;
  endUserSessions(argument: _tollgate_identity_v1_EndUserSessionsRequest, callback: grpc.requestCallback<_tollgate_identity_v1_EndUserSessionsResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Ends every session and key at once, removes the account's people, and leaves its numbers.
   */
  EraseAccount(argument: _tollgate_identity_v1_EraseAccountRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_EraseAccountResponse__Output>): grpc.ClientUnaryCall;
  EraseAccount(argument: _tollgate_identity_v1_EraseAccountRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_EraseAccountResponse__Output>): grpc.ClientUnaryCall;
  EraseAccount(argument: _tollgate_identity_v1_EraseAccountRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_EraseAccountResponse__Output>): grpc.ClientUnaryCall;
  EraseAccount(argument: _tollgate_identity_v1_EraseAccountRequest, callback: grpc.requestCallback<_tollgate_identity_v1_EraseAccountResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Ends every session and key at once, removes the account's people, and leaves its numbers.
   */
  eraseAccount(argument: _tollgate_identity_v1_EraseAccountRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_EraseAccountResponse__Output>): grpc.ClientUnaryCall;
  eraseAccount(argument: _tollgate_identity_v1_EraseAccountRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_EraseAccountResponse__Output>): grpc.ClientUnaryCall;
  eraseAccount(argument: _tollgate_identity_v1_EraseAccountRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_EraseAccountResponse__Output>): grpc.ClientUnaryCall;
  eraseAccount(argument: _tollgate_identity_v1_EraseAccountRequest, callback: grpc.requestCallback<_tollgate_identity_v1_EraseAccountResponse__Output>): grpc.ClientUnaryCall;
  
  ExchangeOAuthCode(argument: _tollgate_identity_v1_ExchangeOAuthCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ExchangeOAuthCodeResponse__Output>): grpc.ClientUnaryCall;
  ExchangeOAuthCode(argument: _tollgate_identity_v1_ExchangeOAuthCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ExchangeOAuthCodeResponse__Output>): grpc.ClientUnaryCall;
  ExchangeOAuthCode(argument: _tollgate_identity_v1_ExchangeOAuthCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ExchangeOAuthCodeResponse__Output>): grpc.ClientUnaryCall;
  ExchangeOAuthCode(argument: _tollgate_identity_v1_ExchangeOAuthCodeRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ExchangeOAuthCodeResponse__Output>): grpc.ClientUnaryCall;
  exchangeOAuthCode(argument: _tollgate_identity_v1_ExchangeOAuthCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ExchangeOAuthCodeResponse__Output>): grpc.ClientUnaryCall;
  exchangeOAuthCode(argument: _tollgate_identity_v1_ExchangeOAuthCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ExchangeOAuthCodeResponse__Output>): grpc.ClientUnaryCall;
  exchangeOAuthCode(argument: _tollgate_identity_v1_ExchangeOAuthCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ExchangeOAuthCodeResponse__Output>): grpc.ClientUnaryCall;
  exchangeOAuthCode(argument: _tollgate_identity_v1_ExchangeOAuthCodeRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ExchangeOAuthCodeResponse__Output>): grpc.ClientUnaryCall;
  
  GetAccount(argument: _tollgate_identity_v1_GetAccountRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetAccountResponse__Output>): grpc.ClientUnaryCall;
  GetAccount(argument: _tollgate_identity_v1_GetAccountRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_GetAccountResponse__Output>): grpc.ClientUnaryCall;
  GetAccount(argument: _tollgate_identity_v1_GetAccountRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetAccountResponse__Output>): grpc.ClientUnaryCall;
  GetAccount(argument: _tollgate_identity_v1_GetAccountRequest, callback: grpc.requestCallback<_tollgate_identity_v1_GetAccountResponse__Output>): grpc.ClientUnaryCall;
  getAccount(argument: _tollgate_identity_v1_GetAccountRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetAccountResponse__Output>): grpc.ClientUnaryCall;
  getAccount(argument: _tollgate_identity_v1_GetAccountRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_GetAccountResponse__Output>): grpc.ClientUnaryCall;
  getAccount(argument: _tollgate_identity_v1_GetAccountRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetAccountResponse__Output>): grpc.ClientUnaryCall;
  getAccount(argument: _tollgate_identity_v1_GetAccountRequest, callback: grpc.requestCallback<_tollgate_identity_v1_GetAccountResponse__Output>): grpc.ClientUnaryCall;
  
  GetApiKey(argument: _tollgate_identity_v1_GetApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetApiKeyResponse__Output>): grpc.ClientUnaryCall;
  GetApiKey(argument: _tollgate_identity_v1_GetApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_GetApiKeyResponse__Output>): grpc.ClientUnaryCall;
  GetApiKey(argument: _tollgate_identity_v1_GetApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetApiKeyResponse__Output>): grpc.ClientUnaryCall;
  GetApiKey(argument: _tollgate_identity_v1_GetApiKeyRequest, callback: grpc.requestCallback<_tollgate_identity_v1_GetApiKeyResponse__Output>): grpc.ClientUnaryCall;
  getApiKey(argument: _tollgate_identity_v1_GetApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetApiKeyResponse__Output>): grpc.ClientUnaryCall;
  getApiKey(argument: _tollgate_identity_v1_GetApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_GetApiKeyResponse__Output>): grpc.ClientUnaryCall;
  getApiKey(argument: _tollgate_identity_v1_GetApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetApiKeyResponse__Output>): grpc.ClientUnaryCall;
  getApiKey(argument: _tollgate_identity_v1_GetApiKeyRequest, callback: grpc.requestCallback<_tollgate_identity_v1_GetApiKeyResponse__Output>): grpc.ClientUnaryCall;
  
  GetAuditEntry(argument: _tollgate_identity_v1_GetAuditEntryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  GetAuditEntry(argument: _tollgate_identity_v1_GetAuditEntryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_GetAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  GetAuditEntry(argument: _tollgate_identity_v1_GetAuditEntryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  GetAuditEntry(argument: _tollgate_identity_v1_GetAuditEntryRequest, callback: grpc.requestCallback<_tollgate_identity_v1_GetAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  getAuditEntry(argument: _tollgate_identity_v1_GetAuditEntryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  getAuditEntry(argument: _tollgate_identity_v1_GetAuditEntryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_GetAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  getAuditEntry(argument: _tollgate_identity_v1_GetAuditEntryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  getAuditEntry(argument: _tollgate_identity_v1_GetAuditEntryRequest, callback: grpc.requestCallback<_tollgate_identity_v1_GetAuditEntryResponse__Output>): grpc.ClientUnaryCall;
  
  GetMember(argument: _tollgate_identity_v1_GetMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetMemberResponse__Output>): grpc.ClientUnaryCall;
  GetMember(argument: _tollgate_identity_v1_GetMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_GetMemberResponse__Output>): grpc.ClientUnaryCall;
  GetMember(argument: _tollgate_identity_v1_GetMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetMemberResponse__Output>): grpc.ClientUnaryCall;
  GetMember(argument: _tollgate_identity_v1_GetMemberRequest, callback: grpc.requestCallback<_tollgate_identity_v1_GetMemberResponse__Output>): grpc.ClientUnaryCall;
  getMember(argument: _tollgate_identity_v1_GetMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetMemberResponse__Output>): grpc.ClientUnaryCall;
  getMember(argument: _tollgate_identity_v1_GetMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_GetMemberResponse__Output>): grpc.ClientUnaryCall;
  getMember(argument: _tollgate_identity_v1_GetMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetMemberResponse__Output>): grpc.ClientUnaryCall;
  getMember(argument: _tollgate_identity_v1_GetMemberRequest, callback: grpc.requestCallback<_tollgate_identity_v1_GetMemberResponse__Output>): grpc.ClientUnaryCall;
  
  GetSigningKeys(argument: _tollgate_identity_v1_GetSigningKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetSigningKeysResponse__Output>): grpc.ClientUnaryCall;
  GetSigningKeys(argument: _tollgate_identity_v1_GetSigningKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_GetSigningKeysResponse__Output>): grpc.ClientUnaryCall;
  GetSigningKeys(argument: _tollgate_identity_v1_GetSigningKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetSigningKeysResponse__Output>): grpc.ClientUnaryCall;
  GetSigningKeys(argument: _tollgate_identity_v1_GetSigningKeysRequest, callback: grpc.requestCallback<_tollgate_identity_v1_GetSigningKeysResponse__Output>): grpc.ClientUnaryCall;
  getSigningKeys(argument: _tollgate_identity_v1_GetSigningKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetSigningKeysResponse__Output>): grpc.ClientUnaryCall;
  getSigningKeys(argument: _tollgate_identity_v1_GetSigningKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_GetSigningKeysResponse__Output>): grpc.ClientUnaryCall;
  getSigningKeys(argument: _tollgate_identity_v1_GetSigningKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetSigningKeysResponse__Output>): grpc.ClientUnaryCall;
  getSigningKeys(argument: _tollgate_identity_v1_GetSigningKeysRequest, callback: grpc.requestCallback<_tollgate_identity_v1_GetSigningKeysResponse__Output>): grpc.ClientUnaryCall;
  
  GetUser(argument: _tollgate_identity_v1_GetUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetUserResponse__Output>): grpc.ClientUnaryCall;
  GetUser(argument: _tollgate_identity_v1_GetUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_GetUserResponse__Output>): grpc.ClientUnaryCall;
  GetUser(argument: _tollgate_identity_v1_GetUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetUserResponse__Output>): grpc.ClientUnaryCall;
  GetUser(argument: _tollgate_identity_v1_GetUserRequest, callback: grpc.requestCallback<_tollgate_identity_v1_GetUserResponse__Output>): grpc.ClientUnaryCall;
  getUser(argument: _tollgate_identity_v1_GetUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetUserResponse__Output>): grpc.ClientUnaryCall;
  getUser(argument: _tollgate_identity_v1_GetUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_GetUserResponse__Output>): grpc.ClientUnaryCall;
  getUser(argument: _tollgate_identity_v1_GetUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_GetUserResponse__Output>): grpc.ClientUnaryCall;
  getUser(argument: _tollgate_identity_v1_GetUserRequest, callback: grpc.requestCallback<_tollgate_identity_v1_GetUserResponse__Output>): grpc.ClientUnaryCall;
  
  ListAccounts(argument: _tollgate_identity_v1_ListAccountsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListAccountsResponse__Output>): grpc.ClientUnaryCall;
  ListAccounts(argument: _tollgate_identity_v1_ListAccountsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ListAccountsResponse__Output>): grpc.ClientUnaryCall;
  ListAccounts(argument: _tollgate_identity_v1_ListAccountsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListAccountsResponse__Output>): grpc.ClientUnaryCall;
  ListAccounts(argument: _tollgate_identity_v1_ListAccountsRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ListAccountsResponse__Output>): grpc.ClientUnaryCall;
  listAccounts(argument: _tollgate_identity_v1_ListAccountsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListAccountsResponse__Output>): grpc.ClientUnaryCall;
  listAccounts(argument: _tollgate_identity_v1_ListAccountsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ListAccountsResponse__Output>): grpc.ClientUnaryCall;
  listAccounts(argument: _tollgate_identity_v1_ListAccountsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListAccountsResponse__Output>): grpc.ClientUnaryCall;
  listAccounts(argument: _tollgate_identity_v1_ListAccountsRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ListAccountsResponse__Output>): grpc.ClientUnaryCall;
  
  ListApiKeys(argument: _tollgate_identity_v1_ListApiKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListApiKeys(argument: _tollgate_identity_v1_ListApiKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListApiKeys(argument: _tollgate_identity_v1_ListApiKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListApiKeys(argument: _tollgate_identity_v1_ListApiKeysRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listApiKeys(argument: _tollgate_identity_v1_ListApiKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listApiKeys(argument: _tollgate_identity_v1_ListApiKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listApiKeys(argument: _tollgate_identity_v1_ListApiKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listApiKeys(argument: _tollgate_identity_v1_ListApiKeysRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Without the JSON members of the entries.
   */
  ListAuditEntries(argument: _tollgate_identity_v1_ListAuditEntriesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListAuditEntriesResponse__Output>): grpc.ClientUnaryCall;
  ListAuditEntries(argument: _tollgate_identity_v1_ListAuditEntriesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ListAuditEntriesResponse__Output>): grpc.ClientUnaryCall;
  ListAuditEntries(argument: _tollgate_identity_v1_ListAuditEntriesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListAuditEntriesResponse__Output>): grpc.ClientUnaryCall;
  ListAuditEntries(argument: _tollgate_identity_v1_ListAuditEntriesRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ListAuditEntriesResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Without the JSON members of the entries.
   */
  listAuditEntries(argument: _tollgate_identity_v1_ListAuditEntriesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListAuditEntriesResponse__Output>): grpc.ClientUnaryCall;
  listAuditEntries(argument: _tollgate_identity_v1_ListAuditEntriesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ListAuditEntriesResponse__Output>): grpc.ClientUnaryCall;
  listAuditEntries(argument: _tollgate_identity_v1_ListAuditEntriesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListAuditEntriesResponse__Output>): grpc.ClientUnaryCall;
  listAuditEntries(argument: _tollgate_identity_v1_ListAuditEntriesRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ListAuditEntriesResponse__Output>): grpc.ClientUnaryCall;
  
  ListMembers(argument: _tollgate_identity_v1_ListMembersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListMembersResponse__Output>): grpc.ClientUnaryCall;
  ListMembers(argument: _tollgate_identity_v1_ListMembersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ListMembersResponse__Output>): grpc.ClientUnaryCall;
  ListMembers(argument: _tollgate_identity_v1_ListMembersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListMembersResponse__Output>): grpc.ClientUnaryCall;
  ListMembers(argument: _tollgate_identity_v1_ListMembersRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ListMembersResponse__Output>): grpc.ClientUnaryCall;
  listMembers(argument: _tollgate_identity_v1_ListMembersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListMembersResponse__Output>): grpc.ClientUnaryCall;
  listMembers(argument: _tollgate_identity_v1_ListMembersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ListMembersResponse__Output>): grpc.ClientUnaryCall;
  listMembers(argument: _tollgate_identity_v1_ListMembersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListMembersResponse__Output>): grpc.ClientUnaryCall;
  listMembers(argument: _tollgate_identity_v1_ListMembersRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ListMembersResponse__Output>): grpc.ClientUnaryCall;
  
  ListOAuthProviders(argument: _tollgate_identity_v1_ListOAuthProvidersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListOAuthProvidersResponse__Output>): grpc.ClientUnaryCall;
  ListOAuthProviders(argument: _tollgate_identity_v1_ListOAuthProvidersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ListOAuthProvidersResponse__Output>): grpc.ClientUnaryCall;
  ListOAuthProviders(argument: _tollgate_identity_v1_ListOAuthProvidersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListOAuthProvidersResponse__Output>): grpc.ClientUnaryCall;
  ListOAuthProviders(argument: _tollgate_identity_v1_ListOAuthProvidersRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ListOAuthProvidersResponse__Output>): grpc.ClientUnaryCall;
  listOAuthProviders(argument: _tollgate_identity_v1_ListOAuthProvidersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListOAuthProvidersResponse__Output>): grpc.ClientUnaryCall;
  listOAuthProviders(argument: _tollgate_identity_v1_ListOAuthProvidersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ListOAuthProvidersResponse__Output>): grpc.ClientUnaryCall;
  listOAuthProviders(argument: _tollgate_identity_v1_ListOAuthProvidersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListOAuthProvidersResponse__Output>): grpc.ClientUnaryCall;
  listOAuthProviders(argument: _tollgate_identity_v1_ListOAuthProvidersRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ListOAuthProvidersResponse__Output>): grpc.ClientUnaryCall;
  
  ListUsers(argument: _tollgate_identity_v1_ListUsersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  ListUsers(argument: _tollgate_identity_v1_ListUsersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  ListUsers(argument: _tollgate_identity_v1_ListUsersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  ListUsers(argument: _tollgate_identity_v1_ListUsersRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _tollgate_identity_v1_ListUsersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _tollgate_identity_v1_ListUsersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _tollgate_identity_v1_ListUsersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _tollgate_identity_v1_ListUsersRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  
  Login(argument: _tollgate_identity_v1_LoginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_LoginResponse__Output>): grpc.ClientUnaryCall;
  Login(argument: _tollgate_identity_v1_LoginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_LoginResponse__Output>): grpc.ClientUnaryCall;
  Login(argument: _tollgate_identity_v1_LoginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_LoginResponse__Output>): grpc.ClientUnaryCall;
  Login(argument: _tollgate_identity_v1_LoginRequest, callback: grpc.requestCallback<_tollgate_identity_v1_LoginResponse__Output>): grpc.ClientUnaryCall;
  login(argument: _tollgate_identity_v1_LoginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_LoginResponse__Output>): grpc.ClientUnaryCall;
  login(argument: _tollgate_identity_v1_LoginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_LoginResponse__Output>): grpc.ClientUnaryCall;
  login(argument: _tollgate_identity_v1_LoginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_LoginResponse__Output>): grpc.ClientUnaryCall;
  login(argument: _tollgate_identity_v1_LoginRequest, callback: grpc.requestCallback<_tollgate_identity_v1_LoginResponse__Output>): grpc.ClientUnaryCall;
  
  Logout(argument: _tollgate_identity_v1_LogoutRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_LogoutResponse__Output>): grpc.ClientUnaryCall;
  Logout(argument: _tollgate_identity_v1_LogoutRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_LogoutResponse__Output>): grpc.ClientUnaryCall;
  Logout(argument: _tollgate_identity_v1_LogoutRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_LogoutResponse__Output>): grpc.ClientUnaryCall;
  Logout(argument: _tollgate_identity_v1_LogoutRequest, callback: grpc.requestCallback<_tollgate_identity_v1_LogoutResponse__Output>): grpc.ClientUnaryCall;
  logout(argument: _tollgate_identity_v1_LogoutRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_LogoutResponse__Output>): grpc.ClientUnaryCall;
  logout(argument: _tollgate_identity_v1_LogoutRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_LogoutResponse__Output>): grpc.ClientUnaryCall;
  logout(argument: _tollgate_identity_v1_LogoutRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_LogoutResponse__Output>): grpc.ClientUnaryCall;
  logout(argument: _tollgate_identity_v1_LogoutRequest, callback: grpc.requestCallback<_tollgate_identity_v1_LogoutResponse__Output>): grpc.ClientUnaryCall;
  
  RefreshSession(argument: _tollgate_identity_v1_RefreshSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_RefreshSessionResponse__Output>): grpc.ClientUnaryCall;
  RefreshSession(argument: _tollgate_identity_v1_RefreshSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_RefreshSessionResponse__Output>): grpc.ClientUnaryCall;
  RefreshSession(argument: _tollgate_identity_v1_RefreshSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_RefreshSessionResponse__Output>): grpc.ClientUnaryCall;
  RefreshSession(argument: _tollgate_identity_v1_RefreshSessionRequest, callback: grpc.requestCallback<_tollgate_identity_v1_RefreshSessionResponse__Output>): grpc.ClientUnaryCall;
  refreshSession(argument: _tollgate_identity_v1_RefreshSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_RefreshSessionResponse__Output>): grpc.ClientUnaryCall;
  refreshSession(argument: _tollgate_identity_v1_RefreshSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_RefreshSessionResponse__Output>): grpc.ClientUnaryCall;
  refreshSession(argument: _tollgate_identity_v1_RefreshSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_RefreshSessionResponse__Output>): grpc.ClientUnaryCall;
  refreshSession(argument: _tollgate_identity_v1_RefreshSessionRequest, callback: grpc.requestCallback<_tollgate_identity_v1_RefreshSessionResponse__Output>): grpc.ClientUnaryCall;
  
  RemoveMember(argument: _tollgate_identity_v1_RemoveMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_RemoveMemberResponse__Output>): grpc.ClientUnaryCall;
  RemoveMember(argument: _tollgate_identity_v1_RemoveMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_RemoveMemberResponse__Output>): grpc.ClientUnaryCall;
  RemoveMember(argument: _tollgate_identity_v1_RemoveMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_RemoveMemberResponse__Output>): grpc.ClientUnaryCall;
  RemoveMember(argument: _tollgate_identity_v1_RemoveMemberRequest, callback: grpc.requestCallback<_tollgate_identity_v1_RemoveMemberResponse__Output>): grpc.ClientUnaryCall;
  removeMember(argument: _tollgate_identity_v1_RemoveMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_RemoveMemberResponse__Output>): grpc.ClientUnaryCall;
  removeMember(argument: _tollgate_identity_v1_RemoveMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_RemoveMemberResponse__Output>): grpc.ClientUnaryCall;
  removeMember(argument: _tollgate_identity_v1_RemoveMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_RemoveMemberResponse__Output>): grpc.ClientUnaryCall;
  removeMember(argument: _tollgate_identity_v1_RemoveMemberRequest, callback: grpc.requestCallback<_tollgate_identity_v1_RemoveMemberResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Which keys were used since the gateway's last report: cached keys are not asked about.
   */
  ReportKeyUses(argument: _tollgate_identity_v1_ReportKeyUsesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ReportKeyUsesResponse__Output>): grpc.ClientUnaryCall;
  ReportKeyUses(argument: _tollgate_identity_v1_ReportKeyUsesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ReportKeyUsesResponse__Output>): grpc.ClientUnaryCall;
  ReportKeyUses(argument: _tollgate_identity_v1_ReportKeyUsesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ReportKeyUsesResponse__Output>): grpc.ClientUnaryCall;
  ReportKeyUses(argument: _tollgate_identity_v1_ReportKeyUsesRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ReportKeyUsesResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Which keys were used since the gateway's last report: cached keys are not asked about.
   */
  reportKeyUses(argument: _tollgate_identity_v1_ReportKeyUsesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ReportKeyUsesResponse__Output>): grpc.ClientUnaryCall;
  reportKeyUses(argument: _tollgate_identity_v1_ReportKeyUsesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ReportKeyUsesResponse__Output>): grpc.ClientUnaryCall;
  reportKeyUses(argument: _tollgate_identity_v1_ReportKeyUsesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ReportKeyUsesResponse__Output>): grpc.ClientUnaryCall;
  reportKeyUses(argument: _tollgate_identity_v1_ReportKeyUsesRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ReportKeyUsesResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Sets the password by such a code, for whoever has it. UNAUTHENTICATED for one that is wrong, used or over.
   */
  ResetPassword(argument: _tollgate_identity_v1_ResetPasswordRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ResetPasswordResponse__Output>): grpc.ClientUnaryCall;
  ResetPassword(argument: _tollgate_identity_v1_ResetPasswordRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ResetPasswordResponse__Output>): grpc.ClientUnaryCall;
  ResetPassword(argument: _tollgate_identity_v1_ResetPasswordRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ResetPasswordResponse__Output>): grpc.ClientUnaryCall;
  ResetPassword(argument: _tollgate_identity_v1_ResetPasswordRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ResetPasswordResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Sets the password by such a code, for whoever has it. UNAUTHENTICATED for one that is wrong, used or over.
   */
  resetPassword(argument: _tollgate_identity_v1_ResetPasswordRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ResetPasswordResponse__Output>): grpc.ClientUnaryCall;
  resetPassword(argument: _tollgate_identity_v1_ResetPasswordRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_ResetPasswordResponse__Output>): grpc.ClientUnaryCall;
  resetPassword(argument: _tollgate_identity_v1_ResetPasswordRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_ResetPasswordResponse__Output>): grpc.ClientUnaryCall;
  resetPassword(argument: _tollgate_identity_v1_ResetPasswordRequest, callback: grpc.requestCallback<_tollgate_identity_v1_ResetPasswordResponse__Output>): grpc.ClientUnaryCall;
  
  RotateApiKey(argument: _tollgate_identity_v1_RotateApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_RotateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  RotateApiKey(argument: _tollgate_identity_v1_RotateApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_RotateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  RotateApiKey(argument: _tollgate_identity_v1_RotateApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_RotateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  RotateApiKey(argument: _tollgate_identity_v1_RotateApiKeyRequest, callback: grpc.requestCallback<_tollgate_identity_v1_RotateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  rotateApiKey(argument: _tollgate_identity_v1_RotateApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_RotateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  rotateApiKey(argument: _tollgate_identity_v1_RotateApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_RotateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  rotateApiKey(argument: _tollgate_identity_v1_RotateApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_RotateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  rotateApiKey(argument: _tollgate_identity_v1_RotateApiKeyRequest, callback: grpc.requestCallback<_tollgate_identity_v1_RotateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * An operator switches a key of any account off, or on again.
   */
  SetApiKeyStatus(argument: _tollgate_identity_v1_SetApiKeyStatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_SetApiKeyStatusResponse__Output>): grpc.ClientUnaryCall;
  SetApiKeyStatus(argument: _tollgate_identity_v1_SetApiKeyStatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_SetApiKeyStatusResponse__Output>): grpc.ClientUnaryCall;
  SetApiKeyStatus(argument: _tollgate_identity_v1_SetApiKeyStatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_SetApiKeyStatusResponse__Output>): grpc.ClientUnaryCall;
  SetApiKeyStatus(argument: _tollgate_identity_v1_SetApiKeyStatusRequest, callback: grpc.requestCallback<_tollgate_identity_v1_SetApiKeyStatusResponse__Output>): grpc.ClientUnaryCall;
  /**
   * An operator switches a key of any account off, or on again.
   */
  setApiKeyStatus(argument: _tollgate_identity_v1_SetApiKeyStatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_SetApiKeyStatusResponse__Output>): grpc.ClientUnaryCall;
  setApiKeyStatus(argument: _tollgate_identity_v1_SetApiKeyStatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_SetApiKeyStatusResponse__Output>): grpc.ClientUnaryCall;
  setApiKeyStatus(argument: _tollgate_identity_v1_SetApiKeyStatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_SetApiKeyStatusResponse__Output>): grpc.ClientUnaryCall;
  setApiKeyStatus(argument: _tollgate_identity_v1_SetApiKeyStatusRequest, callback: grpc.requestCallback<_tollgate_identity_v1_SetApiKeyStatusResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * SetUserStatus, EndUserSessions and StartPasswordReset are for operators.
   */
  SetUserStatus(argument: _tollgate_identity_v1_SetUserStatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_SetUserStatusResponse__Output>): grpc.ClientUnaryCall;
  SetUserStatus(argument: _tollgate_identity_v1_SetUserStatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_SetUserStatusResponse__Output>): grpc.ClientUnaryCall;
  SetUserStatus(argument: _tollgate_identity_v1_SetUserStatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_SetUserStatusResponse__Output>): grpc.ClientUnaryCall;
  SetUserStatus(argument: _tollgate_identity_v1_SetUserStatusRequest, callback: grpc.requestCallback<_tollgate_identity_v1_SetUserStatusResponse__Output>): grpc.ClientUnaryCall;
  /**
   * SetUserStatus, EndUserSessions and StartPasswordReset are for operators.
   */
  setUserStatus(argument: _tollgate_identity_v1_SetUserStatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_SetUserStatusResponse__Output>): grpc.ClientUnaryCall;
  setUserStatus(argument: _tollgate_identity_v1_SetUserStatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_SetUserStatusResponse__Output>): grpc.ClientUnaryCall;
  setUserStatus(argument: _tollgate_identity_v1_SetUserStatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_SetUserStatusResponse__Output>): grpc.ClientUnaryCall;
  setUserStatus(argument: _tollgate_identity_v1_SetUserStatusRequest, callback: grpc.requestCallback<_tollgate_identity_v1_SetUserStatusResponse__Output>): grpc.ClientUnaryCall;
  
  StartOAuth(argument: _tollgate_identity_v1_StartOAuthRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_StartOAuthResponse__Output>): grpc.ClientUnaryCall;
  StartOAuth(argument: _tollgate_identity_v1_StartOAuthRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_StartOAuthResponse__Output>): grpc.ClientUnaryCall;
  StartOAuth(argument: _tollgate_identity_v1_StartOAuthRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_StartOAuthResponse__Output>): grpc.ClientUnaryCall;
  StartOAuth(argument: _tollgate_identity_v1_StartOAuthRequest, callback: grpc.requestCallback<_tollgate_identity_v1_StartOAuthResponse__Output>): grpc.ClientUnaryCall;
  startOAuth(argument: _tollgate_identity_v1_StartOAuthRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_StartOAuthResponse__Output>): grpc.ClientUnaryCall;
  startOAuth(argument: _tollgate_identity_v1_StartOAuthRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_StartOAuthResponse__Output>): grpc.ClientUnaryCall;
  startOAuth(argument: _tollgate_identity_v1_StartOAuthRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_StartOAuthResponse__Output>): grpc.ClientUnaryCall;
  startOAuth(argument: _tollgate_identity_v1_StartOAuthRequest, callback: grpc.requestCallback<_tollgate_identity_v1_StartOAuthResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Makes a one-time code with which the user sets a new password; it replaces the one before.
   */
  StartPasswordReset(argument: _tollgate_identity_v1_StartPasswordResetRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_StartPasswordResetResponse__Output>): grpc.ClientUnaryCall;
  StartPasswordReset(argument: _tollgate_identity_v1_StartPasswordResetRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_StartPasswordResetResponse__Output>): grpc.ClientUnaryCall;
  StartPasswordReset(argument: _tollgate_identity_v1_StartPasswordResetRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_StartPasswordResetResponse__Output>): grpc.ClientUnaryCall;
  StartPasswordReset(argument: _tollgate_identity_v1_StartPasswordResetRequest, callback: grpc.requestCallback<_tollgate_identity_v1_StartPasswordResetResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Makes a one-time code with which the user sets a new password; it replaces the one before.
   */
  startPasswordReset(argument: _tollgate_identity_v1_StartPasswordResetRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_StartPasswordResetResponse__Output>): grpc.ClientUnaryCall;
  startPasswordReset(argument: _tollgate_identity_v1_StartPasswordResetRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_StartPasswordResetResponse__Output>): grpc.ClientUnaryCall;
  startPasswordReset(argument: _tollgate_identity_v1_StartPasswordResetRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_StartPasswordResetResponse__Output>): grpc.ClientUnaryCall;
  startPasswordReset(argument: _tollgate_identity_v1_StartPasswordResetRequest, callback: grpc.requestCallback<_tollgate_identity_v1_StartPasswordResetResponse__Output>): grpc.ClientUnaryCall;
  
  UpdateAccount(argument: _tollgate_identity_v1_UpdateAccountRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateAccountResponse__Output>): grpc.ClientUnaryCall;
  UpdateAccount(argument: _tollgate_identity_v1_UpdateAccountRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateAccountResponse__Output>): grpc.ClientUnaryCall;
  UpdateAccount(argument: _tollgate_identity_v1_UpdateAccountRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateAccountResponse__Output>): grpc.ClientUnaryCall;
  UpdateAccount(argument: _tollgate_identity_v1_UpdateAccountRequest, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateAccountResponse__Output>): grpc.ClientUnaryCall;
  updateAccount(argument: _tollgate_identity_v1_UpdateAccountRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateAccountResponse__Output>): grpc.ClientUnaryCall;
  updateAccount(argument: _tollgate_identity_v1_UpdateAccountRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateAccountResponse__Output>): grpc.ClientUnaryCall;
  updateAccount(argument: _tollgate_identity_v1_UpdateAccountRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateAccountResponse__Output>): grpc.ClientUnaryCall;
  updateAccount(argument: _tollgate_identity_v1_UpdateAccountRequest, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateAccountResponse__Output>): grpc.ClientUnaryCall;
  
  UpdateApiKey(argument: _tollgate_identity_v1_UpdateApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  UpdateApiKey(argument: _tollgate_identity_v1_UpdateApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  UpdateApiKey(argument: _tollgate_identity_v1_UpdateApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  UpdateApiKey(argument: _tollgate_identity_v1_UpdateApiKeyRequest, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  updateApiKey(argument: _tollgate_identity_v1_UpdateApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  updateApiKey(argument: _tollgate_identity_v1_UpdateApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  updateApiKey(argument: _tollgate_identity_v1_UpdateApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  updateApiKey(argument: _tollgate_identity_v1_UpdateApiKeyRequest, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateApiKeyResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Changes a member's role or name; an account always keeps an owner who can sign in.
   */
  UpdateMember(argument: _tollgate_identity_v1_UpdateMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateMemberResponse__Output>): grpc.ClientUnaryCall;
  UpdateMember(argument: _tollgate_identity_v1_UpdateMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateMemberResponse__Output>): grpc.ClientUnaryCall;
  UpdateMember(argument: _tollgate_identity_v1_UpdateMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateMemberResponse__Output>): grpc.ClientUnaryCall;
  UpdateMember(argument: _tollgate_identity_v1_UpdateMemberRequest, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateMemberResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Changes a member's role or name; an account always keeps an owner who can sign in.
   */
  updateMember(argument: _tollgate_identity_v1_UpdateMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateMemberResponse__Output>): grpc.ClientUnaryCall;
  updateMember(argument: _tollgate_identity_v1_UpdateMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateMemberResponse__Output>): grpc.ClientUnaryCall;
  updateMember(argument: _tollgate_identity_v1_UpdateMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateMemberResponse__Output>): grpc.ClientUnaryCall;
  updateMember(argument: _tollgate_identity_v1_UpdateMemberRequest, callback: grpc.requestCallback<_tollgate_identity_v1_UpdateMemberResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Resolves a bearer API key to its principal. UNAUTHENTICATED for anything that is not a live key.
   */
  VerifyApiKey(argument: _tollgate_identity_v1_VerifyApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_VerifyApiKeyResponse__Output>): grpc.ClientUnaryCall;
  VerifyApiKey(argument: _tollgate_identity_v1_VerifyApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_VerifyApiKeyResponse__Output>): grpc.ClientUnaryCall;
  VerifyApiKey(argument: _tollgate_identity_v1_VerifyApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_VerifyApiKeyResponse__Output>): grpc.ClientUnaryCall;
  VerifyApiKey(argument: _tollgate_identity_v1_VerifyApiKeyRequest, callback: grpc.requestCallback<_tollgate_identity_v1_VerifyApiKeyResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Resolves a bearer API key to its principal. UNAUTHENTICATED for anything that is not a live key.
   */
  verifyApiKey(argument: _tollgate_identity_v1_VerifyApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_VerifyApiKeyResponse__Output>): grpc.ClientUnaryCall;
  verifyApiKey(argument: _tollgate_identity_v1_VerifyApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_identity_v1_VerifyApiKeyResponse__Output>): grpc.ClientUnaryCall;
  verifyApiKey(argument: _tollgate_identity_v1_VerifyApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_identity_v1_VerifyApiKeyResponse__Output>): grpc.ClientUnaryCall;
  verifyApiKey(argument: _tollgate_identity_v1_VerifyApiKeyRequest, callback: grpc.requestCallback<_tollgate_identity_v1_VerifyApiKeyResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Pushes every change of a principal (key, account, plan) with a revision and a heartbeat.
   */
  WatchRevocations(argument: _tollgate_identity_v1_WatchRevocationsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_tollgate_identity_v1_WatchRevocationsResponse__Output>;
  WatchRevocations(argument: _tollgate_identity_v1_WatchRevocationsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_tollgate_identity_v1_WatchRevocationsResponse__Output>;
  /**
   * Pushes every change of a principal (key, account, plan) with a revision and a heartbeat.
   */
  watchRevocations(argument: _tollgate_identity_v1_WatchRevocationsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_tollgate_identity_v1_WatchRevocationsResponse__Output>;
  watchRevocations(argument: _tollgate_identity_v1_WatchRevocationsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_tollgate_identity_v1_WatchRevocationsResponse__Output>;
  
}

/**
 * Accounts, users, API keys, sessions and OAuth identities. Ids carry their prefix
 * (acc_, usr_, key_); times are ISO-8601 UTC strings, empty when absent.
 */
export interface IdentityServiceHandlers extends grpc.UntypedServiceImplementation {
  AddMember: grpc.handleUnaryCall<_tollgate_identity_v1_AddMemberRequest__Output, _tollgate_identity_v1_AddMemberResponse>;
  
  /**
   * Notes a management write before it is made, so that no crash leaves one without its entry.
   */
  BeginAuditEntry: grpc.handleUnaryCall<_tollgate_identity_v1_BeginAuditEntryRequest__Output, _tollgate_identity_v1_BeginAuditEntryResponse>;
  
  ChangePassword: grpc.handleUnaryCall<_tollgate_identity_v1_ChangePasswordRequest__Output, _tollgate_identity_v1_ChangePasswordResponse>;
  
  CompleteOAuth: grpc.handleUnaryCall<_tollgate_identity_v1_CompleteOAuthRequest__Output, _tollgate_identity_v1_CompleteOAuthResponse>;
  
  CreateAccount: grpc.handleUnaryCall<_tollgate_identity_v1_CreateAccountRequest__Output, _tollgate_identity_v1_CreateAccountResponse>;
  
  CreateApiKey: grpc.handleUnaryCall<_tollgate_identity_v1_CreateApiKeyRequest__Output, _tollgate_identity_v1_CreateApiKeyResponse>;
  
  CreateUser: grpc.handleUnaryCall<_tollgate_identity_v1_CreateUserRequest__Output, _tollgate_identity_v1_CreateUserResponse>;
  
  DeleteApiKey: grpc.handleUnaryCall<_tollgate_identity_v1_DeleteApiKeyRequest__Output, _tollgate_identity_v1_DeleteApiKeyResponse>;
  
  /**
   * Says what became of it. A write that was refused leaves no entry.
   */
  EndAuditEntry: grpc.handleUnaryCall<_tollgate_identity_v1_EndAuditEntryRequest__Output, _tollgate_identity_v1_EndAuditEntryResponse>;
  
  EndUserSessions: grpc.handleUnaryCall<_tollgate_identity_v1_EndUserSessionsRequest__Output, _tollgate_identity_v1_EndUserSessionsResponse>;
  
  /**
   * Ends every session and key at once, removes the account's people, and leaves its numbers.
   */
  EraseAccount: grpc.handleUnaryCall<_tollgate_identity_v1_EraseAccountRequest__Output, _tollgate_identity_v1_EraseAccountResponse>;
  
  ExchangeOAuthCode: grpc.handleUnaryCall<_tollgate_identity_v1_ExchangeOAuthCodeRequest__Output, _tollgate_identity_v1_ExchangeOAuthCodeResponse>;
  
  GetAccount: grpc.handleUnaryCall<_tollgate_identity_v1_GetAccountRequest__Output, _tollgate_identity_v1_GetAccountResponse>;
  
  GetApiKey: grpc.handleUnaryCall<_tollgate_identity_v1_GetApiKeyRequest__Output, _tollgate_identity_v1_GetApiKeyResponse>;
  
  GetAuditEntry: grpc.handleUnaryCall<_tollgate_identity_v1_GetAuditEntryRequest__Output, _tollgate_identity_v1_GetAuditEntryResponse>;
  
  GetMember: grpc.handleUnaryCall<_tollgate_identity_v1_GetMemberRequest__Output, _tollgate_identity_v1_GetMemberResponse>;
  
  GetSigningKeys: grpc.handleUnaryCall<_tollgate_identity_v1_GetSigningKeysRequest__Output, _tollgate_identity_v1_GetSigningKeysResponse>;
  
  GetUser: grpc.handleUnaryCall<_tollgate_identity_v1_GetUserRequest__Output, _tollgate_identity_v1_GetUserResponse>;
  
  ListAccounts: grpc.handleUnaryCall<_tollgate_identity_v1_ListAccountsRequest__Output, _tollgate_identity_v1_ListAccountsResponse>;
  
  ListApiKeys: grpc.handleUnaryCall<_tollgate_identity_v1_ListApiKeysRequest__Output, _tollgate_identity_v1_ListApiKeysResponse>;
  
  /**
   * Without the JSON members of the entries.
   */
  ListAuditEntries: grpc.handleUnaryCall<_tollgate_identity_v1_ListAuditEntriesRequest__Output, _tollgate_identity_v1_ListAuditEntriesResponse>;
  
  ListMembers: grpc.handleUnaryCall<_tollgate_identity_v1_ListMembersRequest__Output, _tollgate_identity_v1_ListMembersResponse>;
  
  ListOAuthProviders: grpc.handleUnaryCall<_tollgate_identity_v1_ListOAuthProvidersRequest__Output, _tollgate_identity_v1_ListOAuthProvidersResponse>;
  
  ListUsers: grpc.handleUnaryCall<_tollgate_identity_v1_ListUsersRequest__Output, _tollgate_identity_v1_ListUsersResponse>;
  
  Login: grpc.handleUnaryCall<_tollgate_identity_v1_LoginRequest__Output, _tollgate_identity_v1_LoginResponse>;
  
  Logout: grpc.handleUnaryCall<_tollgate_identity_v1_LogoutRequest__Output, _tollgate_identity_v1_LogoutResponse>;
  
  RefreshSession: grpc.handleUnaryCall<_tollgate_identity_v1_RefreshSessionRequest__Output, _tollgate_identity_v1_RefreshSessionResponse>;
  
  RemoveMember: grpc.handleUnaryCall<_tollgate_identity_v1_RemoveMemberRequest__Output, _tollgate_identity_v1_RemoveMemberResponse>;
  
  /**
   * Which keys were used since the gateway's last report: cached keys are not asked about.
   */
  ReportKeyUses: grpc.handleUnaryCall<_tollgate_identity_v1_ReportKeyUsesRequest__Output, _tollgate_identity_v1_ReportKeyUsesResponse>;
  
  /**
   * Sets the password by such a code, for whoever has it. UNAUTHENTICATED for one that is wrong, used or over.
   */
  ResetPassword: grpc.handleUnaryCall<_tollgate_identity_v1_ResetPasswordRequest__Output, _tollgate_identity_v1_ResetPasswordResponse>;
  
  RotateApiKey: grpc.handleUnaryCall<_tollgate_identity_v1_RotateApiKeyRequest__Output, _tollgate_identity_v1_RotateApiKeyResponse>;
  
  /**
   * An operator switches a key of any account off, or on again.
   */
  SetApiKeyStatus: grpc.handleUnaryCall<_tollgate_identity_v1_SetApiKeyStatusRequest__Output, _tollgate_identity_v1_SetApiKeyStatusResponse>;
  
  /**
   * SetUserStatus, EndUserSessions and StartPasswordReset are for operators.
   */
  SetUserStatus: grpc.handleUnaryCall<_tollgate_identity_v1_SetUserStatusRequest__Output, _tollgate_identity_v1_SetUserStatusResponse>;
  
  StartOAuth: grpc.handleUnaryCall<_tollgate_identity_v1_StartOAuthRequest__Output, _tollgate_identity_v1_StartOAuthResponse>;
  
  /**
   * Makes a one-time code with which the user sets a new password; it replaces the one before.
   */
  StartPasswordReset: grpc.handleUnaryCall<_tollgate_identity_v1_StartPasswordResetRequest__Output, _tollgate_identity_v1_StartPasswordResetResponse>;
  
  UpdateAccount: grpc.handleUnaryCall<_tollgate_identity_v1_UpdateAccountRequest__Output, _tollgate_identity_v1_UpdateAccountResponse>;
  
  UpdateApiKey: grpc.handleUnaryCall<_tollgate_identity_v1_UpdateApiKeyRequest__Output, _tollgate_identity_v1_UpdateApiKeyResponse>;
  
  /**
   * Changes a member's role or name; an account always keeps an owner who can sign in.
   */
  UpdateMember: grpc.handleUnaryCall<_tollgate_identity_v1_UpdateMemberRequest__Output, _tollgate_identity_v1_UpdateMemberResponse>;
  
  /**
   * Resolves a bearer API key to its principal. UNAUTHENTICATED for anything that is not a live key.
   */
  VerifyApiKey: grpc.handleUnaryCall<_tollgate_identity_v1_VerifyApiKeyRequest__Output, _tollgate_identity_v1_VerifyApiKeyResponse>;
  
  /**
   * Pushes every change of a principal (key, account, plan) with a revision and a heartbeat.
   */
  WatchRevocations: grpc.handleServerStreamingCall<_tollgate_identity_v1_WatchRevocationsRequest__Output, _tollgate_identity_v1_WatchRevocationsResponse>;
  
}

export interface IdentityServiceDefinition extends grpc.ServiceDefinition {
  AddMember: MethodDefinition<_tollgate_identity_v1_AddMemberRequest, _tollgate_identity_v1_AddMemberResponse, _tollgate_identity_v1_AddMemberRequest__Output, _tollgate_identity_v1_AddMemberResponse__Output>
  BeginAuditEntry: MethodDefinition<_tollgate_identity_v1_BeginAuditEntryRequest, _tollgate_identity_v1_BeginAuditEntryResponse, _tollgate_identity_v1_BeginAuditEntryRequest__Output, _tollgate_identity_v1_BeginAuditEntryResponse__Output>
  ChangePassword: MethodDefinition<_tollgate_identity_v1_ChangePasswordRequest, _tollgate_identity_v1_ChangePasswordResponse, _tollgate_identity_v1_ChangePasswordRequest__Output, _tollgate_identity_v1_ChangePasswordResponse__Output>
  CompleteOAuth: MethodDefinition<_tollgate_identity_v1_CompleteOAuthRequest, _tollgate_identity_v1_CompleteOAuthResponse, _tollgate_identity_v1_CompleteOAuthRequest__Output, _tollgate_identity_v1_CompleteOAuthResponse__Output>
  CreateAccount: MethodDefinition<_tollgate_identity_v1_CreateAccountRequest, _tollgate_identity_v1_CreateAccountResponse, _tollgate_identity_v1_CreateAccountRequest__Output, _tollgate_identity_v1_CreateAccountResponse__Output>
  CreateApiKey: MethodDefinition<_tollgate_identity_v1_CreateApiKeyRequest, _tollgate_identity_v1_CreateApiKeyResponse, _tollgate_identity_v1_CreateApiKeyRequest__Output, _tollgate_identity_v1_CreateApiKeyResponse__Output>
  CreateUser: MethodDefinition<_tollgate_identity_v1_CreateUserRequest, _tollgate_identity_v1_CreateUserResponse, _tollgate_identity_v1_CreateUserRequest__Output, _tollgate_identity_v1_CreateUserResponse__Output>
  DeleteApiKey: MethodDefinition<_tollgate_identity_v1_DeleteApiKeyRequest, _tollgate_identity_v1_DeleteApiKeyResponse, _tollgate_identity_v1_DeleteApiKeyRequest__Output, _tollgate_identity_v1_DeleteApiKeyResponse__Output>
  EndAuditEntry: MethodDefinition<_tollgate_identity_v1_EndAuditEntryRequest, _tollgate_identity_v1_EndAuditEntryResponse, _tollgate_identity_v1_EndAuditEntryRequest__Output, _tollgate_identity_v1_EndAuditEntryResponse__Output>
  EndUserSessions: MethodDefinition<_tollgate_identity_v1_EndUserSessionsRequest, _tollgate_identity_v1_EndUserSessionsResponse, _tollgate_identity_v1_EndUserSessionsRequest__Output, _tollgate_identity_v1_EndUserSessionsResponse__Output>
  EraseAccount: MethodDefinition<_tollgate_identity_v1_EraseAccountRequest, _tollgate_identity_v1_EraseAccountResponse, _tollgate_identity_v1_EraseAccountRequest__Output, _tollgate_identity_v1_EraseAccountResponse__Output>
  ExchangeOAuthCode: MethodDefinition<_tollgate_identity_v1_ExchangeOAuthCodeRequest, _tollgate_identity_v1_ExchangeOAuthCodeResponse, _tollgate_identity_v1_ExchangeOAuthCodeRequest__Output, _tollgate_identity_v1_ExchangeOAuthCodeResponse__Output>
  GetAccount: MethodDefinition<_tollgate_identity_v1_GetAccountRequest, _tollgate_identity_v1_GetAccountResponse, _tollgate_identity_v1_GetAccountRequest__Output, _tollgate_identity_v1_GetAccountResponse__Output>
  GetApiKey: MethodDefinition<_tollgate_identity_v1_GetApiKeyRequest, _tollgate_identity_v1_GetApiKeyResponse, _tollgate_identity_v1_GetApiKeyRequest__Output, _tollgate_identity_v1_GetApiKeyResponse__Output>
  GetAuditEntry: MethodDefinition<_tollgate_identity_v1_GetAuditEntryRequest, _tollgate_identity_v1_GetAuditEntryResponse, _tollgate_identity_v1_GetAuditEntryRequest__Output, _tollgate_identity_v1_GetAuditEntryResponse__Output>
  GetMember: MethodDefinition<_tollgate_identity_v1_GetMemberRequest, _tollgate_identity_v1_GetMemberResponse, _tollgate_identity_v1_GetMemberRequest__Output, _tollgate_identity_v1_GetMemberResponse__Output>
  GetSigningKeys: MethodDefinition<_tollgate_identity_v1_GetSigningKeysRequest, _tollgate_identity_v1_GetSigningKeysResponse, _tollgate_identity_v1_GetSigningKeysRequest__Output, _tollgate_identity_v1_GetSigningKeysResponse__Output>
  GetUser: MethodDefinition<_tollgate_identity_v1_GetUserRequest, _tollgate_identity_v1_GetUserResponse, _tollgate_identity_v1_GetUserRequest__Output, _tollgate_identity_v1_GetUserResponse__Output>
  ListAccounts: MethodDefinition<_tollgate_identity_v1_ListAccountsRequest, _tollgate_identity_v1_ListAccountsResponse, _tollgate_identity_v1_ListAccountsRequest__Output, _tollgate_identity_v1_ListAccountsResponse__Output>
  ListApiKeys: MethodDefinition<_tollgate_identity_v1_ListApiKeysRequest, _tollgate_identity_v1_ListApiKeysResponse, _tollgate_identity_v1_ListApiKeysRequest__Output, _tollgate_identity_v1_ListApiKeysResponse__Output>
  ListAuditEntries: MethodDefinition<_tollgate_identity_v1_ListAuditEntriesRequest, _tollgate_identity_v1_ListAuditEntriesResponse, _tollgate_identity_v1_ListAuditEntriesRequest__Output, _tollgate_identity_v1_ListAuditEntriesResponse__Output>
  ListMembers: MethodDefinition<_tollgate_identity_v1_ListMembersRequest, _tollgate_identity_v1_ListMembersResponse, _tollgate_identity_v1_ListMembersRequest__Output, _tollgate_identity_v1_ListMembersResponse__Output>
  ListOAuthProviders: MethodDefinition<_tollgate_identity_v1_ListOAuthProvidersRequest, _tollgate_identity_v1_ListOAuthProvidersResponse, _tollgate_identity_v1_ListOAuthProvidersRequest__Output, _tollgate_identity_v1_ListOAuthProvidersResponse__Output>
  ListUsers: MethodDefinition<_tollgate_identity_v1_ListUsersRequest, _tollgate_identity_v1_ListUsersResponse, _tollgate_identity_v1_ListUsersRequest__Output, _tollgate_identity_v1_ListUsersResponse__Output>
  Login: MethodDefinition<_tollgate_identity_v1_LoginRequest, _tollgate_identity_v1_LoginResponse, _tollgate_identity_v1_LoginRequest__Output, _tollgate_identity_v1_LoginResponse__Output>
  Logout: MethodDefinition<_tollgate_identity_v1_LogoutRequest, _tollgate_identity_v1_LogoutResponse, _tollgate_identity_v1_LogoutRequest__Output, _tollgate_identity_v1_LogoutResponse__Output>
  RefreshSession: MethodDefinition<_tollgate_identity_v1_RefreshSessionRequest, _tollgate_identity_v1_RefreshSessionResponse, _tollgate_identity_v1_RefreshSessionRequest__Output, _tollgate_identity_v1_RefreshSessionResponse__Output>
  RemoveMember: MethodDefinition<_tollgate_identity_v1_RemoveMemberRequest, _tollgate_identity_v1_RemoveMemberResponse, _tollgate_identity_v1_RemoveMemberRequest__Output, _tollgate_identity_v1_RemoveMemberResponse__Output>
  ReportKeyUses: MethodDefinition<_tollgate_identity_v1_ReportKeyUsesRequest, _tollgate_identity_v1_ReportKeyUsesResponse, _tollgate_identity_v1_ReportKeyUsesRequest__Output, _tollgate_identity_v1_ReportKeyUsesResponse__Output>
  ResetPassword: MethodDefinition<_tollgate_identity_v1_ResetPasswordRequest, _tollgate_identity_v1_ResetPasswordResponse, _tollgate_identity_v1_ResetPasswordRequest__Output, _tollgate_identity_v1_ResetPasswordResponse__Output>
  RotateApiKey: MethodDefinition<_tollgate_identity_v1_RotateApiKeyRequest, _tollgate_identity_v1_RotateApiKeyResponse, _tollgate_identity_v1_RotateApiKeyRequest__Output, _tollgate_identity_v1_RotateApiKeyResponse__Output>
  SetApiKeyStatus: MethodDefinition<_tollgate_identity_v1_SetApiKeyStatusRequest, _tollgate_identity_v1_SetApiKeyStatusResponse, _tollgate_identity_v1_SetApiKeyStatusRequest__Output, _tollgate_identity_v1_SetApiKeyStatusResponse__Output>
  SetUserStatus: MethodDefinition<_tollgate_identity_v1_SetUserStatusRequest, _tollgate_identity_v1_SetUserStatusResponse, _tollgate_identity_v1_SetUserStatusRequest__Output, _tollgate_identity_v1_SetUserStatusResponse__Output>
  StartOAuth: MethodDefinition<_tollgate_identity_v1_StartOAuthRequest, _tollgate_identity_v1_StartOAuthResponse, _tollgate_identity_v1_StartOAuthRequest__Output, _tollgate_identity_v1_StartOAuthResponse__Output>
  StartPasswordReset: MethodDefinition<_tollgate_identity_v1_StartPasswordResetRequest, _tollgate_identity_v1_StartPasswordResetResponse, _tollgate_identity_v1_StartPasswordResetRequest__Output, _tollgate_identity_v1_StartPasswordResetResponse__Output>
  UpdateAccount: MethodDefinition<_tollgate_identity_v1_UpdateAccountRequest, _tollgate_identity_v1_UpdateAccountResponse, _tollgate_identity_v1_UpdateAccountRequest__Output, _tollgate_identity_v1_UpdateAccountResponse__Output>
  UpdateApiKey: MethodDefinition<_tollgate_identity_v1_UpdateApiKeyRequest, _tollgate_identity_v1_UpdateApiKeyResponse, _tollgate_identity_v1_UpdateApiKeyRequest__Output, _tollgate_identity_v1_UpdateApiKeyResponse__Output>
  UpdateMember: MethodDefinition<_tollgate_identity_v1_UpdateMemberRequest, _tollgate_identity_v1_UpdateMemberResponse, _tollgate_identity_v1_UpdateMemberRequest__Output, _tollgate_identity_v1_UpdateMemberResponse__Output>
  VerifyApiKey: MethodDefinition<_tollgate_identity_v1_VerifyApiKeyRequest, _tollgate_identity_v1_VerifyApiKeyResponse, _tollgate_identity_v1_VerifyApiKeyRequest__Output, _tollgate_identity_v1_VerifyApiKeyResponse__Output>
  WatchRevocations: MethodDefinition<_tollgate_identity_v1_WatchRevocationsRequest, _tollgate_identity_v1_WatchRevocationsResponse, _tollgate_identity_v1_WatchRevocationsRequest__Output, _tollgate_identity_v1_WatchRevocationsResponse__Output>
}
