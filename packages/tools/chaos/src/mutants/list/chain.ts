import { type Mutant, mutant } from './mutant.ts'

const minting = 'services/minting/src'
const finality = `${minting}/chain/finality.ts`
const signer = `${minting}/chain/signer.ts`
const queue = `${minting}/chain-transactions/queue.ts`

const untilDeep = {
  file: `${minting}/chain/finality.test.ts`,
  title: 'a block with the finalized tag is not final before it is CHAIN_FINALITY_DEPTH deep',
}

export const chainMutants: Mutant[] = [
  mutant(
    'refusal-not-final',
    'only a final block refuses a line',
    {
      file: `${minting}/deliveries/confirm-refusal.ts`,
      find: "if (final && 'refusal' in final) return failDelivery(trx, locked, final.refusal)",
      replace: 'return failDelivery(trx, locked, refused)',
    },
    {
      file: `${minting}/deliveries/delivery.node.test.ts`,
      title: 'a refusal by a block that a reorg removes does not fail the line',
    },
  ),
  mutant(
    'depth-ignored',
    'final is CHAIN_FINALITY_DEPTH deep',
    { file: finality, find: 'Math.min(finalized.number, head.number - depth)', replace: 'finalized.number' },
    untilDeep,
  ),
  mutant(
    'delivered-on-first-receipt',
    'a line is delivered when its block is final',
    { file: finality, find: 'Math.min(finalized.number, head.number - depth)', replace: 'head.number' },
    untilDeep,
  ),
  mutant(
    'second-node-ignored',
    'both nodes have the final block',
    {
      file: finality,
      find: 'return found.every((block) => block && block.hash === found[0]?.hash) ? found[0] : undefined',
      replace: 'return found[0]',
    },
    {
      file: `${minting}/chain/second-node.test.ts`,
      title: 'a second node on another fork: nothing is final until both have the same blocks',
    },
  ),
  mutant(
    'any-delivered-log',
    'a Delivered log counts for its token and wallet',
    {
      file: `${minting}/chain-index/owner.actions.ts`,
      find: 'if (token !== delivered.token) return false\n  return custodyAccount ?',
      replace: 'if (!custodyAccount) return true\n  return custodyAccount ?',
    },
    {
      file: `${minting}/chain-index/apply-logs.test.ts`,
      title: 'a delivery of a line with another ',
    },
  ),
  mutant(
    'no-signing-policy',
    'a key signs only mints, deliveries and no-ops',
    {
      file: signer,
      find: 'if (!isSignable(unsigned, { ...contracts, signer: address }))',
      replace: 'if (false)',
    },
    {
      file: `${minting}/chain/signer.test.ts`,
      title: 'a key refuses what the signing policy does not allow, also a no-op of another signer',
    },
  ),
  mutant(
    'broadcast-before-commit',
    'bytes are broadcast after they were committed',
    {
      file: `${minting}/deliveries/delivery.worker.ts`,
      find: 'const signed = await signNext(trx, usable, wanted)',
      replace: `const signed = await signNext(trx, usable, wanted)
    const { raw } = await trx.selectFrom('attempt').select('raw').where('hash', '=', signed.hash).executeTakeFirstOrThrow()
    await node.broadcast(raw)`,
    },
    {
      file: `${minting}/chain-transactions/crash.test.ts`,
      title: 'killed with an uncommitted nonce: the nonce is used by the next transaction',
    },
  ),
  mutant(
    'fresh-nonce-when-stuck',
    'a replacement has the nonce of the transaction',
    {
      file: queue,
      find: 'const { raw, hash } = await signer.sign({ call, nonce, gasLimit: limit, ...fees })',
      replace: `const row = (await lockSigner(trx, signer.address))!
    await takeNonce(trx, row, 0)
    const { raw, hash } = await signer.sign({ call, nonce: row.nextNonce, gasLimit: limit, ...fees })`,
    },
    {
      file: `${minting}/chain-transactions/replacement.test.ts`,
      title: 'a delivery that is priced out is replaced at a higher fee on the same nonce',
    },
  ),
  mutant(
    'log-of-another-fork',
    'M19: a log counts when its block is the node’s block at that height',
    { file: `${minting}/chain/log-reader.ts`, find: 'if (block?.hash !== hash) throw', replace: 'if (!block) throw' },
    {
      file: `${minting}/chain/log-reader.test.ts`,
      title: 'a log of another block than the node has at that height is an error',
    },
  ),
]
