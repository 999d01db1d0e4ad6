import { type Mutant, mutant } from './mutant.ts'

const minting = 'services/minting/src'
const test = (file: string, title: string) => ({ file: `${minting}/${file}`, title })

export const mintingMutants: Mutant[] = [
  mutant(
    'overdue-without-chain',
    'M2: an overdue line fails when the chain has not delivered it',
    {
      file: `${minting}/deliveries/unsigned.worker.ts`,
      find: 'await readLine(context, delivery.lineId, block)',
      replace: "'unused'",
    },
    test(
      'deliveries/never-delivered.test.ts',
      'a late order whose delivery the index has passed already becomes final',
    ),
  ),
  mutant(
    'stop-without-chain',
    'M2: a line is stopped when the chain has not delivered it',
    {
      file: `${minting}/deliveries/stop-delivery.ts`,
      find: "if (!delivery || delivery.state === 'waiting') {",
      replace: 'if (false) {',
    },
    test(
      'deliveries/never-delivered.test.ts',
      'nothing is stopped and nothing fails while the index is behind the final block',
    ),
  ),
  mutant(
    'any-error-refuses',
    'M5: only revert data or the code 3 is a refusal',
    {
      file: `packages/contracts/src/revert.ts`,
      find: 'if (error.data === null && error.info?.error?.code !== REVERT_CODE) return undefined',
      replace: '',
    },
    { file: 'packages/contracts/src/revert.test.ts', title: 'an error of JSON-RPC is no refusal: ' },
  ),
  mutant(
    'logs-of-one-node',
    'M19: both nodes have the logs',
    {
      file: `${minting}/chain/log-reader.ts`,
      find: 'if (others.some((other) => other !== own))',
      replace: 'if (false)',
    },
    test('chain/second-node.test.ts', 'logs that the second node lacks finish nothing'),
  ),
  mutant(
    'resumed-as-lost',
    'M1: resume-signer gives up no transaction that is in a block',
    {
      file: `${minting}/ops/resume-signer.ts`,
      find: 'if (receipts.every((receipt) => !receipt)) missing.push(transaction)',
      replace: 'missing.push(transaction)',
    },
    test('chain-transactions/reorg.test.ts', 'resume-signer gives up no transaction that is in a block'),
  ),
  mutant(
    'stopped-call-sent',
    'M3: the call of a stopped or overdue delivery is not sent again',
    {
      file: `${minting}/chain-transactions/track.ts`,
      find: 'if (!isToBeCancelled(transaction)) await broadcast',
      replace: 'await broadcast',
    },
    test(
      'chain-transactions/replacement.test.ts',
      'the call of a stopped delivery is not sent again, also without the key that would cancel it',
    ),
  ),
  mutant(
    'cancellation-at-the-cap',
    'M1: a cancellation may pay more than a delivery',
    {
      file: `${minting}/chain-transactions/broadcast.ts`,
      find: 'capOf(kind, context.settings.maxFee)',
      replace: 'context.settings.maxFee',
    },
    test(
      'chain-transactions/replacement.test.ts',
      'a delivery that is priced out and stopped is cancelled while the fees are above the cap of deliveries',
    ),
  ),
  mutant(
    'signed-above-the-cap',
    'M1: nothing is signed that no block would include',
    { file: `${minting}/chain-transactions/fees.ts`, find: 'baseFee > cap', replace: 'false' },
    test(
      'chain-transactions/replacement.test.ts',
      'while the base fee is above the cap nothing is signed, a waiting line is stopped at once, and no purchase starts',
    ),
  ),
  mutant(
    'overdue-on-a-foreign-nonce',
    'M1: a foreign transaction that is final on a nonce ends the overdue line',
    {
      file: `${minting}/chain-transactions/track.ts`,
      find: 'if (transaction.isOverdue) await takeOutOverdue(context, transaction)',
      replace: '',
    },
    test(
      'chain-transactions/track.test.ts',
      'a stopped line whose nonce a foreign transaction has in a final block fails, while its signer is still halted',
    ),
  ),
  mutant(
    'signed-without-gas-money',
    'M1: an empty signer signs nothing',
    {
      file: `${minting}/chain-transactions/choose-signer.ts`,
      find: 'return Math.max(0, Number(gas / GAS_PER_ENTRY))',
      replace: 'return 1_000',
    },
    test(
      'chain-transactions/track.test.ts',
      'an empty signer is not chosen, and mints leave the gas money that waiting deliveries need',
    ),
  ),
  mutant(
    'signed-withdrawal-goes-on',
    'a suspension stops a withdrawal that no block has',
    {
      file: `${minting}/withdrawals/withdrawal.actions.ts`,
      find: "await requested().where('state', '=', 'signed')",
      replace: "if (false) await requested().where('state', '=', 'signed')",
    },
    test('withdrawals/withdrawal.test.ts', 'a signed withdrawal that no block has is stopped when its account '),
  ),
  mutant(
    'purchase-while-the-chain-is-late',
    'C12: no purchase starts that could not be delivered',
    { file: `${minting}/deliverable/readiness.ts`, find: 'if (chain.refusal) {', replace: 'if (false) {' },
    test('deliverable/readiness.test.ts', 'no purchase starts while the '),
  ),
  mutant(
    'omitted-logs-believed',
    'I10: an empty list of logs is checked against the blocks',
    { file: `${minting}/chain/node.ts`, find: 'await assertComplete(found)', replace: '' },
    test('chain-index/owner.test.ts', 'a move whose logs the node omits is not passed over'),
  ),
  mutant(
    'permit-of-another-holder',
    'the signer of a permit holds the token',
    {
      file: `${minting}/permits/permit.routes.ts`,
      find: 'if (!accepted || holder !== token.wallet)',
      replace: 'if (!accepted)',
    },
    test(
      'permits/permit.test.ts',
      'the signature of a wallet that has the token since the last final block is no permit of the owner',
    ),
  ),
  mutant(
    'permit-ends-during-the-purchase',
    'a permit outlasts the purchase',
    { file: `${minting}/deliveries/token-source.ts`, find: 'permit.deadline > until && ', replace: '' },
    test('permits/permit.test.ts', 'a permit has to outlast the purchase'),
  ),
  mutant(
    'recipient-beyond-the-gas-limit',
    'a recipient uses no more gas than a delivery may',
    {
      file: `${minting}/deliverable/deliverable.actions.ts`,
      find: "'gas' in estimate && withMargin(estimate.gas) <= GAS_PER_ENTRY",
      replace: "'gas' in estimate",
    },
    test(
      'deliverable/deliverable.test.ts',
      'a recipient that needs more gas than a delivery may is detected although its estimate succeeds',
    ),
  ),
  mutant(
    'mints-counted-before-the-image',
    'mints at once stay within the limit of an hour',
    {
      file: `${minting}/mints/accept-mint.ts`,
      find: 'await refuseExcessMints(trx, creatorId, config)',
      replace: '',
    },
    test('mints/mint.routes.test.ts', 'mints at once stay within the limit of an hour, and leave no image behind'),
  ),
  mutant(
    'late-contest-counts',
    'an event about a contested line that arrives late changes nothing',
    { file: `${minting}/tokens/contested-line.store.ts`, find: ".where('contestedLine.at', '<', at)", replace: '' },
    test(
      'withdrawals/withdrawal.test.ts',
      'a contested work is withdrawn only once it is cleared; late events change nothing',
    ),
  ),
  mutant(
    'custody-without-hold',
    'a work that was bought into custody is withdrawn CUSTODY_HOLD_HOURS after its capture',
    {
      file: `${minting}/withdrawals/withdrawal.actions.ts`,
      find: 'holdHours > 0 ?',
      replace: 'holdHours < 0 ?',
    },
    test(
      'withdrawals/withdrawal.test.ts',
      'a work that was bought into custody is withdrawn CUSTODY_HOLD_HOURS after its capture',
    ),
  ),
]
