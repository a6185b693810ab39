import type { Citation } from '../../src/contract/citations.ts'
import { CitationNumber } from './citation-number.tsx'

/** The numbers of the sources of a sentence, lowest first. */
export function CitationNumbers({ citations }: { citations: readonly Citation[] }) {
  const sorted = citations.toSorted((a, b) => Number(a.number) - Number(b.number))
  return sorted.map((citation, index) => <CitationNumber key={`${citation.number} ${index}`} citation={citation} />)
}
