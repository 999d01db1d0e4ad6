import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listSessions } from '@nifty/api/auth/internal'
import { createServiceClient } from '@nifty/service-kit/http/client'
import { serviceCredential, serviceKeys } from '@nifty/service-kit/http/service-keys'
import type { Log } from '../campaign/campaign.ts'
import { lostEvents } from '../campaign/messages.ts'
import { operate } from '../campaign/operate.ts'
import { sell } from '../campaign/sales.ts'
import { closeShop, openShop } from '../campaign/shop.ts'

const SECRET = 'INTERNAL_SECRET'
const PURCHASES = 10
const newSecret = () => randomBytes(32).toString('base64url')

/** A one-process store is restarted with another `INTERNAL_SECRET` while purchases are under way. */
export async function replaceInternalSecret(log: Log): Promise<string[]> {
  const [former, next] = [newSecret(), newSecret()]
  const shop = await openShop({ log, works: PURCHASES, env: { [SECRET]: former } })
  const { folder } = shop.store
  const admits = async (secret: string) => {
    const { internalUrls } = JSON.parse(await readFile(join(folder, 'operator.json'), 'utf8'))
    const key = serviceKeys('payments', secret).PAYMENTS_TO_AUTH_KEYS!
    const auth = createServiceClient({ url: internalUrls.auth, credential: serviceCredential(key), name: 'auth' })
    return auth(listSessions, { query: {} }).then(
      () => true,
      () => false,
    )
  }

  let restarted = false
  const selling = sell(shop, shop.works, {
    everyMs: 250,
    atOnce: 6,
    mayBegin: (place) => place < PURCHASES / 2 || restarted,
  })
  const violations: string[] = []
  if (!(await admits(former))) violations.push(`${SECRET}: the value of the start is refused`)
  while (selling.begun() < PURCHASES / 2) await new Promise((resolve) => setTimeout(resolve, 20))
  log(`the one-process store is restarted with another ${SECRET}, ${selling.open()} purchases under way`)
  await shop.store.stop()
  await shop.store.restart({ [SECRET]: next })
  restarted = true
  violations.push(...(await selling.violations()))
  if (await admits(former)) violations.push(`${SECRET}: the former value is accepted`)
  if (!(await admits(next))) violations.push(`${SECRET}: the next value is refused`)
  violations.push(...(await lostEvents(folder)).violations)
  await operate(folder, ['reconcile', 'all']).catch((error: Error) => violations.push(`one process: ${error.message}`))
  await closeShop(shop, { violations, log })
  return violations
}
