import { type Mutant, mutant } from './mutant.ts'

const minting = 'services/minting/src'
const test = (file: string, title: string) => ({ file: `${minting}/${file}`, title })
const restored = (title: string) => test('chain-index/unexpected-delivery.test.ts', title)

export const mintingMutants: Mutant[] = [
  mutant(
    'only-configured-signers',
    'M1: transactions of a signer are followed without its key',
    {
      file: `${minting}/chain-transactions/follow-signers.ts`,
      find: 'const { signers: rows, lastBlock } = await readFollowed(db, contracts.collection)',
      replace: `const { signers: followed, lastBlock } = await readFollowed(db, contracts.collection)
    const rows = followed.filter(({ address }) => signers.find(address))`,
    },
    test(
      'chain-transactions/rotation.test.ts',
      'the key was replaced and its role removed after a drop: another key delivers',
    ),
  ),
  mutant(
    'overdue-before-index',
    'M2: an overdue line fails when the index has passed a final block',
    {
      file: `${minting}/deliveries/unsigned.worker.ts`,
      find: "block === undefined ? 'unknown' : await readLine(context, delivery.lineId, block)",
      replace: "'unused'",
    },
    test(
      'deliveries/never-delivered.test.ts',
      'nothing is stopped and nothing fails while the index is behind the final block',
    ),
  ),
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
    'custody-account-not-recovered',
    'M2: a restored database takes the custody account of a line from its delivery',
    {
      file: `${minting}/chain-index/owner.actions.ts`,
      find: '  await recoverCustody(trx, { userId: buyerId, key }, collection)\n  const custodyAccount',
      replace: '  const custodyAccount',
    },
    restored('a line into custody whose order is consumed before the index passes its delivery keeps its account'),
  ),
  mutant(
    'unexpected-not-finished',
    'M2: a line whose delivery the index has passed is finished without a signature',
    {
      file: `${minting}/deliveries/delivery.store.ts`,
      find: '\n      or line_id in (select substr(line_key, 3, 32)::uuid from unexpected_delivery)',
      replace: '',
    },
    restored('a line whose order is consumed while the index records its delivery becomes final'),
  ),
  mutant(
    'closed-delivery-listed',
    'M2: what an operator closed is no difference any more',
    {
      file: `${minting}/reconciliation/reconciliation.store.ts`,
      find: "\n    .where('closedAt', 'is', null)",
      replace: '',
    },
    test('reconciliation/unexpected.test.ts', 'an unexpected delivery is listed until an operator closes it'),
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
    'one-check-stops-all',
    'M7: a check that fails delays its own line',
    {
      file: `${minting}/deliveries/delivery.worker.ts`,
      find: "log.warn({ err: error, lineId: delivery.lineId }, 'deliveries: check of a line failed, retrying later')",
      replace: 'throw error',
    },
    test('deliveries/delivery.node.test.ts', 'a line whose check fails delays no other line'),
  ),
  mutant(
    'permit-survives-delisting',
    'M11: a delisting by the owner ends the permit',
    {
      file: `${minting}/permits/permit.actions.ts`,
      find: "if (reason === 'owner') await removePermitUntil(trx, token, new Date(at))",
      replace: '',
    },
    test('permits/permit.test.ts', 'a delisting by the owner ends the permit, and no other delisting does'),
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
    'estimated-batch-gas',
    'M20: an entry of a batch cannot use up the gas of the others',
    {
      file: `${minting}/chain-transactions/fees.ts`,
      find: 'entries === 1 ? raisedEstimate : max(raisedEstimate, batchGas(entries))',
      replace: 'raisedEstimate',
    },
    test(
      'deliveries/delivery.batch.test.ts',
      'a recipient that burns its gas in the block fails alone, and the other lines of its batch are delivered',
    ),
  ),
  mutant(
    'pending-transaction-ignored',
    'M2: no line is stopped while a transaction that this database lacks may deliver it',
    {
      file: `${minting}/deliveries/line-on-chain.ts`,
      find: "if (await hasUnknownPending(reader)) return 'unknown'",
      replace: '',
    },
    test(
      'deliveries/never-delivered.test.ts',
      'no line is stopped while a transaction of the signer that this database lacks waits for a block',
    ),
  ),
  mutant(
    'stopped-while-index-halted',
    'M2: no line is stopped while the index is halted',
    { file: `${minting}/chain-index/chain-index.ts`, find: 'cursor.haltedReason === null && ', replace: '' },
    test('chain-transactions/reorg.test.ts', 'a reorg past finality halts the index and the signer, and stops no line'),
  ),
  mutant(
    'overdue-signed',
    'a line is signed before its deadline',
    {
      file: `${minting}/deliveries/delivery.store.ts`,
      find: "    .where((eb) => eb.or([eb('deliverBy', 'is', null), eb('deliverBy', '>', sql<Date>`now()`)]))\n",
      replace: '',
    },
    test(
      'deliveries/delivery.stop.test.ts',
      'a line that is overdue before it is signed gets no signature, and no nonce is used',
    ),
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
    'resumed-over-tracker',
    'M1: resume-signer gives up no transaction that the tracker finalized meanwhile',
    {
      file: `${minting}/ops/resume-signer.ts`,
      find: '      if (isFoundSince(transaction, minedBlockHash)) continue\n',
      replace: '',
    },
    test(
      'chain-transactions/reorg.test.ts',
      'resume-signer gives up no transaction that was finalized since it read its receipts',
    ),
  ),
  mutant(
    'retired-signer-reactivated',
    'M1: a retired signer stays retired',
    {
      file: `${minting}/ops/set-signer-state.ts`,
      find: "if (row.state === 'retired') throw",
      replace: 'if (false) throw',
    },
    test(
      'chain-transactions/rotation.test.ts',
      'the key was replaced and its role removed after a drop: another key delivers',
    ),
  ),
]
