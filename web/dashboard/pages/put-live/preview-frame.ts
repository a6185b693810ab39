import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { WidgetSettings } from '../../../../src/contract/widget-settings.ts'

/** The widget's queue, and then the widget itself. */
interface WidgetQueue {
  push(call: readonly [name: string, value: unknown]): unknown
}

const titlesMax = 8

/** Puts the widget of a site and titles of its public pages on the page in the frame. */
export async function fillPreview({ document }: Window, { slug, name }: SiteResource): Promise<void> {
  const script = document.createElement('script')
  script.src = '/widget.js'
  script.dataset['site'] = slug
  document.body.append(script)
  document.querySelector('[data-preview=name]')?.replaceChildren(name)
  const titles = await readTitles(slug)
  const [first] = titles
  if (first === undefined) return
  document.querySelector('[data-preview=title]')?.replaceChildren(first)
  const items = titles.map((title) => {
    const item = document.createElement('li')
    item.append(title)
    return item
  })
  document.querySelector('[data-preview=pages]')?.replaceChildren(...items)
}

/** Of the public pages, as the list for language models names them; empty if there are none. */
async function readTitles(slug: string): Promise<string[]> {
  try {
    const response = await fetch(`/sites/${encodeURIComponent(slug)}/llms.txt`)
    const text = response.ok ? await response.text() : ''
    return Array.from(text.matchAll(/^- \[([^\]]{1,100})\]/gm), ([, title = '']) => title).slice(0, titlesMax)
  } catch {
    return []
  }
}

/** Applies settings without a reload, also before the script of the widget has run. */
export function updatePreview(page: Window, settings: WidgetSettings, theme: string): void {
  const preview = page as unknown as { docent?: WidgetQueue } // The script of the widget adds the name.
  page.document.documentElement.dataset['theme'] = theme
  preview.docent ??= []
  preview.docent.push(['update', settings])
}
