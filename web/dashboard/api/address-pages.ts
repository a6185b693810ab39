import { useState } from 'react'
import type { TablePages } from '../../ui/data-table.tsx'

/**
 * Walks through a list whose pages the server names by cursors, with the page in the address, so that it can be sent to
 * others. Who begins in the middle comes to the first page by going back.
 *
 * @param shown The cursor in the address; none on the first page.
 */
export function useAddressPages(
  shown: string | undefined,
  show: (cursor: string | undefined) => void,
): { cursor: string | null; toTablePages(nextCursor: string | null | undefined): TablePages } {
  const [before, setBefore] = useState<readonly (string | undefined)[]>([])
  return {
    cursor: shown ?? null,
    toTablePages: (nextCursor) => ({
      hasPrevious: shown !== undefined,
      hasNext: nextCursor != null,
      showPrevious: () => {
        setBefore(before.slice(0, -1))
        show(before.at(-1))
      },
      showNext: () => {
        if (nextCursor == null) return
        setBefore([...before, shown])
        show(nextCursor)
      },
    }),
  }
}
