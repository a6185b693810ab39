import { mapProse } from './code-fence.ts'
import { blockBreak, replaceOutsideSpans } from './code-spans.ts'

const rootLinkMaybe = /\](?:\(|:)[ \t]?<?\//
/**
 * The target of an inline link, an image or a definition, and the text before it. `//` and `/\` are URLs of other
 * sites, and a bracket after an odd number of backslashes is text.
 */
const rootLink =
  /(\](?<=(?<!\\)(?:\\\\)*\])\([ \t]?|^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?\[(?!\^)[^[\]\n]{1,999}\]:[ \t]?)(<\/(?![/\\])[^<>\n]*>|\/(?![/\\])(?:[^\s()<>]|\([^\s()<>]*\))*)(?=\s*[)"'(]|[ \t]*$)/gm

/**
 * Replaces the root-relative targets of links, images and definitions. Code and everything else stays as it is. Linear
 * time.
 *
 * @param change Receives a target as written, with its query and anchor: `/guides/x?y#z`.
 */
export function mapRootLinks(markdown: string, change: (target: string) => string): string {
  if (!rootLinkMaybe.test(markdown)) return markdown
  return mapProse(markdown, (prose) =>
    prose
      .split(blockBreak)
      .map((block) => (rootLinkMaybe.test(block) ? mapBlock(block, change) : block))
      .join('\n'),
  )
}

/** Lists the targets that `mapRootLinks` would replace. */
export function listRootLinks(markdown: string): string[] {
  const targets: string[] = []
  mapRootLinks(markdown, (target) => {
    targets.push(target)
    return target
  })
  return targets
}

function mapBlock(text: string, change: (target: string) => string): string {
  return replaceOutsideSpans(
    text,
    rootLink,
    ([, before = '', target = '']) =>
      before + (target.startsWith('<') ? `<${change(target.slice(1, -1))}>` : change(target)),
  )
}
