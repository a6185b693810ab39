import { closesFence, readFenceMarker } from '../../markdown/code-fence.ts'
import { replaceOutsideSpans } from '../../markdown/code-spans.ts'
import { replaceEmojiCodes } from '../../flatten/icon-symbol.ts'
import { prepareContainers } from '../../flatten/prepare-containers.ts'

/** Converts containers to plain Markdown and drops presentation from code fences. Pure. */
export function prepareVitepress(body: string): string {
  let marker: string | null = null
  const lines = prepareContainers(body)
    .split('\n')
    .map((line) => {
      if (marker !== null) {
        if (closesFence(line, marker)) marker = null
        return line
      }
      marker = readFenceMarker(line)
      if (marker !== null) return prepareFence(line)
      return /^\[\[toc\]\][ \t]*$/i.test(line) ? '' : dropDirectives(replaceEmojiCodes(line))
    })
  return lines.join('\n')
}

const templateTag = /<\/?template\b[^<>]{0,500}>/g
const directive =
  /(<[A-Za-z][\w.-]{0,100}(?:\s[^<>]{0,500}?)?)\s[@#][\w.:-]{1,100}(?:="[^"]{0,500}"|='[^']{0,500}')?(?=[\s/>][^<>]{0,500}>|>)/g
const directivesMax = 5

/** Events and slots of Vue are attributes that Markdown takes for text, and the tag with them. Code is left alone. */
function dropDirectives(line: string): string {
  if (!line.includes('<')) return line
  // The content of a slot is shown.
  let dropped = replaceOutsideSpans(line, templateTag, () => '')
  for (let round = 0; round < directivesMax && /<[^<>]*\s[@#]/.test(dropped); round++)
    dropped = replaceOutsideSpans(dropped, directive, ([, before = '']) => before)
  return dropped
}

/** "```ts:line-numbers {1} [config.ts]" → "```ts config.ts" */
function prepareFence(line: string): string {
  return line.replace(/^([ \t>]*[`~]{3,}[\w+#.-]*):[\w=-]+/, '$1').replace(/[ \t]\[([^\]\n]{1,200})\]/, ' title="$1"')
}
