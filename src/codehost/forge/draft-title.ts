/**
 * Forges that have no field for drafts mark them at the beginning of the title.
 *
 * @param mark Matches the mark at the beginning, in all the ways in which the forge reads one.
 * @returns The title without marks, and whether there was one.
 */
export function readDraftTitle(title: string, mark: RegExp): { title: string; isDraft: boolean } {
  let rest = title.trimStart()
  let isDraft = false
  for (let match = mark.exec(rest); match !== null && match[0] !== ''; match = mark.exec(rest)) {
    isDraft = true
    rest = rest.slice(match[0].length).trimStart()
  }
  return { title: rest, isDraft }
}
