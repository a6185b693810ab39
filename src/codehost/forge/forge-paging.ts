import { z } from 'zod'

export interface ForgePage<Item> {
  items: Item[]
  /** Where the next page begins; null after the last. */
  next: number | null
}

/** How a forge cuts its lists into pages. */
export interface ForgePaging {
  /** @param start Null for the first page, else `next` of the one before. */
  query(start: number | null): Readonly<Record<string, number>>
  page<Item>(item: z.ZodType<Item>, start: number | null): z.ZodType<ForgePage<Item>>
}

/**
 * Pages counted from 1, of which only the last is not full.
 *
 * @param sizeName What the forge calls the size of a page. @param size The most that it gives at once.
 */
export function numberedPages(sizeName: 'limit' | 'per_page', size: number): ForgePaging {
  return {
    query: (start) => ({ [sizeName]: size, page: start ?? 1 }),
    page: (item, start) =>
      z.array(item).transform((items) => ({ items, next: items.length < size ? null : (start ?? 1) + 1 })),
  }
}
