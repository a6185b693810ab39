import { closesFence, readFenceMarker } from '../../markdown/code-fence.ts'
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
      return /^\[\[toc\]\][ \t]*$/i.test(line) ? '' : line
    })
  return lines.join('\n')
}

/** "```ts:line-numbers {1} [config.ts]" → "```ts config.ts" */
function prepareFence(line: string): string {
  return line.replace(/^([ \t>]*[`~]{3,}[\w+#.-]*):[\w=-]+/, '$1').replace(/[ \t]\[([^\]\n]{1,200})\]/, ' title="$1"')
}
