/**
 * What the pages of a site may contain besides Markdown.
 *
 * - `mdx`: imports, expressions and components.
 * - `vue`: HTML with directives, `{{ }}` and components.
 * - `templates`: HTML, and Jinja everywhere, also in code.
 * - `html`: HTML.
 * - `any`: HTML, and what other builders would expand.
 * - `liquid`: like `any`, and Liquid everywhere, also in code, except where Liquid takes it for text.
 * - `mixed`: like `any`, and Liquid everywhere.
 * - `python`: HTML, with code as Python-Markdown delimits it, which `templates` implies.
 */
export type PageCode = 'mdx' | 'vue' | 'templates' | 'html' | 'python' | 'any' | 'liquid' | 'mixed'

/** What a change to a site of a format may write. */
export interface WriteRules {
  /** Files that the format builds pages from. */
  pages: RegExp
  /** `unknown` is HTML, or what the builders expand whose configuration the repository has. */
  code: PageCode | 'unknown'
  /** Lists of files that are published as pages, whatever their extension. */
  chapters?: RegExp
  /** Components that pages may import although none does yet. */
  imports?: RegExp
  /** Files with navigation, which are data. */
  navigation?: readonly NavigationRule[]
}

export interface NavigationRule {
  file: RegExp
  /** The top-level keys that may change; absent if the file holds nothing but navigation. */
  keys?: readonly string[]
}
