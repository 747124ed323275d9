import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { Account as _tollgate_identity_v1_Account, Account__Output as _tollgate_identity_v1_Account__Output } from './tollgate/identity/v1/Account';
import type { Actor as _tollgate_identity_v1_Actor, Actor__Output as _tollgate_identity_v1_Actor__Output } from './tollgate/identity/v1/Actor';
import type { AddMemberRequest as _tollgate_identity_v1_AddMemberRequest, AddMemberRequest__Output as _tollgate_identity_v1_AddMemberRequest__Output } from './tollgate/identity/v1/AddMemberRequest';
import type { AddMemberResponse as _tollgate_identity_v1_AddMemberResponse, AddMemberResponse__Output as _tollgate_identity_v1_AddMemberResponse__Output } from './tollgate/identity/v1/AddMemberResponse';
import type { ApiKey as _tollgate_identity_v1_ApiKey, ApiKey__Output as _tollgate_identity_v1_ApiKey__Output } from './tollgate/identity/v1/ApiKey';
import type { ApiKeySettings as _tollgate_identity_v1_ApiKeySettings, ApiKeySettings__Output as _tollgate_identity_v1_ApiKeySettings__Output } from './tollgate/identity/v1/ApiKeySettings';
import type { ChangePasswordRequest as _tollgate_identity_v1_ChangePasswordRequest, ChangePasswordRequest__Output as _tollgate_identity_v1_ChangePasswordRequest__Output } from './tollgate/identity/v1/ChangePasswordRequest';
import type { ChangePasswordResponse as _tollgate_identity_v1_ChangePasswordResponse, ChangePasswordResponse__Output as _tollgate_identity_v1_ChangePasswordResponse__Output } from './tollgate/identity/v1/ChangePasswordResponse';
import type { CompleteOAuthRequest as _tollgate_identity_v1_CompleteOAuthRequest, CompleteOAuthRequest__Output as _tollgate_identity_v1_CompleteOAuthRequest__Output } from './tollgate/identity/v1/CompleteOAuthRequest';
import type { CompleteOAuthResponse as _tollgate_identity_v1_CompleteOAuthResponse, CompleteOAuthResponse__Output as _tollgate_identity_v1_CompleteOAuthResponse__Output } from './tollgate/identity/v1/CompleteOAuthResponse';
import type { CreateAccountRequest as _tollgate_identity_v1_CreateAccountRequest, CreateAccountRequest__Output as _tollgate_identity_v1_CreateAccountRequest__Output } from './tollgate/identity/v1/CreateAccountRequest';
import type { CreateAccountResponse as _tollgate_identity_v1_CreateAccountResponse, CreateAccountResponse__Output as _tollgate_identity_v1_CreateAccountResponse__Output } from './tollgate/identity/v1/CreateAccountResponse';
import type { CreateApiKeyRequest as _tollgate_identity_v1_CreateApiKeyRequest, CreateApiKeyRequest__Output as _tollgate_identity_v1_CreateApiKeyRequest__Output } from './tollgate/identity/v1/CreateApiKeyRequest';
import type { CreateApiKeyResponse as _tollgate_identity_v1_CreateApiKeyResponse, CreateApiKeyResponse__Output as _tollgate_identity_v1_CreateApiKeyResponse__Output } from './tollgate/identity/v1/CreateApiKeyResponse';
import type { CreateUserRequest as _tollgate_identity_v1_CreateUserRequest, CreateUserRequest__Output as _tollgate_identity_v1_CreateUserRequest__Output } from './tollgate/identity/v1/CreateUserRequest';
import type { CreateUserResponse as _tollgate_identity_v1_CreateUserResponse, CreateUserResponse__Output as _tollgate_identity_v1_CreateUserResponse__Output } from './tollgate/identity/v1/CreateUserResponse';
import type { DeleteApiKeyRequest as _tollgate_identity_v1_DeleteApiKeyRequest, DeleteApiKeyRequest__Output as _tollgate_identity_v1_DeleteApiKeyRequest__Output } from './tollgate/identity/v1/DeleteApiKeyRequest';
import type { DeleteApiKeyResponse as _tollgate_identity_v1_DeleteApiKeyResponse, DeleteApiKeyResponse__Output as _tollgate_identity_v1_DeleteApiKeyResponse__Output } from './tollgate/identity/v1/DeleteApiKeyResponse';
import type { ExchangeOAuthCodeRequest as _tollgate_identity_v1_ExchangeOAuthCodeRequest, ExchangeOAuthCodeRequest__Output as _tollgate_identity_v1_ExchangeOAuthCodeRequest__Output } from './tollgate/identity/v1/ExchangeOAuthCodeRequest';
import type { ExchangeOAuthCodeResponse as _tollgate_identity_v1_ExchangeOAuthCodeResponse, ExchangeOAuthCodeResponse__Output as _tollgate_identity_v1_ExchangeOAuthCodeResponse__Output } from './tollgate/identity/v1/ExchangeOAuthCodeResponse';
import type { GetAccountRequest as _tollgate_identity_v1_GetAccountRequest, GetAccountRequest__Output as _tollgate_identity_v1_GetAccountRequest__Output } from './tollgate/identity/v1/GetAccountRequest';
import type { GetAccountResponse as _tollgate_identity_v1_GetAccountResponse, GetAccountResponse__Output as _tollgate_identity_v1_GetAccountResponse__Output } from './tollgate/identity/v1/GetAccountResponse';
import type { GetApiKeyRequest as _tollgate_identity_v1_GetApiKeyRequest, GetApiKeyRequest__Output as _tollgate_identity_v1_GetApiKeyRequest__Output } from './tollgate/identity/v1/GetApiKeyRequest';
import type { GetApiKeyResponse as _tollgate_identity_v1_GetApiKeyResponse, GetApiKeyResponse__Output as _tollgate_identity_v1_GetApiKeyResponse__Output } from './tollgate/identity/v1/GetApiKeyResponse';
import type { GetSigningKeysRequest as _tollgate_identity_v1_GetSigningKeysRequest, GetSigningKeysRequest__Output as _tollgate_identity_v1_GetSigningKeysRequest__Output } from './tollgate/identity/v1/GetSigningKeysRequest';
import type { GetSigningKeysResponse as _tollgate_identity_v1_GetSigningKeysResponse, GetSigningKeysResponse__Output as _tollgate_identity_v1_GetSigningKeysResponse__Output } from './tollgate/identity/v1/GetSigningKeysResponse';
import type { GetUserRequest as _tollgate_identity_v1_GetUserRequest, GetUserRequest__Output as _tollgate_identity_v1_GetUserRequest__Output } from './tollgate/identity/v1/GetUserRequest';
import type { GetUserResponse as _tollgate_identity_v1_GetUserResponse, GetUserResponse__Output as _tollgate_identity_v1_GetUserResponse__Output } from './tollgate/identity/v1/GetUserResponse';
import type { Idempotency as _tollgate_identity_v1_Idempotency, Idempotency__Output as _tollgate_identity_v1_Idempotency__Output } from './tollgate/identity/v1/Idempotency';
import type { IdentityServiceClient as _tollgate_identity_v1_IdentityServiceClient, IdentityServiceDefinition as _tollgate_identity_v1_IdentityServiceDefinition } from './tollgate/identity/v1/IdentityService';
import type { ListAccountsRequest as _tollgate_identity_v1_ListAccountsRequest, ListAccountsRequest__Output as _tollgate_identity_v1_ListAccountsRequest__Output } from './tollgate/identity/v1/ListAccountsRequest';
import type { ListAccountsResponse as _tollgate_identity_v1_ListAccountsResponse, ListAccountsResponse__Output as _tollgate_identity_v1_ListAccountsResponse__Output } from './tollgate/identity/v1/ListAccountsResponse';
import type { ListApiKeysRequest as _tollgate_identity_v1_ListApiKeysRequest, ListApiKeysRequest__Output as _tollgate_identity_v1_ListApiKeysRequest__Output } from './tollgate/identity/v1/ListApiKeysRequest';
import type { ListApiKeysResponse as _tollgate_identity_v1_ListApiKeysResponse, ListApiKeysResponse__Output as _tollgate_identity_v1_ListApiKeysResponse__Output } from './tollgate/identity/v1/ListApiKeysResponse';
import type { ListMembersRequest as _tollgate_identity_v1_ListMembersRequest, ListMembersRequest__Output as _tollgate_identity_v1_ListMembersRequest__Output } from './tollgate/identity/v1/ListMembersRequest';
import type { ListMembersResponse as _tollgate_identity_v1_ListMembersResponse, ListMembersResponse__Output as _tollgate_identity_v1_ListMembersResponse__Output } from './tollgate/identity/v1/ListMembersResponse';
import type { ListOAuthProvidersRequest as _tollgate_identity_v1_ListOAuthProvidersRequest, ListOAuthProvidersRequest__Output as _tollgate_identity_v1_ListOAuthProvidersRequest__Output } from './tollgate/identity/v1/ListOAuthProvidersRequest';
import type { ListOAuthProvidersResponse as _tollgate_identity_v1_ListOAuthProvidersResponse, ListOAuthProvidersResponse__Output as _tollgate_identity_v1_ListOAuthProvidersResponse__Output } from './tollgate/identity/v1/ListOAuthProvidersResponse';
import type { ListUsersRequest as _tollgate_identity_v1_ListUsersRequest, ListUsersRequest__Output as _tollgate_identity_v1_ListUsersRequest__Output } from './tollgate/identity/v1/ListUsersRequest';
import type { ListUsersResponse as _tollgate_identity_v1_ListUsersResponse, ListUsersResponse__Output as _tollgate_identity_v1_ListUsersResponse__Output } from './tollgate/identity/v1/ListUsersResponse';
import type { LoginRequest as _tollgate_identity_v1_LoginRequest, LoginRequest__Output as _tollgate_identity_v1_LoginRequest__Output } from './tollgate/identity/v1/LoginRequest';
import type { LoginResponse as _tollgate_identity_v1_LoginResponse, LoginResponse__Output as _tollgate_identity_v1_LoginResponse__Output } from './tollgate/identity/v1/LoginResponse';
import type { LogoutRequest as _tollgate_identity_v1_LogoutRequest, LogoutRequest__Output as _tollgate_identity_v1_LogoutRequest__Output } from './tollgate/identity/v1/LogoutRequest';
import type { LogoutResponse as _tollgate_identity_v1_LogoutResponse, LogoutResponse__Output as _tollgate_identity_v1_LogoutResponse__Output } from './tollgate/identity/v1/LogoutResponse';
import type { NewOwner as _tollgate_identity_v1_NewOwner, NewOwner__Output as _tollgate_identity_v1_NewOwner__Output } from './tollgate/identity/v1/NewOwner';
import type { OAuthProvider as _tollgate_identity_v1_OAuthProvider, OAuthProvider__Output as _tollgate_identity_v1_OAuthProvider__Output } from './tollgate/identity/v1/OAuthProvider';
import type { Principal as _tollgate_identity_v1_Principal, Principal__Output as _tollgate_identity_v1_Principal__Output } from './tollgate/identity/v1/Principal';
import type { RefreshSessionRequest as _tollgate_identity_v1_RefreshSessionRequest, RefreshSessionRequest__Output as _tollgate_identity_v1_RefreshSessionRequest__Output } from './tollgate/identity/v1/RefreshSessionRequest';
import type { RefreshSessionResponse as _tollgate_identity_v1_RefreshSessionResponse, RefreshSessionResponse__Output as _tollgate_identity_v1_RefreshSessionResponse__Output } from './tollgate/identity/v1/RefreshSessionResponse';
import type { RemoveMemberRequest as _tollgate_identity_v1_RemoveMemberRequest, RemoveMemberRequest__Output as _tollgate_identity_v1_RemoveMemberRequest__Output } from './tollgate/identity/v1/RemoveMemberRequest';
import type { RemoveMemberResponse as _tollgate_identity_v1_RemoveMemberResponse, RemoveMemberResponse__Output as _tollgate_identity_v1_RemoveMemberResponse__Output } from './tollgate/identity/v1/RemoveMemberResponse';
import type { RevokedPrincipal as _tollgate_identity_v1_RevokedPrincipal, RevokedPrincipal__Output as _tollgate_identity_v1_RevokedPrincipal__Output } from './tollgate/identity/v1/RevokedPrincipal';
import type { RotateApiKeyRequest as _tollgate_identity_v1_RotateApiKeyRequest, RotateApiKeyRequest__Output as _tollgate_identity_v1_RotateApiKeyRequest__Output } from './tollgate/identity/v1/RotateApiKeyRequest';
import type { RotateApiKeyResponse as _tollgate_identity_v1_RotateApiKeyResponse, RotateApiKeyResponse__Output as _tollgate_identity_v1_RotateApiKeyResponse__Output } from './tollgate/identity/v1/RotateApiKeyResponse';
import type { Session as _tollgate_identity_v1_Session, Session__Output as _tollgate_identity_v1_Session__Output } from './tollgate/identity/v1/Session';
import type { SigningKey as _tollgate_identity_v1_SigningKey, SigningKey__Output as _tollgate_identity_v1_SigningKey__Output } from './tollgate/identity/v1/SigningKey';
import type { StartOAuthRequest as _tollgate_identity_v1_StartOAuthRequest, StartOAuthRequest__Output as _tollgate_identity_v1_StartOAuthRequest__Output } from './tollgate/identity/v1/StartOAuthRequest';
import type { StartOAuthResponse as _tollgate_identity_v1_StartOAuthResponse, StartOAuthResponse__Output as _tollgate_identity_v1_StartOAuthResponse__Output } from './tollgate/identity/v1/StartOAuthResponse';
import type { StringList as _tollgate_identity_v1_StringList, StringList__Output as _tollgate_identity_v1_StringList__Output } from './tollgate/identity/v1/StringList';
import type { UpdateAccountRequest as _tollgate_identity_v1_UpdateAccountRequest, UpdateAccountRequest__Output as _tollgate_identity_v1_UpdateAccountRequest__Output } from './tollgate/identity/v1/UpdateAccountRequest';
import type { UpdateAccountResponse as _tollgate_identity_v1_UpdateAccountResponse, UpdateAccountResponse__Output as _tollgate_identity_v1_UpdateAccountResponse__Output } from './tollgate/identity/v1/UpdateAccountResponse';
import type { UpdateApiKeyRequest as _tollgate_identity_v1_UpdateApiKeyRequest, UpdateApiKeyRequest__Output as _tollgate_identity_v1_UpdateApiKeyRequest__Output } from './tollgate/identity/v1/UpdateApiKeyRequest';
import type { UpdateApiKeyResponse as _tollgate_identity_v1_UpdateApiKeyResponse, UpdateApiKeyResponse__Output as _tollgate_identity_v1_UpdateApiKeyResponse__Output } from './tollgate/identity/v1/UpdateApiKeyResponse';
import type { User as _tollgate_identity_v1_User, User__Output as _tollgate_identity_v1_User__Output } from './tollgate/identity/v1/User';
import type { VerifyApiKeyRequest as _tollgate_identity_v1_VerifyApiKeyRequest, VerifyApiKeyRequest__Output as _tollgate_identity_v1_VerifyApiKeyRequest__Output } from './tollgate/identity/v1/VerifyApiKeyRequest';
import type { VerifyApiKeyResponse as _tollgate_identity_v1_VerifyApiKeyResponse, VerifyApiKeyResponse__Output as _tollgate_identity_v1_VerifyApiKeyResponse__Output } from './tollgate/identity/v1/VerifyApiKeyResponse';
import type { WatchRevocationsRequest as _tollgate_identity_v1_WatchRevocationsRequest, WatchRevocationsRequest__Output as _tollgate_identity_v1_WatchRevocationsRequest__Output } from './tollgate/identity/v1/WatchRevocationsRequest';
import type { WatchRevocationsResponse as _tollgate_identity_v1_WatchRevocationsResponse, WatchRevocationsResponse__Output as _tollgate_identity_v1_WatchRevocationsResponse__Output } from './tollgate/identity/v1/WatchRevocationsResponse';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  tollgate: {
    identity: {
      v1: {
        Account: MessageTypeDefinition<_tollgate_identity_v1_Account, _tollgate_identity_v1_Account__Output>
        AccountStatus: EnumTypeDefinition
        Actor: MessageTypeDefinition<_tollgate_identity_v1_Actor, _tollgate_identity_v1_Actor__Output>
        AddMemberRequest: MessageTypeDefinition<_tollgate_identity_v1_AddMemberRequest, _tollgate_identity_v1_AddMemberRequest__Output>
        AddMemberResponse: MessageTypeDefinition<_tollgate_identity_v1_AddMemberResponse, _tollgate_identity_v1_AddMemberResponse__Output>
        ApiKey: MessageTypeDefinition<_tollgate_identity_v1_ApiKey, _tollgate_identity_v1_ApiKey__Output>
        ApiKeySettings: MessageTypeDefinition<_tollgate_identity_v1_ApiKeySettings, _tollgate_identity_v1_ApiKeySettings__Output>
        ApiKeyStatus: EnumTypeDefinition
        BudgetPeriod: EnumTypeDefinition
        ChangePasswordRequest: MessageTypeDefinition<_tollgate_identity_v1_ChangePasswordRequest, _tollgate_identity_v1_ChangePasswordRequest__Output>
        ChangePasswordResponse: MessageTypeDefinition<_tollgate_identity_v1_ChangePasswordResponse, _tollgate_identity_v1_ChangePasswordResponse__Output>
        CompleteOAuthRequest: MessageTypeDefinition<_tollgate_identity_v1_CompleteOAuthRequest, _tollgate_identity_v1_CompleteOAuthRequest__Output>
        CompleteOAuthResponse: MessageTypeDefinition<_tollgate_identity_v1_CompleteOAuthResponse, _tollgate_identity_v1_CompleteOAuthResponse__Output>
        CreateAccountRequest: MessageTypeDefinition<_tollgate_identity_v1_CreateAccountRequest, _tollgate_identity_v1_CreateAccountRequest__Output>
        CreateAccountResponse: MessageTypeDefinition<_tollgate_identity_v1_CreateAccountResponse, _tollgate_identity_v1_CreateAccountResponse__Output>
        CreateApiKeyRequest: MessageTypeDefinition<_tollgate_identity_v1_CreateApiKeyRequest, _tollgate_identity_v1_CreateApiKeyRequest__Output>
        CreateApiKeyResponse: MessageTypeDefinition<_tollgate_identity_v1_CreateApiKeyResponse, _tollgate_identity_v1_CreateApiKeyResponse__Output>
        CreateUserRequest: MessageTypeDefinition<_tollgate_identity_v1_CreateUserRequest, _tollgate_identity_v1_CreateUserRequest__Output>
        CreateUserResponse: MessageTypeDefinition<_tollgate_identity_v1_CreateUserResponse, _tollgate_identity_v1_CreateUserResponse__Output>
        DeleteApiKeyRequest: MessageTypeDefinition<_tollgate_identity_v1_DeleteApiKeyRequest, _tollgate_identity_v1_DeleteApiKeyRequest__Output>
        DeleteApiKeyResponse: MessageTypeDefinition<_tollgate_identity_v1_DeleteApiKeyResponse, _tollgate_identity_v1_DeleteApiKeyResponse__Output>
        ExchangeOAuthCodeRequest: MessageTypeDefinition<_tollgate_identity_v1_ExchangeOAuthCodeRequest, _tollgate_identity_v1_ExchangeOAuthCodeRequest__Output>
        ExchangeOAuthCodeResponse: MessageTypeDefinition<_tollgate_identity_v1_ExchangeOAuthCodeResponse, _tollgate_identity_v1_ExchangeOAuthCodeResponse__Output>
        GetAccountRequest: MessageTypeDefinition<_tollgate_identity_v1_GetAccountRequest, _tollgate_identity_v1_GetAccountRequest__Output>
        GetAccountResponse: MessageTypeDefinition<_tollgate_identity_v1_GetAccountResponse, _tollgate_identity_v1_GetAccountResponse__Output>
        GetApiKeyRequest: MessageTypeDefinition<_tollgate_identity_v1_GetApiKeyRequest, _tollgate_identity_v1_GetApiKeyRequest__Output>
        GetApiKeyResponse: MessageTypeDefinition<_tollgate_identity_v1_GetApiKeyResponse, _tollgate_identity_v1_GetApiKeyResponse__Output>
        GetSigningKeysRequest: MessageTypeDefinition<_tollgate_identity_v1_GetSigningKeysRequest, _tollgate_identity_v1_GetSigningKeysRequest__Output>
        GetSigningKeysResponse: MessageTypeDefinition<_tollgate_identity_v1_GetSigningKeysResponse, _tollgate_identity_v1_GetSigningKeysResponse__Output>
        GetUserRequest: MessageTypeDefinition<_tollgate_identity_v1_GetUserRequest, _tollgate_identity_v1_GetUserRequest__Output>
        GetUserResponse: MessageTypeDefinition<_tollgate_identity_v1_GetUserResponse, _tollgate_identity_v1_GetUserResponse__Output>
        Idempotency: MessageTypeDefinition<_tollgate_identity_v1_Idempotency, _tollgate_identity_v1_Idempotency__Output>
        /**
         * Accounts, users, API keys, sessions and OAuth identities. Ids carry their prefix
         * (acc_, usr_, key_); times are ISO-8601 UTC strings, empty when absent.
         */
        IdentityService: SubtypeConstructor<typeof grpc.Client, _tollgate_identity_v1_IdentityServiceClient> & { service: _tollgate_identity_v1_IdentityServiceDefinition }
        ListAccountsRequest: MessageTypeDefinition<_tollgate_identity_v1_ListAccountsRequest, _tollgate_identity_v1_ListAccountsRequest__Output>
        ListAccountsResponse: MessageTypeDefinition<_tollgate_identity_v1_ListAccountsResponse, _tollgate_identity_v1_ListAccountsResponse__Output>
        ListApiKeysRequest: MessageTypeDefinition<_tollgate_identity_v1_ListApiKeysRequest, _tollgate_identity_v1_ListApiKeysRequest__Output>
        ListApiKeysResponse: MessageTypeDefinition<_tollgate_identity_v1_ListApiKeysResponse, _tollgate_identity_v1_ListApiKeysResponse__Output>
        ListMembersRequest: MessageTypeDefinition<_tollgate_identity_v1_ListMembersRequest, _tollgate_identity_v1_ListMembersRequest__Output>
        ListMembersResponse: MessageTypeDefinition<_tollgate_identity_v1_ListMembersResponse, _tollgate_identity_v1_ListMembersResponse__Output>
        ListOAuthProvidersRequest: MessageTypeDefinition<_tollgate_identity_v1_ListOAuthProvidersRequest, _tollgate_identity_v1_ListOAuthProvidersRequest__Output>
        ListOAuthProvidersResponse: MessageTypeDefinition<_tollgate_identity_v1_ListOAuthProvidersResponse, _tollgate_identity_v1_ListOAuthProvidersResponse__Output>
        ListUsersRequest: MessageTypeDefinition<_tollgate_identity_v1_ListUsersRequest, _tollgate_identity_v1_ListUsersRequest__Output>
        ListUsersResponse: MessageTypeDefinition<_tollgate_identity_v1_ListUsersResponse, _tollgate_identity_v1_ListUsersResponse__Output>
        LoginRequest: MessageTypeDefinition<_tollgate_identity_v1_LoginRequest, _tollgate_identity_v1_LoginRequest__Output>
        LoginResponse: MessageTypeDefinition<_tollgate_identity_v1_LoginResponse, _tollgate_identity_v1_LoginResponse__Output>
        LogoutRequest: MessageTypeDefinition<_tollgate_identity_v1_LogoutRequest, _tollgate_identity_v1_LogoutRequest__Output>
        LogoutResponse: MessageTypeDefinition<_tollgate_identity_v1_LogoutResponse, _tollgate_identity_v1_LogoutResponse__Output>
        NewOwner: MessageTypeDefinition<_tollgate_identity_v1_NewOwner, _tollgate_identity_v1_NewOwner__Output>
        OAuthProvider: MessageTypeDefinition<_tollgate_identity_v1_OAuthProvider, _tollgate_identity_v1_OAuthProvider__Output>
        Principal: MessageTypeDefinition<_tollgate_identity_v1_Principal, _tollgate_identity_v1_Principal__Output>
        RefreshSessionRequest: MessageTypeDefinition<_tollgate_identity_v1_RefreshSessionRequest, _tollgate_identity_v1_RefreshSessionRequest__Output>
        RefreshSessionResponse: MessageTypeDefinition<_tollgate_identity_v1_RefreshSessionResponse, _tollgate_identity_v1_RefreshSessionResponse__Output>
        RemoveMemberRequest: MessageTypeDefinition<_tollgate_identity_v1_RemoveMemberRequest, _tollgate_identity_v1_RemoveMemberRequest__Output>
        RemoveMemberResponse: MessageTypeDefinition<_tollgate_identity_v1_RemoveMemberResponse, _tollgate_identity_v1_RemoveMemberResponse__Output>
        RevokedPrincipal: MessageTypeDefinition<_tollgate_identity_v1_RevokedPrincipal, _tollgate_identity_v1_RevokedPrincipal__Output>
        Role: EnumTypeDefinition
        RotateApiKeyRequest: MessageTypeDefinition<_tollgate_identity_v1_RotateApiKeyRequest, _tollgate_identity_v1_RotateApiKeyRequest__Output>
        RotateApiKeyResponse: MessageTypeDefinition<_tollgate_identity_v1_RotateApiKeyResponse, _tollgate_identity_v1_RotateApiKeyResponse__Output>
        Session: MessageTypeDefinition<_tollgate_identity_v1_Session, _tollgate_identity_v1_Session__Output>
        SigningKey: MessageTypeDefinition<_tollgate_identity_v1_SigningKey, _tollgate_identity_v1_SigningKey__Output>
        StartOAuthRequest: MessageTypeDefinition<_tollgate_identity_v1_StartOAuthRequest, _tollgate_identity_v1_StartOAuthRequest__Output>
        StartOAuthResponse: MessageTypeDefinition<_tollgate_identity_v1_StartOAuthResponse, _tollgate_identity_v1_StartOAuthResponse__Output>
        StringList: MessageTypeDefinition<_tollgate_identity_v1_StringList, _tollgate_identity_v1_StringList__Output>
        UpdateAccountRequest: MessageTypeDefinition<_tollgate_identity_v1_UpdateAccountRequest, _tollgate_identity_v1_UpdateAccountRequest__Output>
        UpdateAccountResponse: MessageTypeDefinition<_tollgate_identity_v1_UpdateAccountResponse, _tollgate_identity_v1_UpdateAccountResponse__Output>
        UpdateApiKeyRequest: MessageTypeDefinition<_tollgate_identity_v1_UpdateApiKeyRequest, _tollgate_identity_v1_UpdateApiKeyRequest__Output>
        UpdateApiKeyResponse: MessageTypeDefinition<_tollgate_identity_v1_UpdateApiKeyResponse, _tollgate_identity_v1_UpdateApiKeyResponse__Output>
        User: MessageTypeDefinition<_tollgate_identity_v1_User, _tollgate_identity_v1_User__Output>
        UserStatus: EnumTypeDefinition
        VerifyApiKeyRequest: MessageTypeDefinition<_tollgate_identity_v1_VerifyApiKeyRequest, _tollgate_identity_v1_VerifyApiKeyRequest__Output>
        VerifyApiKeyResponse: MessageTypeDefinition<_tollgate_identity_v1_VerifyApiKeyResponse, _tollgate_identity_v1_VerifyApiKeyResponse__Output>
        WatchRevocationsRequest: MessageTypeDefinition<_tollgate_identity_v1_WatchRevocationsRequest, _tollgate_identity_v1_WatchRevocationsRequest__Output>
        WatchRevocationsResponse: MessageTypeDefinition<_tollgate_identity_v1_WatchRevocationsResponse, _tollgate_identity_v1_WatchRevocationsResponse__Output>
      }
    }
  }
}

