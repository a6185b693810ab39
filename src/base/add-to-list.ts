/** Adds to the list of a key, for items that have several keys; `Map.groupBy` serves those with one. */
export function addToList<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [item])
  else known.push(item)
}
