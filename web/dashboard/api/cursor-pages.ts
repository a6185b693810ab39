import { useState } from 'react'
import type { TablePages } from '../../ui/data-table.tsx'

/** Walks through a list whose pages the server names by cursors. */
export function useCursorPages(): {
  cursor: string | null
  toTablePages(nextCursor: string | null | undefined): TablePages
} {
  const [cursors, setCursors] = useState<readonly string[]>([])
  return {
    cursor: cursors.at(-1) ?? null,
    toTablePages: (nextCursor) => ({
      hasPrevious: cursors.length > 0,
      hasNext: nextCursor != null,
      showPrevious: () => setCursors(cursors.slice(0, -1)),
      showNext: () => nextCursor != null && setCursors([...cursors, nextCursor]),
    }),
  }
}
