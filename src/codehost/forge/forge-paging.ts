import { z } from 'zod'

export interface ForgePage<Item> {
  items: Item[]
  /** Start of the next page; null after the last. */
  next: number | null
}

/** Pagination scheme of a forge's lists. */
export interface ForgePaging {
  /** @param start Null for the first page, otherwise `next` of the previous one. */
  query(start: number | null): Readonly<Record<string, number>>
  page<Item>(item: z.ZodType<Item>, start: number | null): z.ZodType<ForgePage<Item>>
}

/**
 * Pages numbered from 1; only the last may be short.
 *
 * @param sizeName Name of the page size parameter. @param size The forge's largest page size.
 */
export function numberedPages(sizeName: 'limit' | 'per_page', size: number): ForgePaging {
  return {
    query: (start) => ({ [sizeName]: size, page: start ?? 1 }),
    page: (item, start) =>
      z.array(item).transform((items) => ({ items, next: items.length < size ? null : (start ?? 1) + 1 })),
  }
}
