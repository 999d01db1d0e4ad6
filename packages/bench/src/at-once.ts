/** Runs `run` for each item, `atOnce` at the same time. */
export async function forEachAtOnce<Item>(
  items: Item[],
  atOnce: number,
  run: (item: Item, place: number) => Promise<unknown>,
) {
  const waiting = [...items.entries()]
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await run(next[1], next[0])
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
