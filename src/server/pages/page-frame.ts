import { html } from 'hono/html'
import { assetPath } from './asset-path.ts'
import { icon } from './icon.ts'
import { findDirection, findPageWords } from './words/find-page-words.ts'

/** Safe HTML from `html` or `raw`, or text that `html` escapes on insertion. */
export type Markup = ReturnType<typeof html> | string | readonly Markup[]

export interface PageFrame {
  language: string
  title: string
  description: string
  /** Additional content of the `<head>`. */
  head?: Markup
  /** Content of the `<header>`. */
  header: Markup
  /** Accessible label of the navigation. */
  navigationLabel: string
  /** An empty list leaves it out. */
  navigation: Markup
  main: Markup
  /** Table of contents, beside the text. */
  aside?: Markup
  /** Last in the body. */
  scripts?: Markup
  /** First in the body, for programs: not seen. */
  note?: Markup
}

/**
 * Frame of all our pages: landmarks, skip link, styles. Needs no script. On phones the navigation is a drawer.
 * It comes after the text, because programs cut off the end of long pages.
 */
export function renderFrame(frame: PageFrame) {
  const { language, title, description, head, header, navigationLabel, navigation, main, aside, scripts, note } = frame
  const words = findPageWords(language)
  const hasNavigation = !Array.isArray(navigation) || navigation.length > 0
  return html`<!doctype html>
    <html lang="${language}" dir="${findDirection(language)}" data-copy="${words.copy}" data-copied="${words.copied}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${description === '' ? '' : html`<meta name="description" content="${description}" />`}
        <link rel="icon" href="data:," />
        <link rel="preload" as="font" type="font/woff2" href="/assets/geist.woff2" crossorigin />
        <link rel="stylesheet" href="${assetPath('site.css')}" />
        ${head ?? ''}
      </head>
      <body>
        ${note ?? ''}
        <a class="skip" href="#docent-text">${words.skip}</a>
        <header class="head">
          ${
            hasNavigation
              ? html`<button
                  class="iconic only-s"
                  type="button"
                  popovertarget="docent-pages"
                  aria-label="${navigationLabel}"
                >
                  ${icon('menu')}
                </button>`
              : ''
          }
          ${header}
        </header>
        <div class="lay${aside === undefined ? '' : ' has-toc'}">
          <main id="docent-text" tabindex="-1"><article>${main}</article></main>
          ${aside ?? ''}
          ${
            hasNavigation
              ? html`<nav class="tree" id="docent-pages" popover aria-label="${navigationLabel}">${navigation}</nav>`
              : ''
          }
        </div>
        ${scripts ?? ''}
      </body>
    </html>`
}
