import { findComponentRule } from '../flatten/component-rules.ts'
import { MarkdownSyntaxError } from '../markdown/markdown-syntax-error.ts'
import type { SiteOutline } from '../checks/site-outline.ts'
import { isPageFile } from '../trees/source-path.ts'
import type { PageCode } from '../formats/write-rules.ts'
import type { CodeItem } from './code-item.ts'
import { isDangerousElement } from './element-code.ts'
import { listPageCode } from './page-code.ts'

export interface KnownCode {
  /** Whether the format offers an item, or another page uses it already. */
  has(file: string, item: CodeItem): Promise<boolean>
  /** Whether pages of the site hold formulas, whose braces are then not code. */
  usesFormulas(): Promise<boolean>
}

/** Pages parsed to find where an item is used. */
const pagesParsedMax = 20
const formula = /^[ \t]*\$\$[ \t]*$|(?<![\\$\w])\$[^\s$][^$\n]{0,500}\\[a-z]{2,20}[^$\n]{0,500}\$/m

/**
 * Tells whether a site already uses what a page is about to gain: a component, an import or an expression that occurs on
 * another page was decided by its owners, and may be used again and move. Reads the pages of the base only when asked.
 */
export function createKnownCode(outline: SiteOutline): KnownCode {
  const pages = new BasePages(outline)
  const answers = new Map<string, Promise<boolean>>()
  let formulas: Promise<boolean> | null = null
  return {
    async has(file, item) {
      if (item.kind === 'character') return false
      if (isOffered(outline, file, item)) return true
      const key = `${item.kind}\n${item.text}`
      const answer = answers.get(key) ?? pages.use(item)
      answers.set(key, answer)
      return answer
    },
    usesFormulas: () => (formulas ??= pages.some((text) => formula.test(text))),
  }
}

/** The pages before the change, each read at most once. */
class BasePages {
  readonly #outline: SiteOutline
  readonly #texts = new Map<string, string>()

  constructor(outline: SiteOutline) {
    this.#outline = outline
  }

  async some(isWanted: (text: string, file: string) => boolean): Promise<boolean> {
    for await (const { text, file } of this.#read()) if (isWanted(text, file)) return true
    return false
  }

  /** Whether a page uses the item. */
  use({ kind, text }: CodeItem): Promise<boolean> {
    let parsed = 0
    const mark = kind === 'element' ? `<${text.split(' ')[0]}` : text.replace(/^\{|\}$/g, '')
    return this.some((page, file) => {
      if (parsed >= pagesParsedMax || !page.includes(mark)) return false
      parsed++
      return listKnownCode(page, chooseCode(this.#outline, file)).some(
        (item) => item.kind === kind && item.text === text,
      )
    })
  }

  async *#read(): AsyncGenerator<{ text: string; file: string }> {
    const { tree } = this.#outline
    for (const file of tree.paths.filter(isPageFile)) {
      const text = this.#texts.get(file) ?? new TextDecoder().decode(await tree.read(file)).replaceAll('\r\n', '\n')
      this.#texts.set(file, text)
      yield { text, file }
    }
  }
}

function listKnownCode(text: string, code: PageCode): CodeItem[] {
  try {
    return listPageCode(text, code)
  } catch (error) {
    if (error instanceof MarkdownSyntaxError) return []
    throw error
  }
}

/** Of mdBook, Hugo, VuePress, Quarto, MyST, Sphinx, docsify and Antora. */
const ofOtherBuilder =
  /^(?:[^/]+\/){0,2}(?:book\.toml|(?:hugo|config)\.(?:toml|ya?ml)|\.vuepress\/.+|_quarto\.ya?ml|myst\.ya?ml|conf\.py|_sidebar\.md|antora\.ya?ml)$/

/** Both expand Liquid before Markdown, so also in code. */
const ofLiquid = /^(?:[^/]+\/){0,2}(?:_config\.ya?ml|\.?eleventy[\w.]*\.[cm]?js)$/

/** Some formats read `.md` as MDX, and plain Markdown may be built by something that is not read here. */
export function chooseCode({ format, library, tree }: SiteOutline, path: string): PageCode {
  if (/\.mdx$/i.test(path)) return 'mdx'
  const { code } = format.writes
  const { dialect } = library
  if (code === 'mdx') return dialect.syntaxOf(path) === 'mdx' ? 'mdx' : 'html'
  if (code === 'unknown') {
    const isOther = tree.paths.some((file) => ofOtherBuilder.test(file))
    if (tree.paths.some((file) => ofLiquid.test(file))) return isOther ? 'mixed' : 'liquid'
    return isOther ? 'any' : 'html'
  }
  return code === 'templates' && dialect.hasTemplates !== true ? 'python' : code
}

/** What the format itself offers, or what is checked as a page where it is written. */
function isOffered(outline: SiteOutline, file: string, { kind, text }: CodeItem): boolean {
  const { dialect } = outline.library
  if (kind === 'element')
    return (
      /^[A-Z]/.test(text) &&
      !isDangerousElement(text.split(' ')[0] ?? '') &&
      findComponentRule(text, dialect.components) !== undefined
    )
  if (kind !== 'import') return false
  if (outline.format.writes.imports?.test(text) === true) return true
  const target = /[!?]/.test(text) ? null : dialect.resolveImport(file, text)
  return target !== null && isPageFile(target)
}
