import { withDatabase } from './databases.ts'

/**
 * An hour passes: the auction of an item ends now if this order leads in it. Under the row lock of the item, as catalog
 * changes auctions.
 */
export const endAuction = (
  folder: string,
  { itemId, leaderOrder }: { itemId: string; leaderOrder: string },
): Promise<void> =>
  withDatabase(folder, 'catalog', async (client) => {
    await client.query('begin')
    await client.query('select from item where id = $1 for update', [itemId])
    await client.query(
      `update auction set ends_at = clock_timestamp()
        where item_id = $1 and leader_order = $2 and state = 'open' and ends_at > clock_timestamp()`,
      [itemId, leaderOrder],
    )
    await client.query('commit')
  })
