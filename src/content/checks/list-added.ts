/** The items of `after` that occur more often than their keys in `before`, in order. */
export function listAdded<Item>(
  before: Iterable<string>,
  after: readonly Item[],
  keyOf: (item: Item) => string,
): Item[] {
  const left = new Map<string, number>()
  for (const key of before) left.set(key, (left.get(key) ?? 0) + 1)
  return after.filter((item) => {
    const key = keyOf(item)
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0
  })
}
