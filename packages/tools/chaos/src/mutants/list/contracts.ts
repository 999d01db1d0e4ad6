import { type Mutant, mutant } from './mutant.ts'

const solidity = 'packages/contracts/solidity'

export const contractMutants: Mutant[] = [
  mutant(
    'no-reentrancy-guard',
    'a recipient’s hook cannot call deliver',
    {
      file: `${solidity}/NiftyDelivery.sol`,
      find: `        nonReentrant
    {
        _count(1);
        _deliver(`,
      replace: `    {
        _count(1);
        _deliver(`,
    },
    { file: `${solidity}/delivery.recipient.test.ts`, title: 'a re-entrant call of a signer reverts' },
  ),
  mutant(
    'permit-without-deadline',
    'a permit ends with its deadline',
    {
      file: `${solidity}/NiftyCollection.sol`,
      find: 'if (block.timestamp > deadline) revert PermitExpired(tokenId, deadline);',
      replace: '',
    },
    { file: `${solidity}/collection.permit.test.ts`, title: 'an expired permit reverts' },
  ),
  mutant(
    'unlimited-moves',
    'M12: a signer moves a limited number of tokens in an hour',
    { file: `${solidity}/HourlyLimit.sol`, find: 'if (sum > limitPerHour())', replace: 'if (false)' },
    {
      file: `${solidity}/hourly-limit.test.ts`,
      title: 'one signer moves at most limitPerHour tokens in a clock hour, by whatever function',
    },
  ),
  mutant(
    'signer-at-once',
    'a signer that is added while the custody holds works waits 48 hours',
    { file: `${solidity}/Signers.sol`, find: '_isInUse() ? block.timestamp + DELAY : ', replace: '' },
    { file: `${solidity}/signers.test.ts`, title: 'while tokens depend on it, a new signer waits 48 hours' },
  ),
  mutant(
    'deposits-of-strangers',
    'a stranger brings no token into custody',
    { file: `${solidity}/Custody.sol`, find: 'from != address(0) && operator', replace: 'false && operator' },
    {
      file: `${solidity}/delivery.deposit.test.ts`,
      title: 'a holder cannot bring a token to an account, which may be a stranger’s, and keeps it',
    },
  ),
  mutant(
    'hand-over-at-once',
    'M13: custody moves to a successor after 48 hours',
    { file: `${solidity}/Custody.sol`, find: ' || block.timestamp < handOverFrom', replace: '' },
    {
      file: `${solidity}/hand-over.test.ts`,
      title: 'tokens stay until 48 hours have passed, and deliveries continue',
    },
  ),
]
