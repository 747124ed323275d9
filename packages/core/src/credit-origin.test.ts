import {
  codeClaimId,
  creditIdOf,
  creditNameOfClaim,
  originOfCredit,
  topUpClaimId,
} from './credit-origin';

test.each([
  [creditNameOfClaim(topUpClaimId('shop', 'evt:1')), { provider: 'shop' }],
  [creditNameOfClaim(codeClaimId('cod_1')), 'code'],
  ['mgmt:claim:code:1', undefined],
  ['welcome', undefined],
])('the id of the credit %s says where it came from', (name, origin) => {
  expect(originOfCredit(creditIdOf('acc_1', name))).toEqual(origin);
});
