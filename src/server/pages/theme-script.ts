import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import type { PageWords } from './words/english.ts'
import { icon } from './icon.ts'

/** Inline, because a page that is drawn in one theme and then in another flashes. */
const script =
  "try{const t=localStorage.getItem('docent-theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}"

/** What `script-src` must allow. */
export const themeScriptSource = `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** Applies the theme that the reader has chosen before. Belongs into the `<head>`. */
export const themeScript = raw(`<script>${script}</script>`)

/** Hidden until its script runs. */
export function renderThemeSwitch({ themeAuto, themeLight, themeDark }: PageWords) {
  return html`<button
    class="iconic"
    type="button"
    data-switch
    data-auto="${themeAuto}"
    data-light="${themeLight}"
    data-dark="${themeDark}"
    hidden
  >
    ${icon('auto', 'data-for="auto"')}${icon('light', 'data-for="light"')}${icon('dark', 'data-for="dark"')}
  </button>`
}
