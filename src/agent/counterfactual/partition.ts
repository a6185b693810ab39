/** Divides a list into the items that a test accepts, and the others. */
export function partition<Item>(items: readonly Item[], isWanted: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isWanted), items.filter((item) => !isWanted(item))]
}
