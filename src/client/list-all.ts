interface ListPage<Item> {
  items: readonly Item[]
  nextCursor: string | null
}

/**
 * Reads a list to its end.
 *
 * @param readPage Reads the page at a cursor; null names the first.
 */
export async function listAll<Item>(readPage: (cursor: string | null) => Promise<ListPage<Item>>): Promise<Item[]> {
  const all: Item[] = []
  let cursor: string | null = null
  do {
    const page: ListPage<Item> = await readPage(cursor)
    all.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return all
}
