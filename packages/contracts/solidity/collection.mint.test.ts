import { expect, test } from 'vitest'
import { mintBatchCall, mintCall } from '../src/calls.ts'
import { expectRevert, named, newKey, startStore, work } from './testing/store.ts'

const { collection, collectionAs, addresses, send, newWallet, deployRecipient, signer, owner, mintTo, passDelay } =
  await startStore()
const mintInto = (to: string, more = {}) => mintCall(addresses.collection, { mintId: newKey(), to, ...work, ...more })

test('mint transfers the token to the recipient and stores its id under the mint id', async () => {
  const creator = await newWallet()
  const mintId = newKey()

  const { events } = await send(mintInto(creator.address, { mintId }))

  const [minted] = named(events, 'minted')
  expect(minted).toMatchObject({ mintId, to: creator.address })
  expect(await collection.tokenOfMint(mintId)).toBe(minted!.id)
  expect(await collection.ownerOf(minted!.id)).toBe(creator.address)
  expect(await collection.totalMinted()).toBe(minted!.id)
})

test('a mint id is used once; a repeated mint reverts', async () => {
  const creator = await newWallet()
  const mintId = newKey()
  await send(mintInto(creator.address, { mintId }))
  const tokenId = String(await collection.tokenOfMint(mintId))

  await expectRevert(send(mintInto(creator.address, { mintId })), 'MintIdUsed', { mintId, tokenId })
  await expectRevert(send(mintInto(creator.address, { mintId: `0x${'0'.repeat(64)}` })), 'MintIdEmpty')
  expect(await collection.balanceOf(creator.address)).toBe(1n)
})

test('only signers mint, not the owner', async () => {
  const anyone = await newWallet()
  await expectRevert(send(mintInto(anyone.address), anyone), 'NotSigner', { caller: anyone.address })
  await expectRevert(send(mintInto(owner.address), owner), 'NotSigner', { caller: owner.address })

  const batch = mintBatchCall(addresses.collection, [{ mintId: newKey(), to: anyone.address, ...work }])
  await expectRevert(send(batch, anyone), 'NotSigner', { caller: anyone.address })

  const entry = collection.interface.encodeFunctionData('mintEntry', [
    [newKey(), anyone.address, newKey(), anyone.address, 0, work.imageSha256, work.name],
  ])
  await expectRevert(send({ to: addresses.collection, data: entry }), 'OnlyInBatch', { caller: signer.address })
})

test('mintBatch skips entries that revert and numbers the other tokens without gaps', async () => {
  const creator = await newWallet()
  const rejecting = await deployRecipient('RejectingWallet')
  const [first, refused, last] = [newKey(), newKey(), newKey()]
  const before = await collection.totalMinted()

  const { events } = await send(
    mintBatchCall(addresses.collection, [
      { mintId: first, to: creator.address, ...work },
      { mintId: first, to: creator.address, ...work },
      { mintId: refused, to: await rejecting.getAddress(), ...work },
      { mintId: last, to: creator.address, ...work },
    ]),
  )

  expect(named(events, 'minted')).toMatchObject([
    { mintId: first, id: before + 1n },
    { mintId: last, id: before + 2n },
  ])
  expect(named(events, 'mint-refused')).toMatchObject([
    { mintId: first, reason: { name: 'MintIdUsed' } },
    { mintId: refused, reason: { name: 'Unknown' } },
  ])
  expect(await collection.tokenOfMint(refused)).toBe(0n)
})

test('minting to a contract without a receiver hook reverts', async () => {
  const none = await (await deployRecipient('NoReceiver')).getAddress()
  await expectRevert(send(mintInto(none)), 'ERC721InvalidReceiver', { receiver: none })
})

test('a re-entrant mint of the same mint id reverts', async () => {
  const wallet = await deployRecipient('ReentrantWallet')
  const address = await wallet.getAddress()
  const again = mintInto(address)
  await (await collectionAs(owner).addSigner(address)).wait()
  await passDelay()
  await (await wallet.prepare(addresses.collection, again.data)).wait()

  await send(again)

  expect(await wallet.succeeded()).toBe(false)
  expect(collection.interface.parseError(await wallet.answer())?.name).toBe('MintIdUsed')
  expect(await collection.balanceOf(address)).toBe(1n)
})

test('each token has its own royalty', async () => {
  const artist = await newWallet()
  const { events } = await send(mintInto(artist.address, { royalty: { receiver: artist.address, bps: 750 } }))
  const [{ id } = { id: 0n }] = named(events, 'minted')

  expect(await collection.royaltyInfo(id, 20_000n)).toEqual([artist.address, 1_500n])
  expect((await collection.royaltyInfo(await mintTo(artist.address), 20_000n))[1]).toBe(0n)
})

test('a royalty above 50 % or without a receiver reverts', async () => {
  const { address: receiver } = await newWallet()
  const zero = `0x${'0'.repeat(40)}`
  await expectRevert(send(mintInto(receiver, { royalty: { receiver, bps: 5_001 } })), 'RoyaltyTooHigh', {
    royaltyBps: '5001',
  })
  await expectRevert(
    send(mintInto(receiver, { royalty: { receiver: zero, bps: 1 } })),
    'ERC2981InvalidTokenRoyaltyReceiver',
  )
})

test('tokenURI appends the id to the base, and only the owner changes the base', async () => {
  const id = await mintTo((await newWallet()).address)
  expect(await collection.tokenURI(id)).toBe(`https://nifty.test/api/tokens/${addresses.collection}/${id}`)

  const move = (by: typeof owner) => collectionAs(by).setBaseUri('ipfs://works/')
  await expectRevert(move(signer), 'OwnableUnauthorizedAccount', { account: signer.address })
  const { logs } = await (await move(owner)).wait()

  expect(await collection.tokenURI(id)).toBe(`ipfs://works/${id}`)
  expect(collection.interface.parseLog(logs[0])).toMatchObject({ name: 'BatchMetadataUpdate', args: [1n, id] })
  await expectRevert(collection.tokenURI(id + 1n), 'ERC721NonexistentToken')
})

test('a mint logs the hash of the image and the name of the work', async () => {
  const { address } = await newWallet()
  const committed = { imageSha256: newKey(), name: 'Größe 木 🎨' }
  const { events } = await send(mintInto(address, committed))
  expect(named(events, 'minted')[0]!.work).toEqual(committed)
})

test('contractURI is the address of the metadata of the collection, and only the owner changes it', async () => {
  expect(await collection.contractURI()).toBe(`https://nifty.test/api/tokens/${addresses.collection}`)
  await expectRevert(collectionAs(signer).setContractUri('ipfs://works'), 'OwnableUnauthorizedAccount')
  const { logs } = await (await collectionAs(owner).setContractUri('ipfs://works')).wait()
  expect(await collection.contractURI()).toBe('ipfs://works')
  expect(collection.interface.parseLog(logs[0])).toMatchObject({ name: 'ContractURIUpdated' })
})

test('supportsInterface returns true for the implemented standards', async () => {
  const standards = {
    erc165: '0x01ffc9a7',
    erc721: '0x80ac58cd',
    metadata: '0x5b5e139f',
    erc2981: '0x2a55205a',
    erc4494: '0x5604e225',
    erc4906: '0x49064906',
  }
  for (const [name, id] of Object.entries(standards)) expect(await collection.supportsInterface(id), name).toBe(true)
  expect(await collection.supportsInterface('0xffffffff')).toBe(false)
})
