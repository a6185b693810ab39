/**
 * For forges without a draft field, which mark drafts by a title prefix.
 *
 * @param mark Matches the prefix in every spelling that the forge accepts.
 * @returns The title without prefixes, and whether there was one.
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
