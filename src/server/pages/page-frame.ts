import { html } from 'hono/html'

/** Safe HTML: out of `html` or `raw`, or text that `html` escapes where it is put. */
export type Markup = ReturnType<typeof html> | string | readonly Markup[]

export interface PageFrame {
  language: string
  title: string
  description: string
  /** What else stands in the head. */
  head?: Markup
  /** The inside of the header. */
  header: Markup
  /** What the navigation is a navigation of, for those who hear the page. */
  navigationLabel: string
  navigation: Markup
  main: Markup
}

/** What all our pages share: the landmarks, the skip link, the styles. Needs no script. */
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
