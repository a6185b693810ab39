import { z } from 'zod'

/** One page of a list. `nextCursor` is null on the last page. */
export const pageOf = <Item extends z.ZodType>(item: Item, id: string) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() }).meta({ id })
