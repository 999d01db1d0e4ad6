/**
 * Runs `run` for each item, `atOnce` at the same time. After a failure no other item is begun; those under way are
 * waited for.
 */
export async function forEachAtOnce<Item>(
  items: Item[],
  atOnce: number,
  run: (item: Item, place: number) => Promise<unknown>,
) {
  const waiting = [...items.entries()]
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      await run(next[1], next[0]).catch((error) => {
        waiting.length = 0
        throw error
      })
  }
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker))
  const failed = ended.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
