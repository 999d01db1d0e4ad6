import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getBytes, N, SigningKey } from 'ethers'

type Mode = 'sign' | 'hang' | 'refuse'

/** `Sign` and `GetPublicKey` of AWS KMS, for keys by their ids. `highS`: with an `s` that the chain refuses. */
export async function startKmsServer(privateKeys: Record<string, string>) {
  const state = { mode: 'sign' as Mode, highS: false, keys: privateKeys, signed: 0 }
  const server = createServer(async (request, response) => {
    const { KeyId, Message } = JSON.parse(await bodyOf(request)) as { KeyId: string; Message: string }
    if (state.mode === 'hang') return
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
    const privateKey = state.keys[KeyId]
    if (state.mode === 'refuse') return answer(400, { __type: 'AccessDeniedException', message: 'not authorized' })
    if (!privateKey) return answer(400, { __type: 'NotFoundException', message: `${KeyId} is not found` })
    const key = new SigningKey(privateKey)
    if (request.headers['x-amz-target'] === 'TrentService.GetPublicKey')
      return answer(200, { KeyId, PublicKey: publicKeyInDer(key).toString('base64') })
    const { r, s } = key.sign(Buffer.from(Message, 'base64'))
    state.signed++
    const der = [BigInt(r), state.highS ? N - BigInt(s) : BigInt(s)].map(integerInDer)
    answer(200, { KeyId, Signature: sequenceInDer(...der).toString('base64') })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

async function bodyOf(request: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const inDer = (tag: number, content: Buffer) => Buffer.concat([Buffer.from([tag, content.length]), content])
const sequenceInDer = (...parts: Buffer[]) => inDer(0x30, Buffer.concat(parts))

/** With a zero in front where the first bit is set, and none else. */
function integerInDer(value: bigint) {
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')
  return inDer(2, bytes[0]! > 127 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

/** Of the algorithm `id-ecPublicKey` with the curve `secp256k1`. */
function publicKeyInDer({ publicKey }: SigningKey) {
  const algorithm = sequenceInDer(Buffer.from('06072a8648ce3d0201', 'hex'), Buffer.from('06052b8104000a', 'hex'))
  return sequenceInDer(algorithm, inDer(3, Buffer.concat([Buffer.from([0]), getBytes(publicKey)])))
}
