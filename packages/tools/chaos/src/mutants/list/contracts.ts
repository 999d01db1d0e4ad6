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
        _countMoves(1);
        _deliver(`,
      replace: `    {
        _countMoves(1);
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
    { file: `${solidity}/MoveLimit.sol`, find: 'if (before + moves > movesPerHour)', replace: 'if (false)' },
    {
      file: `${solidity}/move-limit.test.ts`,
      title: 'one signer moves at most movesPerHour tokens in a clock hour, by whatever function',
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
