/**
 * The ids of credits say where these came from. Billing makes them, each once for one cause; gateways
 * read in them whom an account is told.
 */

/** The claim of a top-up that the payment system `provider` told of. */
export function topUpClaimId(provider: string, eventId: string): string {
  return `topup:${provider}:${eventId}`;
}

/** The claim of a code that was redeemed. */
export function codeClaimId(codeId: string): string {
  return `code:${codeId}`;
}

/** How the credit of a claim is called in its account. */
export function creditNameOfClaim(claimId: string): string {
  return `claim:${claimId}`;
}

/** The id of an account's credit, by its name there. */
export function creditIdOf(accountId: string, name: string): string {
  return `${accountId}:${name}`;
}

const TOP_UP = /^[^:]+:claim:topup:([^:]+):/;
const CODE = /^[^:]+:claim:code:/;

/** A payment system, by its name, or a code; undefined when somebody added the credit. */
export type CreditOrigin = { readonly provider: string } | 'code' | undefined;

/** Where a credit came from, by its id. */
export function originOfCredit(creditId: string): CreditOrigin {
  const [, provider] = TOP_UP.exec(creditId) ?? [];
  if (provider !== undefined) return { provider };
  return CODE.test(creditId) ? 'code' : undefined;
}
