import { type DescribedDrift, describeDrift } from '../../drift/describe-drift.ts'
import type { DriftState } from '../../drift/drift-state.ts'
import { findDrift } from '../../drift/find-drift.ts'

/** Outdated content on the pages, as text, certain findings first. @param read Text of a page by its object. */
export async function listDrift(
  state: DriftState,
  read: (object: string) => Promise<string | null>,
): Promise<DescribedDrift[]> {
  const texts = new Map<string, string>()
  const described: DescribedDrift[] = []
  for (const drift of findDrift(state)) {
    const text = texts.get(drift.object) ?? (await read(drift.object)) ?? ''
    texts.clear()
    texts.set(drift.object, text)
    described.push(describeDrift(drift, text))
  }
  return described.toSorted((one, other) => Number(other.isCertain) - Number(one.isCertain))
}
