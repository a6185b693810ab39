export async function* toAsync<Item>(items: Iterable<Item>): AsyncGenerator<Item, void, undefined> {
  yield* items
}

export async function toList<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}
