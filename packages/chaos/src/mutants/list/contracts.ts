import { type Mutant, mutant } from '../mutant.ts'

const solidity = 'services/minting/solidity'

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
    'signer-receives',
    'a signer is no recipient',
    { file: `${solidity}/NiftyDelivery.sol`, find: ' || isSigner[to]', replace: '' },
    {
      file: `${solidity}/delivery.recipient.test.ts`,
      title: 'a delivery to the zero, burn, contract, signer or collection address reverts',
    },
  ),
]
