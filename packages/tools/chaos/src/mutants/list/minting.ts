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
]
