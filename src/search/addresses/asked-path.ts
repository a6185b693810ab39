/** Longer addresses are not looked at. */
export const askedCharsMax = 500

/** Beginnings that sites have, and addresses are invented with. */
const frame =
  /^(?:docs?|documentation|latest|stable|current|main|master|next|v?\d+(?:[.-](?:\d+|x))*|[a-z]{2}(?:-[a-z]{2,4})?)$/i
const extension = /\.(?:mdx?|html?|txt)$/i
/** Names of the page of a folder. */
const indexName = /^(?:index|readme)$/i

/** The segments of an address, decoded, without its extension and its end for a folder. */
export function readAskedPath(path: string): string[] {
  const segments = path
    .slice(0, askedCharsMax)
    .replace(/^https?:\/\/[^/]*/i, '')
    .replace(/[?#].*$/s, '')
    .split('/')
    .map((segment) => decodeSegment(segment).trim())
    .filter((segment) => segment !== '')
  const last = (segments.pop() ?? '').replace(extension, '').replace(extension, '')
  return last === '' || indexName.test(last) ? segments : [...segments, last]
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment.replaceAll('+', ' '))
  } catch {
    return segment
  }
}

/** `Rate_Limits`, `rateLimits` and `03-rate-limits` are one name. */
export function nameOf(segment: string): string {
  const bare = segment
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^\d{1,3}[-_.]+(?=\p{L})/u, '')
  return bare.replace(/[^\p{L}\p{N}]+/gu, '') || bare
}

/** How many of the first segments may be the frame of another site's addresses, such as `/docs/en/latest`. */
export function countFrame(segments: readonly string[]): number {
  const count = segments.findIndex((segment) => !frame.test(segment))
  return count === -1 ? segments.length : count
}
