import { html } from 'hono/html'

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
  navigation: Markup
  main: Markup
}

/** Frame of all our pages: landmarks, skip link, styles. Needs no script. */
export function renderFrame(frame: PageFrame) {
  const { language, title, description, head, header, navigationLabel, navigation, main } = frame
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${description === '' ? '' : html`<meta name="description" content="${description}" />`}
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/assets/site.css" />
        ${head ?? ''}
      </head>
      <body>
        <a class="skip" href="#text">Skip to the text</a>
        <header>${header}</header>
        <nav aria-label="${navigationLabel}">${navigation}</nav>
        <main id="text" tabindex="-1">${main}</main>
      </body>
    </html>`
}
