import { exportAccount, exportMails, exportMints, exportOrders, exportWorks } from '@nifty/api/own-data'
import { request } from '../api/api.ts'

const parts = { auth: exportAccount, mints: exportMints, works: exportWorks, orders: exportOrders, mails: exportMails }

/**
 * What every service stores about the account, as the parts of one JSON text: `{exportedAt, auth: [{kind, data}],
 * mints: …}`. Rejects with an ApiError when one of them does not respond.
 */
export async function exportOwnData(): Promise<string[]> {
  const texts = [`{\n"exportedAt": ${JSON.stringify(new Date().toISOString())}`]
  for (const [name, endpoint] of Object.entries(parts)) {
    texts.push(`,\n${JSON.stringify(name)}: [`)
    let separator = '\n'
    for (let after: string | null | undefined; after !== null; ) {
      const page = await request(endpoint, { query: { after } })
      for (const record of page.records) {
        texts.push(`${separator}${JSON.stringify(record)}`)
        separator = ',\n'
      }
      after = page.next
    }
    texts.push('\n]')
  }
  return [...texts, '\n}\n']
}
