import { AppError, type Scope } from '@tollgate/core';
import { type AccountRole, hasRole, type Principal } from './principal';

/** The rights that an endpoint requires of a principal. */
export interface Requirement {
  /** The scope that an API key must have; access tokens are bounded by roles alone. */
  readonly scope: Scope | undefined;
  /** The least account role, or the platform's operator. */
  readonly role: AccountRole | 'operator';
  /** Open to who must change a first password before anything else. */
  readonly firstPassword?: true | undefined;
}

/** The key has a list of addresses, and this one is not in it. Its client is not told which it is. */
export class ClientAddressRefusedError extends AppError {
  readonly address: string;

  constructor(address: string) {
    super('FORBIDDEN', {
      publicMessage:
        'The address that this request came from is not in the list of this API key (allowed_ips).',
      internalMessage: `from ${address}, which is not in allowed_ips`,
    });
    this.address = address;
  }
}

/** Throws FORBIDDEN unless the principal meets it. Only keys with an address list need the address. */
export function authorize(
  principal: Principal,
  requirement: Requirement,
  remoteAddress: () => string,
): void {
  if (principal.suspended) throw forbidden('This account is suspended.');
  if (principal.allowsAddress !== undefined) {
    const address = remoteAddress();
    if (!principal.allowsAddress(address)) throw new ClientAddressRefusedError(address);
  }
  const { scope, role, firstPassword } = requirement;
  if (principal.mustChangePassword === true && firstPassword !== true) {
    throw forbidden('Change your first password before anything else: POST /v1/users/password.');
  }
  if (principal.kind === 'api_key' && scope !== undefined && !principal.scopes.has(scope)) {
    throw forbidden(`This API key lacks the scope ${scope}.`);
  }
  if (role === 'operator') {
    if (!principal.operator) throw forbidden('Only operators may do this.');
  } else if (!principal.operator && !hasRole(principal.role, role)) {
    throw forbidden(`Your role in this account must be at least ${role}.`);
  }
}

function forbidden(publicMessage: string): AppError {
  return new AppError('FORBIDDEN', { publicMessage });
}
