import type { Element, ElementContent, Root } from 'hast'
import { toString } from 'hast-util-to-string'
import { common, createLowlight, type LanguageFn } from 'lowlight'
import { SKIP, visit } from 'unist-util-visit'

/** Options come first, so that `--for` is not a loop and `--if=done` not a condition. */
const bash: LanguageFn = (hljs) => {
  const grammar = common['bash']?.(hljs)
  return { ...grammar, contains: [{ match: /(?<![\w-])--?[a-z][\w-]*(?:=[\w.-]+)?/i }, ...(grammar?.contains ?? [])] }
}

const lowlight = createLowlight({ ...common, bash })

/** Names that sites use for languages that go by another one. */
lowlight.registerAlias({
  bash: ['console', 'shell-session', 'terminal', 'fish', 'pycon-bash'],
  javascript: ['mjs', 'cjs'],
  xml: ['vue', 'svelte', 'mdoc', 'mdx', 'astro'],
  ini: ['dotenv', 'env', 'properties'],
  json: ['json5', 'jsonc'],
  plaintext: ['ansi', 'output', 'tree'],
})

/** Longer blocks are not highlighted: it is slow and helps little. */
const charsMax = 60_000

/** Colours the code blocks of a page and puts each below a bar with its title or language, where copying has its place. */
export function showCodeBlocks(tree: Root): void {
  visit(tree, 'element', (pre: Element, index, parent) => {
    const [code] = pre.children
    if (pre.tagName !== 'pre' || code?.type !== 'element' || code.tagName !== 'code') return
    if (index === undefined || parent === undefined) return
    const { language, title } = readCode(code)
    color(code, language)
    delete code.properties['dataTitle']
    const label = element('span', {}, [{ type: 'text', value: title ?? language ?? '' }])
    parent.children[index] = element('div', { className: ['code'] }, [
      element('div', { className: ['cap'] }, [label]),
      pre,
    ])
    return SKIP
  })
}

/** The info string of a code block. */
export function readCode({ properties }: Element): { language: string | null; title: string | null } {
  const { className, dataTitle } = properties
  const names = Array.isArray(className) ? className.map(String) : []
  const language = names.find((name) => name.startsWith('language-'))?.slice('language-'.length)
  return { language: language ?? null, title: typeof dataTitle === 'string' ? dataTitle : null }
}

function color(code: Element, language: string | null): void {
  const text = toString(code)
  const name = language?.toLowerCase() ?? ''
  if (text.length > charsMax || !lowlight.registered(name)) return
  // Elements and text only: see the types of lowlight.
  code.children = lowlight.highlight(name, text).children as ElementContent[]
}

export function element(tagName: string, properties: Element['properties'], children: ElementContent[]): Element {
  return { type: 'element', tagName, properties, children }
}
