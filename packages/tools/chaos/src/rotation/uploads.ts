import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { logout, uploadAvatar } from '@nifty/api/auth/public'
import { endpointUrl } from '@nifty/api/endpoint'
import { createMint } from '@nifty/api/minting/public'
import { createApiClient } from '@nifty/testkit/api-client'
import type { RunFile } from '@nifty/testkit/run-file'
import { apiClientOf, demoUser, type User } from '@nifty/testkit/users'
import { waitUntil } from '@nifty/testkit/wait-until'
import { png } from '../storm/cast/png.ts'

const PAUSE_MS = 250
/** Of these uploads one is a work, which is minted. */
const PER_WORK = 20
const MINTED = { timeoutMs: 180_000, intervalMs: 1_000 }

/**
 * Uploads a creator's picture again and again, and works, until `stop`, and reads each picture at once. `stop` reads
 * all that are shown once more, from the bucket or its copies.
 */
export function startUploads(run: RunFile) {
  const names: string[] = []
  const violations: string[] = []
  let avatar: string | undefined
  let count = 0
  let stopped = false

  async function send(
    { method, path, token }: { method: string; path: string; token: string },
    fields: Record<string, string | Blob>,
  ) {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() }
    const response = await fetch(run.url + path, { method, headers, body: form })
    const body = (await response.json()) as { code?: string; avatar?: string }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${body.code}`)
    return body
  }

  async function upload() {
    // Anew, because keys of sessions are replaced meanwhile; sessions beyond a limit would end those of others.
    const user = await demoUser(run, 'creator')
    await uploadAs(user).finally(() => apiClientOf(run, user).send(logout))
    count++
  }

  async function uploadAs({ token, userId }: User) {
    const picture = new Blob([png([randomInt(256), randomInt(256), randomInt(256)])], { type: 'image/png' })
    if (count % PER_WORK === 0) {
      const name = `Uploaded ${count}`
      await send({ ...createMint, token }, { image: picture, name, category: 'Art', holder: 'custody' })
      names.push(name)
    } else {
      const path = endpointUrl(uploadAvatar, { params: { id: userId } })
      avatar = (await send({ ...uploadAvatar, path, token }, { avatar: picture })).avatar
      await read(avatar!)
    }
  }

  async function read(path: string) {
    const response = await fetch(run.url + path)
    await response.arrayBuffer()
    const type = response.headers.get('content-type')
    if (!response.ok || type !== 'image/webp') throw new Error(`${path} is ${response.status} ${type}`)
  }
  const noted = (error: Error) => void violations.push(`upload: ${error.message}`)

  const uploading = (async () => {
    while (!stopped) {
      await upload().catch(noted)
      await sleep(PAUSE_MS)
    }
  })()
  return {
    stop: async () => {
      stopped = true
      await uploading
      if (avatar) await read(avatar).catch(noted)
      const client = createApiClient(run)
      for (const name of names)
        await waitUntil(async () => (await client.market()).find((work) => work.name === name), MINTED)
          .then(({ image }) => read(`${image}?w=320`))
          .catch(noted)
      return { count, violations }
    },
  }
}
