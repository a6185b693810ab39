/** Maps items in order of the list, at most `atOnce` at a time. Rejects with the first error; then begins no more. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  const work = async () => {
    for (const [index, item] of waiting) results[index] = await map(item)
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, work))
  } finally {
    waiting.return?.()
  }
  return results
}
